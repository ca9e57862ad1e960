// How a member comes to its identity (identity.h) and to its life: the birth of a cluster, a start with data, a start without,
// and another life when the others know more of this member than its disk does.
#include <fmt/format.h>
#include <spdlog/logger.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

#include "base/pack.h"
#include "member/incarnation.h"
#include "net/dial.h"
#include "net/server.h"

namespace coterie::net {

namespace asio = boost::asio;
using boost::system::error_code;
using member::Birth;
using member::Instant;

namespace {

constexpr const char* kIdentity = "identity";
constexpr const char* kSeed = "seed";
constexpr const char* kSeeds = "seeds";  // that it has heard, its own among them
constexpr const char* kLives = "lives";  // the cluster that others have spoken of: it is not new

Bytes property(const Store& store, const char* key) {
  const auto found = store.properties().find(key);
  return found != store.properties().end() ? found->second : Bytes();
}

// Nothing was ever saved here, or lost, but what a member writes down before its cluster is born.
bool is_empty(const Store& store) {
  const auto& properties = store.properties();
  const bool has_more = std::any_of(properties.begin(), properties.end(), [](const auto& item) {
    return item.first != kSeed && item.first != kSeeds && !item.second.empty();
  });
  return !has_more && !store.has_promises();
}

// The number of the files that were put aside before is in the name of their folder.
std::string free_folder(const std::string& folder) {
  std::error_code ignored;
  for (int number = 1;; ++number) {
    std::string name = fmt::format("{}/outdated-{}", folder, number);
    if (!std::filesystem::exists(name, ignored)) return name;
  }
}

}  // namespace

Result<std::optional<Identity>> Server::find_identity(const Store& store) {
  const Bytes bytes = property(store, kIdentity);
  if (bytes.empty()) return std::optional<Identity>();
  Identity identity;
  Reader reader(bytes);
  unpack(reader, identity);
  if (!reader.good() || !reader.at_end()) return Error{.message = "its identity cannot be read"};
  return std::optional(std::move(identity));
}

// Before anything else: what the folder has must be ours.
Result<void> Server::guard_folder() {
  auto found = find_identity(*store_);
  if (!found)
    return Error{.message =
                     fmt::format("the data folder {}: {}", settings_.data, found.error().message)};
  identity_ = *std::move(found);
  const bool has_data = this->has_data();
  if (identity_) {
    if (std::string fault = fault_of_folder(*identity_, settings_); !fault.empty())
      return Error{.message = std::move(fault)};
  }
  if (launch_.is_new && (has_data || store_->lost() || (identity_ && !identity_->is_founder)))
    return Error{.message = fmt::format(
                     "the data folder {} has been used: its cluster is not new. Start the member "
                     "without --new-cluster",
                     settings_.data)};
  if (launch_.accepts_loss && has_data)
    return Error{
        .message = fmt::format(
            "--accept-data-loss is for a member that has lost its data: the data folder {} "
            "has some. Start the member without it",
            settings_.data)};
  return {};
}

// All that it had saved, of a life that knew what it might promise.
bool Server::has_data() const {
  return !store_->lost() && store_->saved() && store_->saved()->ceiling != 0;
}

void Server::set_identity(Identity identity) {
  fail_if(store_->set_property(kIdentity, packed(identity)));
  if (!has_failed_) identity_ = std::move(identity);
}

void Server::start() {
  accept();
  if (identity_) {
    if (const auto& lost = store_->lost()) log_->error("{}", *lost);
    const bool is_founder = identity_->is_founder && !store_->lost();
    begin_life(has_data() ? Birth::restart : is_founder ? birth_of_founder() : Birth::amnesia);
  } else {
    await_birth();
  }
  dial_all();
}

void Server::dial_all() {
  for (NodeId peer = 0; peer < peers_.size(); ++peer) {
    if (peer == settings_.member.self || is_stopping_ || has_failed_) continue;
    if (peers_[peer].again) peers_[peer].again->cancel();
    if (!peers_[peer].dial && !peers_[peer].channel) dial(peer);
  }
}

// Without an identity there is no brain: nothing is asked, and nothing granted.
void Server::await_birth() {
  founding_ = Founding(settings_.name(), settings_.member.names);
  std::string seed = property(*store_, kSeed);
  Identity::Seeds known;
  const Bytes heard = property(*store_, kSeeds);
  Reader reader(heard);
  // Who is told that the cluster is new need not believe what a former start has heard.
  if (!launch_.is_new && !heard.empty()) unpack(reader, known);
  if (!reader.good())
    return fail_if(Error{.message = "what the data folder has of other members cannot be read"});
  const bool may_found = launch_.is_new || (is_empty(*store_) && !launch_.accepts_loss);
  if (!may_found) seed.clear();
  if (may_found && seed.empty()) {
    constexpr int kWords = 4;
    for (int word = 0; word < kWords; ++word) seed += fmt::format("{:08x}", chance_());
    fail_if(store_->set_property(kSeed, seed));
  }
  founding_.resume(std::move(seed), std::move(known));
  fail_if(store_->set_property(kSeeds, packed(founding_.known())));
  if (has_failed_) return;
  if (const auto& lost = store_->lost()) log_->error("{}", *lost);
  if (founding_.has_seed()) {
    log_->info(
        "member {} listens on {}, has no data, and waits for all others: if none of them "
        "has any either, the cluster is new",
        settings_.name(), settings_.listen.text());
    return try_birth();
  }
  log_->warn(
      "no data in {}, and there was some: asks the others which cluster this is, and grants "
      "nothing "
      "until a quorum of others has told what it may have granted. If so many disks are lost that "
      "no quorum of others has its data, see --accept-data-loss in docs/operations.md",
      settings_.data);
}

wire::MemberHello Server::hello_of_ours() const {
  wire::MemberHello hello;
  hello.set_name(settings_.name());
  hello.set_cluster(settings_.cluster());
  if (brain_) hello.set_incarnation(brain_->incarnation());
  if (!identity_) {
    hello.set_seed(founding_.seed());
    for (const auto& [name, seed] : founding_.known()) (*hello.mutable_seeds())[name] = seed;
    return hello;
  }
  hello.set_identity(identity_->cluster);
  for (const auto& [name, seed] : identity_->seeds) (*hello.mutable_seeds())[name] = seed;
  return hello;
}

// What another member says of itself before we have an identity. Nothing that it says is believed but on a second look: a seed
// counts only with all others, and a cluster only if enough say the same.
void Server::hear_of_birth(NodeId peer, const wire::MemberHello& hello) {
  if (identity_ || has_failed_) return;
  if (hello.identity().empty()) return hear_of_founding(peer, hello);
  Identity::Seeds seeds(hello.seeds().begin(), hello.seeds().end());
  if (!is_seed(hello.identity()) || cluster_of(seeds) != hello.identity())
    return log_->error(
        "member {} says an identity of its cluster that does not follow from its seeds",
        settings_.member.names[peer]);
  const auto ours = seeds.find(settings_.name());
  const bool is_founder =
      founding_.has_seed() && ours != seeds.end() && ours->second == founding_.seed();
  if (is_founder) return be_born(std::move(seeds), birth_of_founder());
  if (launch_.is_new) {
    // Not a second time: what is in the folder must not make it new.
    if (const auto ignored = store_->set_property(kSeed, {})) log_->error("{}", ignored->message);
    return fail_if(Error{
        .message = fmt::format(
            "--new-cluster is refused: member {} says that its cluster lives (identity {}), and "
            "this member may have granted something in it. Start it without --new-cluster: it "
            "learns "
            "from the others what that was",
            settings_.member.names[peer], hello.identity())});
  }
  // It is written down, so that the member does not take the cluster for new when those that know it have lost their disks, too.
  if (property(*store_, kLives).empty()) {
    fail_if(store_->set_property(kLives, hello.identity()));
    if (has_failed_) return;
    log_->warn(
        "member {} says that its cluster lives (identity {}), and this member has no data: it "
        "grants "
        "nothing until a quorum of others has told what it may have granted. If so many disks are "
        "lost that no quorum of others has its data, see --accept-data-loss in docs/operations.md",
        settings_.member.names[peer], hello.identity());
  }
  founding_.give_up();
  heard_clusters_[peer] = std::move(seeds);
  join_cluster();
}

// Of another one that does not know its cluster either: see founding.h.
void Server::hear_of_founding(NodeId peer, const wire::MemberHello& hello) {
  const std::string before = founding_.why();
  const Founding::Word word{hello.seed(), {hello.seeds().begin(), hello.seeds().end()}};
  if (founding_.hear(settings_.member.names[peer], word))
    fail_if(store_->set_property(kSeeds, packed(founding_.known())));
  if (has_failed_) return;
  try_birth();
  if (identity_ || !founding_.has_seed()) return;
  if (const std::string why = founding_.why(); why != before) log_->info("not born yet: {}", why);
}

void Server::try_birth() {
  if (auto seeds = founding_.founded()) be_born(*std::move(seeds), birth_of_founder());
}

// Nothing was granted before by this cluster. If nobody has said so, there may have been another one, all of whose disks are
// lost, and whose clients believe for a while.
Birth Server::birth_of_founder() const {
  return launch_.is_new ? Birth::cluster : Birth::quiet_cluster;
}

std::string Server::why_unborn() const {
  if (is_outdated_ || identity_) return "the member begins another life";
  const bool knows_cluster = !heard_clusters_.empty();
  return "the member does not know its cluster yet: " +
         (knows_cluster ? "it has no data, and waits until enough others say which cluster this is"
                        : founding_.why());
}

// The disk is lost. Those that tell what this member may have granted are those whose cluster it must be: a quorum of others.
// Who accepts the loss takes the word of any, if no other speaks of another cluster.
void Server::join_cluster() {
  NodeSet agree(peers_.size());
  const Identity::Seeds& seeds = heard_clusters_.begin()->second;
  for (const auto& [peer, heard] : heard_clusters_) {
    if (heard != seeds) {
      complain(Complaint::member, settings_.member.names[peer], settings_.addresses[peer].text(),
               difference_of_clusters(settings_.member.names[peer], cluster_of(heard),
                                      settings_.member.names[heard_clusters_.begin()->first],
                                      cluster_of(seeds)));
      return;
    }
    agree.insert(peer);
  }
  if (launch_.accepts_loss || settings_.member.system.write().contains_quorum(agree))
    be_born(seeds, Birth::amnesia);
}

void Server::be_born(Identity::Seeds seeds, Birth birth) {
  std::string cluster = cluster_of(seeds);
  set_identity({std::move(cluster), settings_.name(), guarded(settings_), std::move(seeds),
                birth != Birth::amnesia});
  if (has_failed_) return;
  log_->info("the cluster has the identity {}", identity_->cluster);
  begin_life(birth);
  dial_all();
}

// Without its data it will be one that lost them.
void Server::stop_founding() {
  if (has_failed_ || !identity_->is_founder) return;
  Identity identity = *identity_;
  identity.is_founder = false;
  set_identity(std::move(identity));
}

// On disk before the brain is there: that this life has begun, and how long leases may last that it will give.
void Server::begin_life(Birth birth, member::Incarnation above) {
  member::Start start;
  start.birth = birth;
  start.durable = store_->durable_sequence();
  if (store_->saved()) start.saved = *store_->saved();
  if (birth == Birth::restart) start.ceiling = start.saved.ceiling;
  start.keepsakes = store_->take_keepsakes();
  const member::Incarnation last = std::max(start.saved.incarnation, above);
  start.incarnation = member::next_incarnation(last, chance_());
  if (start.incarnation > member::kLastIncarnation)
    return fail_if(Error{.message = fmt::format(
                             "no number is left for another start of member {}: others know it by "
                             "incarnation {}",
                             settings_.name(), last)});
  const auto lent_ns =
      static_cast<std::uint64_t>(settings_.member.drift.at_least(settings_.member.lease).ns);
  member::Durable durable = start.saved;
  if (birth == Birth::amnesia) durable.ceiling = 0;
  durable.incarnation = start.incarnation;
  durable.lent_ns = std::max(durable.lent_ns, lent_ns);
  save(durable);
  if (birth == Birth::amnesia) stop_founding();
  if (has_failed_) return;
  log_->info("member {} listens on {} incarnation={} system={} cluster={}", settings_.name(),
             settings_.listen.text(), start.incarnation, settings_.member.system.spec(),
             identity_->cluster);
  if (birth == Birth::quiet_cluster)
    log_->info("the cluster is new; grants nothing for {} ms, in case that there was another one",
               lent_ns / 1'000'000);
  if (birth != Birth::cluster && durable.lent_ns > lent_ns)
    log_->warn("leases of before lasted longer: grants nothing for {} ms",
               durable.lent_ns / 1'000'000);
  if (birth == Birth::amnesia)
    log_->warn(
        "what it had saved is not there: grants nothing until a quorum of others has told what it "
        "may have granted{}",
        launch_.accepts_loss ? ", or until it accepts the loss" : "");
  Outlet& outlet = *this;
  // What it keeps while it is made is what was just read: nothing of that is written again.
  is_reading_ = true;
  brain_ = std::make_unique<member::Member>(settings_.member, start, now(), outlet);
  is_reading_ = false;
  is_outdated_ = false;
  born_ = now();
  armed_ = Instant::never();
  stop_founding();  // from now on it may make promises
  arm();
  if (birth == Birth::amnesia && launch_.accepts_loss) await_loss();
  for (const auto& does : std::exchange(when_born_, {})) does();
}

// So long others may still tell what they know, beyond the leases that this member may have given.
void Server::await_loss() {
  constexpr member::Duration kLonger = member::Duration::seconds(3);
  loss_.set(now() + settings_.member.drift.at_least(settings_.member.lease) + kLonger, [this] {
    think([&](member::Member& brain, Instant at) {
      if (brain.is_sure()) return;
      if (!brain.accept_loss(at)) return await_loss();
      log_->error(
          "the loss is accepted: what no other member has told is forgotten. A hold that only "
          "lost disks knew can be given to another, and a fencing token can be used twice");
    });
  });
}

void Server::call_when_born(std::function<void()> does) {
  if ((brain_ && !is_outdated_) || has_failed_ || is_stopping_) return does();
  when_born_.push_back(std::move(does));
}

// In the middle of a step of the brain: it ends first.
void Server::notice_outdated() {
  if (!brain_ || !brain_->outdated() || std::exchange(is_outdated_, true)) return;
  timer_.cancel();
  asio::post(io_, [this] {
    if (!is_stopping_ && !has_failed_) begin_again();
  });
}

void Server::begin_again() {
  const member::Outdated outdated = *brain_->outdated();
  const std::string& by = settings_.member.names[outdated.by];
  const bool has_data = brain_->is_sure() || store_->saved()->ceiling != 0;
  const std::string why =
      outdated.is_later_life
          ? fmt::format("member {} knows a later start of this member (incarnation {}; this is {})",
                        by, outdated.seen.incarnation, brain_->incarnation())
          : fmt::format("member {} has seen more of this member than its data folder has", by);
  const member::Incarnation last = brain_->incarnation();
  const member::Incarnation above = std::max(outdated.seen.incarnation, last);
  hang_up();
  // Between two lives there is no brain: a session that the former one opened would be unknown to the next.
  brain_.reset();
  if (has_data) {
    const std::string aside = free_folder(settings_.data);
    if (const auto error = put_aside(aside, last)) return fail_if(error);
    log_->error(
        "{}: an older copy of the folder was put back, or another process has run as this member. "
        "What it promised since is not known: it starts again as one that lost its data. The old "
        "files are in {}",
        why, aside);
  } else {
    // The next life must know of every keepsake on the disk: the former one took some from the store, and kept others.
    if (const auto error = open_again()) return fail_if(error);
    log_->warn("{}: it starts again, with a greater number", why);
  }
  loss_.set(now() + rebirths_.pause_after(born_, now()), [this, above] {
    if (is_stopping_ || has_failed_) return;
    begin_life(Birth::amnesia, above);
    dial_all();
  });
}

// All connections end: who is at the other side greets the next life.
void Server::hang_up() {
  for (Peer& peer : peers_) {
    if (peer.again) peer.again->cancel();
    if (peer.dial) peer.dial->cancel();
    if (peer.channel) peer.channel->close();
    peer.dial.reset();
    peer.channel.reset();
    peer.is_connected = false;
    peer.heard = Heard::never;
  }
  while (!guests_.empty()) leave(guests_.begin()->first, "it begins another life");
  sync();
  kept_.reset();
  const auto residents = std::exchange(residents_, {});
  for (const auto& [session, resident] : residents) resident->hear(member::Ended{});
  seen_ = {};
}

// Nothing is deleted: somebody may want to know what was there.
std::optional<Error> Server::put_aside(const std::string& aside, member::Incarnation last) {
  const std::uint64_t lent_ns = store_->saved() ? store_->saved()->lent_ns : 0;
  store_.reset();
  if (const auto fault = make_private_folder(aside)) return Error{.message = fault->text};
  std::error_code error;
  std::vector<std::filesystem::path> files;
  for (std::filesystem::directory_iterator each(settings_.data, error), end; !error && each != end;
       each.increment(error)) {
    if (each->is_regular_file() && each->path().filename() != "lock") files.push_back(each->path());
  }
  for (const auto& file : files) {
    if (!error)
      std::filesystem::rename(file, std::filesystem::path(aside) / file.filename(), error);
  }
  if (error)
    return Error{.message = fmt::format("the files of {} cannot be put aside: {}", settings_.data,
                                        error.message())};
  if (auto trouble = open_again()) return trouble;
  set_identity(*identity_);
  save({last, 0, lent_ns, {}});
  return std::nullopt;
}

std::optional<Error> Server::open_again() {
  store_.reset();  // it has the lock of the folder
  auto store = Store::open(settings_.data);
  if (!store) return store.error();
  store_.emplace(*std::move(store));
  return std::nullopt;
}

}  // namespace coterie::net
