// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_MISSING_TASKS_H_
#define SLUICE_TRANSPORT_MISSING_TASKS_H_

#include <string>

#include "absl/types/span.h"
#include "core/status.h"

namespace sluice::transport {

// A task that a session needs and that does not answer.
struct MissingTask {
  std::string task, address;
  absl::Status why;  // the last error
};

// UNAVAILABLE: "no answer from /job:ps/replica:0/task:0 at host:2222; 1 of 2 tasks are ready;
// /job:ps/replica:0/task:0: connection refused".
absl::Status TasksMissing(absl::Span<const MissingTask> missing, size_t of);

// The tasks in such an error, with the names that programs use: "/job:ps/task:0 at host:2222, ...".
// Empty for other errors. This reads the message, not the code, because masters change the code.
std::string NamesOfMissingTasks(const absl::Status& status);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_MISSING_TASKS_H_
