// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_ADMISSION_NEWCOMERS_H_
#define SLUICE_TRANSPORT_ADMISSION_NEWCOMERS_H_

#include <memory>
#include <utility>
#include <vector>

#include "absl/time/clock.h"
#include "absl/time/time.h"

namespace sluice::transport {

// Connections that were accepted and have not begun what they are for. Each has a deadline.
// `T::IsNew()` says whether one has not begun, and `T::EndNew()` ends it.
//
// Owner:    the port, which owns the connections too.
// Threads:  the loop's.
template <typename T>
class Newcomers {
 public:
  explicit Newcomers(absl::Duration limit) : limit_(limit) {}

  void Add(const std::shared_ptr<T>& one) { all_.push_back({one, absl::Now() + limit_}); }
  bool empty() const { return all_.empty(); }
  // Called at regular times while it is not empty.
  void Look() {
    const absl::Time now = absl::Now();
    std::vector<std::shared_ptr<T>> late;
    std::erase_if(all_, [&](const Newcomer& newcomer) {
      std::shared_ptr<T> one = newcomer.connection.lock();
      if (one == nullptr || !one->IsNew()) return true;
      if (now < newcomer.deadline) return false;
      late.push_back(std::move(one));
      return true;
    });
    for (const auto& one : late) one->EndNew();
  }

 private:
  struct Newcomer {
    std::weak_ptr<T> connection;
    absl::Time deadline;
  };

  const absl::Duration limit_;
  std::vector<Newcomer> all_;
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_ADMISSION_NEWCOMERS_H_
