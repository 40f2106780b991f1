// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CLIENT_GPU_OPTIONS_H_
#define SLUICE_CLIENT_GPU_OPTIONS_H_

#include <string>

#include "core/device/gpu_devices.h"

namespace sluice::proto {
class ConfigProto;
}

namespace sluice::client {

// What the gpu_options and the device_count of a ConfigProto, or a serialised one, say about the
// GPUs of a task. As in TensorFlow, they say nothing on a machine without GPUs.
//
// Errors:   INVALID_ARGUMENT names the value out of range.
absl::StatusOr<GpuOptions> GpuOptionsOf(const proto::ConfigProto& config);
absl::StatusOr<GpuOptions> GpuOptionsOf(const std::string& config);

}  // namespace sluice::client

#endif  // SLUICE_CLIENT_GPU_OPTIONS_H_
