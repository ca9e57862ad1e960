#include <fmt/format.h>
#define THREADED
#include <zookeeper/zookeeper.h>

#include <algorithm>
#include <array>
#include <future>
#include <memory>
#include <set>
#include <stdexcept>
#include <utility>

#include "locker.h"

namespace coterie::bench {

namespace {

class Zookeeper : public Locker {
 public:
  explicit Zookeeper(std::uint16_t port) {
    zoo_set_debug_level(ZOO_LOG_LEVEL_ERROR);
    std::promise<void> connected;
    on_connected_ = &connected;
    handle_ = zookeeper_init(fmt::format("127.0.0.1:{}", port).c_str(), &Zookeeper::on_session,
                             30'000, nullptr, this, 0);
    if (handle_ == nullptr) throw std::runtime_error("ZooKeeper: no handle");
    connected.get_future().wait();
  }
  ~Zookeeper() override { zookeeper_close(handle_); }
  Zookeeper(const Zookeeper&) = delete;
  Zookeeper& operator=(const Zookeeper&) = delete;

  void lock(const std::string& name) override {
    const std::string folder = "/" + name;
    own_ = make_node(folder, "lock-");
    for (;;) {
      const std::string before = one_before(folder, own_.substr(folder.size() + 1));
      if (before.empty()) return;
      std::promise<void> gone;
      Stat stat{};
      const int found = zoo_wexists(handle_, (folder + "/" + before).c_str(), &Zookeeper::on_change,
                                    &gone, &stat);
      if (found == ZOK) gone.get_future().wait();
    }
  }
  void unlock(const std::string& /*name*/) override { remove(own_); }

 protected:
  // One that ends with this session, with a number of its own.
  std::string make_node(const std::string& folder, const std::string& prefix) {
    if (known_.insert(folder).second) {
      const int made =
          zoo_create(handle_, folder.c_str(), "", 0, &ZOO_OPEN_ACL_UNSAFE, 0, nullptr, 0);
      if (made != ZNODEEXISTS) check(made, "create");
    }
    constexpr std::size_t kLongest = 256;
    std::array<char, kLongest> path{};
    check(zoo_create(handle_, (folder + "/" + prefix).c_str(), "", 0, &ZOO_OPEN_ACL_UNSAFE,
                     ZOO_EPHEMERAL | ZOO_SEQUENCE, path.data(), static_cast<int>(path.size())),
          "create");
    return path.data();
  }
  void remove(const std::string& node) { check(zoo_delete(handle_, node.c_str(), -1), "delete"); }

  // How many nodes are there. The promise is kept when that changes.
  std::size_t count(const std::string& folder, const std::shared_ptr<std::promise<void>>& change) {
    // A watch that does not fire is forgotten with the session.
    auto* const watch = change ? new std::shared_ptr<std::promise<void>>(change) : nullptr;
    String_vector children{};
    check(zoo_wget_children(handle_, folder.c_str(), change ? &Zookeeper::on_count : nullptr, watch,
                            &children),
          "children");
    const auto found = static_cast<std::size_t>(children.count);
    deallocate_String_vector(&children);
    return found;
  }

 private:
  std::string one_before(const std::string& folder, const std::string& own) {
    String_vector children{};
    check(zoo_get_children(handle_, folder.c_str(), 0, &children), "children");
    std::string best;
    for (int i = 0; i < children.count; ++i) {
      const std::string child = children.data[i];
      if (child < own && child > best) best = child;
    }
    deallocate_String_vector(&children);
    return best;
  }
  static void check(int result, const char* what) {
    if (result != ZOK)
      throw std::runtime_error(fmt::format("ZooKeeper {}: {}", what, zerror(result)));
  }
  static void on_session(zhandle_t* /*handle*/, int type, int state, const char* /*path*/,
                         void* context) {
    auto* const self = static_cast<Zookeeper*>(context);
    if (type != ZOO_SESSION_EVENT || state != ZOO_CONNECTED_STATE) return;
    if (auto* const first = std::exchange(self->on_connected_, nullptr)) first->set_value();
  }
  static void on_change(zhandle_t* /*handle*/, int type, int /*state*/, const char* /*path*/,
                        void* context) {
    if (type != ZOO_SESSION_EVENT) static_cast<std::promise<void>*>(context)->set_value();
  }

  static void on_count(zhandle_t* /*handle*/, int type, int /*state*/, const char* /*path*/,
                       void* context) {
    if (type == ZOO_SESSION_EVENT) return;
    const std::unique_ptr<std::shared_ptr<std::promise<void>>> watch(
        static_cast<std::shared_ptr<std::promise<void>>*>(context));
    (*watch)->set_value();
  }

  zhandle_t* handle_ = nullptr;
  std::promise<void>* on_connected_ = nullptr;
  std::set<std::string> known_;
  std::string own_;
};

class ZookeeperSemaphore final : public Zookeeper {
 public:
  ZookeeperSemaphore(std::uint16_t port, std::size_t limit) : Zookeeper(port), limit_(limit) {}

  void lock(const std::string& name) override {
    Zookeeper::lock(name + "-locks");
    const std::string folder = "/" + name + "-leases";
    place_ = make_node(folder, "lease-");
    while (count(folder, nullptr) > limit_) {
      const auto change = std::make_shared<std::promise<void>>();
      if (count(folder, change) > limit_) change->get_future().wait();
    }
    Zookeeper::unlock(name);
  }
  void unlock(const std::string& /*name*/) override { remove(place_); }

 private:
  std::size_t limit_;
  std::string place_;
};

}  // namespace

std::unique_ptr<Locker> make_zookeeper(const Ports& ports, std::size_t client) {
  return std::make_unique<Zookeeper>(ports[client % ports.size()]);
}

std::unique_ptr<Locker> make_zookeeper_semaphore(const Ports& ports, std::size_t client,
                                                 std::size_t limit) {
  return std::make_unique<ZookeeperSemaphore>(ports[client % ports.size()], limit);
}

}  // namespace coterie::bench
