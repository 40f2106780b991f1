// SPDX-License-Identifier: Apache-2.0
#include "client/gpu_options.h"

#include "proto/config.pb.h"

namespace sluice::client {

absl::StatusOr<GpuOptions> GpuOptionsOf(const std::string& config) {
  proto::ConfigProto parsed;
  if (!parsed.ParseFromString(config))
    return InvalidArgument("config is not a serialised ConfigProto");
  return GpuOptionsOf(parsed);
}

absl::StatusOr<GpuOptions> GpuOptionsOf(const proto::ConfigProto& config) {
  const proto::GPUOptions& from = config.gpu_options();
  GpuOptions gpus;
  if (!from.visible_device_list().empty()) gpus.visible = from.visible_device_list();
  gpus.memory_fraction = from.per_process_gpu_memory_fraction();
  // A GPU is one device: a limit for one virtual device of it is the limit of the GPU.
  const auto& parts = from.experimental().virtual_devices();
  if (!parts.empty() && parts[0].memory_limit_mb_size() == 1)
    gpus.memory_limit = static_cast<int64_t>(parts[0].memory_limit_mb(0) * (1 << 20));
  gpus.allow_growth = from.allow_growth();
  gpus.pinned_limit =
      static_cast<int64_t>(from.experimental().gpu_host_mem_limit_in_mb() * (1 << 20));
  const auto count = config.device_count().find("GPU");
  if (count != config.device_count().end()) gpus.most = count->second;
  SLUICE_RETURN_IF_ERROR(Annotate(CheckGpuOptions(gpus), "gpu_options"));
  return gpus;
}

}  // namespace sluice::client
