#include "member/keyring.h"

namespace coterie::member {

Keyring::Keyring(Resource& home, Slot slot)
    : home_(home), slot_(slot), told_(home.host().setting().none()) {}

void Keyring::change(const std::vector<Claim*>& inside) {
  keys_.clear();
  for (const Claim* const claim : inside) {
    if (!claim->secret.is_none() && claim->owner.empty())
      keys_.push_back({claim->secret, claim->token});
  }
  is_current_ = false;
}

void Keyring::tell(const NodeSet& voters) {
  if (keys_.empty() && !is_told_) return;
  if (!is_current_) told_.clear();
  is_current_ = true;
  for (const NodeId arbiter : voters - told_) {
    told_.insert(arbiter);
    is_told_ = true;
    home_.host().ask(arbiter, {home_.name(), home_.kind(), slot_, Keys{keys_}});
  }
}

void Keyring::clear() {
  keys_.clear();
  told_.clear();
  is_told_ = false;
  is_current_ = true;
}

}  // namespace coterie::member
