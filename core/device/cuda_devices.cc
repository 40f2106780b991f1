// SPDX-License-Identifier: Apache-2.0
// Finds the GPUs of the machine. No code here links the driver: the runtime opens libcuda.so.1.
#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "absl/strings/ascii.h"
#include "core/device/cuda_device.h"
#include "core/device/cuda_library.h"
#include "core/device/cuda_status.h"
#include "core/device/gpu_devices.h"
#include "core/log.h"

// Defined by a runtime that needs no driver: the test double.
extern "C" [[gnu::weak]] int sluice_cuda_needs_no_driver();

namespace sluice {
namespace {

using cuda::ToStatus;

constexpr int64_t kMiB = 1 << 20;
constexpr int64_t kReserve = 300 * kMiB;  // for contexts and libraries, or a twentieth
constexpr int64_t kLeast = 64 * kMiB;     // without a limit, a device has at least this
constexpr int64_t kMostPinned = 4096 * kMiB;

absl::Status NoDriver(absl::string_view why) {
  return Unavailable("there is no NVIDIA driver (", why, "): install it to use the machine's GPUs");
}

// Called before the first call of the runtime, which takes time and memory even without a driver.
absl::Status FindDriver() {
  if (sluice_cuda_needs_no_driver != nullptr) return absl::OkStatus();
  // Stays open, for the runtime.
  return dlopen("libcuda.so.1", RTLD_LAZY) != nullptr ? absl::OkStatus() : NoDriver(dlerror());
}

std::string Version(int version) { return Cat(version / 1000, ".", version % 1000 / 10); }

absl::StatusOr<int> CountGpus() {
  int count = 0;
  int driver = 0;
  if (cudaDriverGetVersion(&driver) == cudaSuccess && driver == 0) return NoDriver("not loaded");
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error == cudaSuccess && count > 0) return count;
  (void)cudaGetLastError();
  if (error == cudaErrorInsufficientDriver) {
    return Unavailable("the NVIDIA driver is for CUDA ", Version(driver), ", this build requires ",
                       Version(CUDART_VERSION), ": update the driver");
  }
  return ToStatus(error == cudaSuccess ? cudaErrorNoDevice : error, "counting the GPUs");
}

int64_t PinnedLimit(const GpuOptions& options) {
  if (options.pinned_limit > 0) return options.pinned_limit;
  const int64_t memory = sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
  return std::min(kMostPinned, memory / 8);
}

absl::StatusOr<int64_t> MemoryLimit(const GpuOptions& options) {
  size_t free_bytes = 0, total_bytes = 0;
  SLUICE_RETURN_IF_ERROR(
      ToStatus(cudaMemGetInfo(&free_bytes, &total_bytes), "asking for the free memory"));
  const int64_t free = static_cast<int64_t>(free_bytes), total = static_cast<int64_t>(total_bytes);
  if (options.memory_limit > total) {
    return InvalidArgument("GPU memory limit ", options.memory_limit, " exceeds the GPU's ", total,
                           " bytes");
  }
  if (options.memory_limit == 0 && options.memory_fraction == 0) {
    const int64_t limit = free - std::max(kReserve, free / 20);
    if (limit >= kLeast) return limit;
    return Unavailable("only ", free, " of its ", total,
                       " bytes are free: end other processes that use it, or set a memory limit");
  }
  int64_t limit = options.memory_limit > 0 ? options.memory_limit : total;
  if (options.memory_fraction > 0)
    limit =
        std::min(limit, static_cast<int64_t>(options.memory_fraction * static_cast<double>(total)));
  return limit;
}

// The description has TensorFlow's text.
absl::Status Describe(int ordinal, int index, DeviceAttributes& attributes) {
  cudaDeviceProp properties = {};
  SLUICE_RETURN_IF_ERROR(
      ToStatus(cudaGetDeviceProperties(&properties, ordinal), "asking for its properties"));
  char bus[32] = {};
  SLUICE_RETURN_IF_ERROR(
      ToStatus(cudaDeviceGetPCIBusId(bus, sizeof(bus), ordinal), "asking for its bus id"));
  const std::string bus_id = absl::AsciiStrToLower(bus);
  attributes.description =
      Cat("device: ", index, ", name: ", properties.name, ", pci bus id: ", bus_id,
          ", compute capability: ", properties.major, ".", properties.minor);
  attributes.numa_node = cuda::NumaNode(bus_id);
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<Device>> CreateGpu(const GpuOptions& options, int ordinal, int index,
                                                  absl::string_view task,
                                                  RefPtr<cuda::PinnedMemory>& pinned,
                                                  WorkQueue* pool) {
  SLUICE_RETURN_IF_ERROR(ToStatus(cudaSetDevice(ordinal), "choosing it"));
  cuda::CudaDeviceOptions device;
  device.attributes.name = Cat(task, "/device:GPU:", index);
  device.attributes.type = "GPU";
  SLUICE_RETURN_IF_ERROR(Describe(ordinal, index, device.attributes));
  SLUICE_ASSIGN(device.attributes.memory_limit, MemoryLimit(options));
  device.ordinal = ordinal;
  device.allow_growth = options.allow_growth;
  device.blocking = options.blocking;
  device.on_lost = options.on_lost;
  if (!pinned) {
    pinned = MakeRefCounted<cuda::PinnedMemory>(ordinal, static_cast<size_t>(PinnedLimit(options)));
  }
  device.pinned = pinned;
  device.pool = pool;
  return cuda::CreateCudaDevice(std::move(device));
}

absl::StatusOr<std::vector<int>> WantedGpus(const GpuOptions& options, int count) {
  std::vector<int> wanted;
  if (options.listed()) {
    wanted = VisibleGpus(options);
  } else {
    for (int i = 0; i < count; ++i) wanted.push_back(i);
  }
  for (int gpu : wanted) {
    if (gpu >= count) {
      return InvalidArgument("there is no GPU ", gpu, ": the driver shows ", count,
                             ", counted from 0");
    }
  }
  if (options.most >= 0 && wanted.size() > static_cast<size_t>(options.most))
    wanted.resize(static_cast<size_t>(options.most));
  return wanted;
}

}  // namespace

absl::StatusOr<std::vector<std::unique_ptr<Device>>> CreateGpuDevices(const GpuOptions& options,
                                                                      absl::string_view task_name,
                                                                      WorkQueue* pool) {
  SLUICE_RETURN_IF_ERROR(CheckGpuOptions(options));
  std::vector<std::unique_ptr<Device>> devices;
  if (options.visible == "none" || options.most == 0) return devices;
  cuda::SetLibraryPath(options.libraries);
  SLUICE_RETURN_IF_ERROR(FindDriver());
  SLUICE_ASSIGN(const int count, CountGpus());
  SLUICE_ASSIGN(const std::vector<int> wanted, WantedGpus(options, count));
  RefPtr<cuda::PinnedMemory> pinned;
  absl::Status failure;
  for (int ordinal : wanted) {
    auto device =
        CreateGpu(options, ordinal, static_cast<int>(devices.size()), task_name, pinned, pool);
    if (device.ok()) {
      devices.push_back(*std::move(device));
      continue;
    }
    const absl::Status status = Annotate(device.status(), Cat("GPU ", ordinal));
    if (options.listed() || absl::IsInvalidArgument(status)) return status;
    Log(LogLevel::kWarning, "not used: ", status.message());
    failure.Update(status);
  }
  if (devices.empty() && !failure.ok()) return failure;
  return devices;
}

int cuda::NumaNode(const std::string& bus_id, const std::string& folder) {
  std::ifstream file(Cat(folder, "/", bus_id, "/numa_node"));
  int node = -1;
  file >> node;
  return std::max(0, node);
}

}  // namespace sluice
