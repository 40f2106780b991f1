// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_ADMISSION_ADMISSION_LOG_H_
#define SLUICE_TRANSPORT_ADMISSION_ADMISSION_LOG_H_

#include <cstdint>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "core/log.h"
#include "transport/admission/token_bucket.h"

namespace sluice::transport {

// Writes to the log who was admitted to a task's port, and who was refused. A hostile peer cannot
// fill the log: of each kind there are kBurst lines at once and kPerSecond lines a second. The
// others are counted; the next line of the kind says how many. A line holds no secret.
//
// Threads:  any.
class AdmissionLog {
 public:
  static constexpr double kBurst = 100, kPerSecond = 5;

  explicit AdmissionLog(std::string task) : task_(std::move(task)) {}

  template <typename... Args>
  void Admitted(const Args&... args) {
    Write(LogLevel::kInfo, admitted_, args...);
  }
  template <typename... Args>
  void Refused(const Args&... args) {
    Write(LogLevel::kWarning, refused_, args...);
  }

 private:
  struct Budget {
    absl::Mutex mu;
    TokenBucket lines ABSL_GUARDED_BY(mu){kPerSecond, kBurst};
    int64_t left_out ABSL_GUARDED_BY(mu) = 0;
  };

  // Whether there may be a line now, and how many were left out before it.
  static bool Take(Budget& budget, int64_t* left_out);

  template <typename... Args>
  void Write(LogLevel level, Budget& budget, const Args&... args) {
    int64_t left_out = 0;
    if (!LogEnabled(level) || !Take(budget, &left_out)) return;
    if (left_out > 0) Log(level, task_, ": ", left_out, " lines like the next one were left out");
    Log(level, task_, ": ", args...);
  }

  const std::string task_;
  Budget admitted_, refused_;
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_ADMISSION_ADMISSION_LOG_H_
