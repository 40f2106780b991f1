// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "core/runtime/device.h"

namespace sluice {
namespace {

class CpuDevice final : public Device {
 public:
  CpuDevice(DeviceAttributes attributes, WorkQueue* pool)
      : Device(std::move(attributes)), pool_(pool) {}
  Allocator& allocator() const override { return CpuAllocator(); }
  WorkQueue* pool() const override { return pool_; }

 private:
  WorkQueue* const pool_;  // the server's; outlives its devices
};

}  // namespace

std::unique_ptr<Device> CreateCpuDevice(std::string full_name, WorkQueue* pool) {
  DeviceAttributes attributes;
  attributes.name = std::move(full_name);
  return std::make_unique<CpuDevice>(std::move(attributes), pool);
}

}  // namespace sluice
