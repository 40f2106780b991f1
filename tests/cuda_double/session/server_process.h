// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TESTS_CUDA_DOUBLE_SESSION_SERVER_PROCESS_H_
#define SLUICE_TESTS_CUDA_DOUBLE_SESSION_SERVER_PROCESS_H_

#include <sys/types.h>

#include <cstdio>
#include <string>
#include <vector>

#include "absl/time/time.h"

namespace sluice::cuda_double {

// A ServerProcess is a sluice-server-cuda-double: task 0 of the job "worker".
//
// Owner:    the test; the destructor kills the process.
class ServerProcess {
 public:
  // `settings`: SLUICE_CUDA_DOUBLE of the process; `cluster`: its --cluster. Returns once it
  // listens, or has ended; then target() is empty.
  explicit ServerProcess(const std::string& settings,
                         const std::vector<std::string>& arguments = {},
                         const std::string& cluster = R"({"worker": ["localhost:0"]})");
  ~ServerProcess();
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  const std::string& target() const { return target_; }
  void Signal(int signal) const;
  // Waits until the process ends by itself. Returns its exit status, 128 + the signal that ended
  // it, or -1 if it did not end in time.
  int Wait(absl::Duration most);
  // All that it wrote to its standard error. REQUIRES: Wait has returned.
  std::string Errors();

 private:
  pid_t pid_ = -1;
  std::FILE* errors_;  // a file without a name
  std::string target_;
};

}  // namespace sluice::cuda_double

#endif  // SLUICE_TESTS_CUDA_DOUBLE_SESSION_SERVER_PROCESS_H_
