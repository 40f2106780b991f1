// SPDX-License-Identifier: Apache-2.0
#include "tests/cuda_double/machine.h"

#include <cstdio>

namespace sluice::cuda_double {
namespace {

constexpr size_t kDefaultBytes = size_t{1} << 30;

}  // namespace

Machine& Machine::Get() {
  static Machine& machine = *[] {
    auto* made = new Machine;
    made->SetDevices(2, kDefaultBytes);
    return made;
  }();
  return machine;
}

void Machine::SetDevices(int count, size_t bytes) {
  devices_.clear();
  for (int i = 0; i < count; ++i) devices_.push_back(std::make_unique<DeviceState>(i, bytes));
}

int Machine::DeviceOf(const void* pointer) const {
  for (size_t i = 0; i < devices_.size(); ++i)
    if (devices_[i]->memory.IsMine(pointer)) return static_cast<int>(i);
  return -1;
}

bool Machine::IsLive(const void* pointer, size_t bytes) const {
  const int device = DeviceOf(pointer);
  return device >= 0 && devices_[static_cast<size_t>(device)]->memory.IsLive(pointer, bytes);
}

cudaError_t Machine::Begin() {
  if (InHostFunction()) return cudaErrorNotPermitted;
  const int driver = settings.driver.load();
  if (driver < CUDART_VERSION / 1000 * 1000) return cudaErrorInsufficientDriver;
  if (devices_.empty()) return cudaErrorNoDevice;
  return device(CurrentDevice() < devices() ? CurrentDevice() : 0).sticky.load();
}

cudaError_t Machine::Count(Injected& kind) {
  return ++kind.calls == kind.at ? kind.error : cudaSuccess;
}

cudaError_t Machine::Begin(Call kind) {
  if (const cudaError_t error = Begin()) return error;
  cudaError_t error;
  {
    std::lock_guard lock(mu_);
    error = Count(injected_[static_cast<int>(kind)]);
    const cudaError_t any = Count(injected_[static_cast<int>(Call::kAny)]);
    if (error == cudaSuccess) error = any;
  }
  if (IsSticky(error)) device(CurrentDevice()).sticky = error;
  return error;
}

cudaError_t Machine::BeginRun() {
  std::lock_guard lock(mu_);
  return Count(injected_[static_cast<int>(Call::kRun)]);
}

void Machine::FailCall(Call kind, int64_t k, cudaError_t error) {
  std::lock_guard lock(mu_);
  injected_[static_cast<int>(kind)] = {0, k, error};
}

int64_t Machine::calls(Call kind) {
  std::lock_guard lock(mu_);
  return injected_[static_cast<int>(kind)].calls;
}

void Machine::ForgetCalls() {
  std::lock_guard lock(mu_);
  for (Injected& kind : injected_) kind = {};
}

void Machine::Fault(int ordinal, cudaError_t error, const std::string& what) {
  std::fprintf(stderr, "cuda double: device %d: %s\n", ordinal, what.c_str());
  cudaError_t none = cudaSuccess;
  device(ordinal).sticky.compare_exchange_strong(none, error);
  std::lock_guard lock(mu_);
  reports_.push_back(what);
}

std::vector<std::string> Machine::reports() {
  std::lock_guard lock(mu_);
  return reports_;
}

void Machine::ForgetReports() {
  std::lock_guard lock(mu_);
  reports_.clear();
}

int& CurrentDevice() {
  thread_local int device = 0;
  return device;
}

bool& InHostFunction() {
  thread_local bool in = false;
  return in;
}

bool IsSticky(cudaError_t error) {
  switch (error) {
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorContextIsDestroyed:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
    case cudaErrorMpsClientTerminated:
    case cudaErrorExternalDevice:
    case cudaErrorContained:
      return true;
    default:
      return false;
  }
}

}  // namespace sluice::cuda_double
