#include "member/sound.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <type_traits>
#include <variant>

#include "member/resource.h"
#include "quorum/visible.h"

namespace coterie::member {

namespace {

constexpr std::size_t kLongestText = 1'024;  // as the codec has it: names have less

bool is_within(std::uint64_t number) { return number <= kMostNumber; }
bool is_within(std::uint32_t /*any*/) { return true; }
bool is_within(bool /*any*/) { return true; }
bool is_within(Time time) { return is_within(static_cast<std::uint64_t>(time)); }
bool is_within(const Secret& /*any*/) { return true; }
bool is_within(const Attempt& /*any*/) { return true; }
bool is_within(const std::string& text) {
  return text.size() <= kLongestText && quorum::is_text(text);
}
bool is_within(const Origin& origin) {
  return origin.slot < kMostSlots && is_within(origin.since);  // incarnations are the link's
}
bool is_within(const Terms& terms) {
  return is_within(terms.version) && (terms.max == 0 || terms.min <= terms.max);
}

template <class Value>
requires std::is_enum_v<Value>
bool is_within(Value /*any*/) { return true; }
template <Listed Value>
bool is_within(const Value& value);
template <class Value>
bool is_within(const std::optional<Value>& value);
template <class... Values>
bool is_within(const std::variant<Values...>& value);
template <class Value>
bool is_within(const std::vector<Value>& values) {
  return std::all_of(values.begin(), values.end(),
                     [](const Value& value) { return is_within(value); });
}
template <class Value>
bool is_within(const std::optional<Value>& value) {
  return !value || is_within(*value);
}
template <class... Values>
bool is_within(const std::variant<Values...>& value) {
  return std::visit([](const auto& one) { return is_within(one); }, value);
}
template <Listed Value>
bool is_within(const Value& value) {
  return std::apply([](const auto&... fields) { return (is_within(fields) && ...); },
                    value.fields());
}

// Numbers from kFirstOwner on are a member's own, for lasting holds.
bool has_sound_ids(const std::vector<Recorded>& census) {
  return std::all_of(census.begin(), census.end(),
                     [](const Recorded& record) { return record.id < kFirstOwner; });
}

template <class Body>
bool is_sound_flow(const Flow<Body>& flow) {
  return is_within(flow.session) && is_within(flow.beat) && is_within(flow.first) &&
         is_within(flow.received) &&
         std::all_of(flow.packets.begin(), flow.packets.end(),
                     [](const Packet<Body>& packet) { return is_sound(packet); });
}

}  // namespace

bool is_sound(const Packet<Ask>& packet) { return !packet.name.empty() && is_within(packet); }

bool is_sound(const Packet<Answer>& packet) {
  if (packet.name.empty() || !is_within(packet)) return false;
  if (const auto* const grant = std::get_if<Grant>(&packet.body))
    return has_sound_ids(grant->census);
  if (const auto* const update = std::get_if<Update>(&packet.body))
    return has_sound_ids(update->census);
  return true;
}

bool is_sound(const Frame& frame) {
  return is_within(frame.clock) && is_within(frame.ceiling) && is_sound_flow(frame.asking) &&
         is_sound_flow(frame.answering) && is_within(frame.questions);
}

bool is_sound(const Keepsake& keepsake) { return is_within(keepsake); }

bool is_sound(const View& view) { return is_within(view); }

bool is_readable(const std::string& text) { return is_within(text); }

}  // namespace coterie::member
