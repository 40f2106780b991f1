#include "transport/road.h"

#include <unistd.h>

#include <climits>
#include <fstream>
#include <random>

#include "absl/strings/str_format.h"

namespace sluice::transport {

std::string GuestBook::TokenFor(const Visitor& visitor) {
  constexpr size_t kRemembered = 10'000;
  absl::MutexLock lock(&mu_);
  if (!guests_.contains(visitor.task)) {
    order_.push_back(visitor.task);
    if (order_.size() > kRemembered) {
      guests_.erase(order_.front());
      order_.pop_front();
    }
  }
  Guest& guest = guests_[visitor.task];
  if (guest.token.empty() || guest.incarnation != visitor.incarnation)
    guest = {visitor.incarnation, RandomToken()};
  return guest.token;
}

bool GuestBook::Invited(const std::string& task, const std::string& token) const {
  absl::MutexLock lock(&mu_);
  auto it = guests_.find(task);
  return it != guests_.end() && it->second.token == token;
}

const std::string& HostId() {
  static const auto* const id = [] {
    std::string boot;
    std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), boot);
    char net[PATH_MAX] = "";
    const ssize_t length = readlink("/proc/self/ns/net", net, sizeof(net));
    return new std::string(boot + "/" + std::string(net, length > 0 ? length : 0));
  }();
  return *id;
}

std::string RandomToken() {
  std::random_device random;
  std::string token;
  for (int i = 0; i < 4; ++i) absl::StrAppendFormat(&token, "%08x", random());
  return token;
}

}  // namespace sluice::transport
