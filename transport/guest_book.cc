#include "transport/guest_book.h"

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

}  // namespace sluice::transport
