// One client of a lock service, as thin as can be: blocking sockets and no thread of its own. Ours is measured
// with its library as it is.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace coterie::bench {

class Locker {
 public:
  virtual ~Locker() = default;
  virtual void lock(const std::string& name) = 0;
  virtual void unlock(const std::string& name) = 0;

 protected:
  Locker() = default;
  Locker(const Locker&) = default;
  Locker& operator=(const Locker&) = default;
};
using MakeLocker = std::function<std::unique_ptr<Locker>(std::size_t client)>;

// Addresses are ports on loopback.
using Ports = std::vector<std::uint16_t>;

// Redlock, as its author describes it: SET NX PX at all, a majority within the validity, DEL by script at all; who
// fails leaves, and tries again after a random time up to `pause_ms`.
std::unique_ptr<Locker> make_redlock(const Ports& ports, unsigned pause_ms);
// etcd's own lock service, by its HTTP gateway, on a connection that is kept.
std::unique_ptr<Locker> make_etcd(const Ports& ports, std::size_t client);
// ZooKeeper's recipe: an ephemeral sequential node, and a watch on the one before.
std::unique_ptr<Locker> make_zookeeper(const Ports& ports, std::size_t client);
// Its semaphore, as Curator's InterProcessSemaphoreV2 works: who has the lock of the name makes a node for its place, waits
// until there are no more of these than the limit, and unlocks; to leave, it deletes its node.
std::unique_ptr<Locker> make_zookeeper_semaphore(const Ports& ports, std::size_t client,
                                                 std::size_t limit);

}  // namespace coterie::bench
