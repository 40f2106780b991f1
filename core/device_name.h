// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_DEVICE_NAME_H_
#define SLUICE_CORE_DEVICE_NAME_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "core/status.h"

namespace sluice {

// A device spec: every part may be unspecified. Full: /job:worker/replica:0/task:3/device:GPU:1.
struct DeviceName {
  std::optional<std::string> job;
  std::optional<int> replica;
  std::optional<int> task;
  std::optional<std::string> type;  // "CPU", "GPU"
  std::optional<int> id;

  // The grammar of protocol.md 5.1, including legacy and local forms. INVALID_ARGUMENT names the
  // text.
  static absl::StatusOr<DeviceName> Parse(absl::string_view text);
  bool full() const { return job && replica && task && type && id; }
  bool Matches(const DeviceName& full_name) const;  // every part specified here is equal there
  bool SameTask(const DeviceName& other) const;
  void MergeOver(const DeviceName& weaker);  // fills parts unspecified here
  std::string ToString() const;              // canonical; "" when nothing is specified
  std::string task_name() const;             // "/job:worker/replica:0/task:3"
  bool operator==(const DeviceName&) const = default;
};

// Completes the device spec `own` by the spec `weaker`. A text that is not a device spec is not
// changed; placement reports the error.
std::string MergeDevices(const std::string& own, const std::string& weaker);

}  // namespace sluice

#endif  // SLUICE_CORE_DEVICE_NAME_H_
