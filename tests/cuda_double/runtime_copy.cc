// SPDX-License-Identifier: Apache-2.0
// The runtime's functions that copy and set memory. As with NVIDIA's library, a copy from pinned
// memory reads when the stream comes to it; pageable memory is read before the call returns, and a
// copy to it returns when it is done.
#include <cuda_runtime_api.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "tests/cuda_double/launches.h"
#include "tests/cuda_double/machine.h"
#include "tests/cuda_double/stream.h"

namespace sluice::cuda_double {
namespace {

// Rows of `width` bytes.
struct Rows {
  unsigned char* start;
  size_t pitch;

  size_t Extent(size_t width, size_t height) const { return pitch * (height - 1) + width; }
};

enum class Place { kDevice, kPinned, kPageable };
constexpr const char* kPlaceNames[] = {"device memory", "pinned memory", "pageable memory"};

struct Copy {
  Rows to, from;
  size_t width, height;
  Place to_place, from_place;
  std::vector<unsigned char> staged;  // instead of pageable memory

  void Run() const {
    for (size_t row = 0; row < height; ++row)
      std::memcpy(to.start + row * to.pitch, from.start + row * from.pitch, width);
  }
};

// False: memory of a device that is not allocated.
bool Locate(const Rows& rows, size_t extent, Place* place) {
  Machine& machine = Machine::Get();
  if (machine.DeviceOf(rows.start) >= 0) {
    *place = Place::kDevice;
    return machine.IsLive(rows.start, extent);
  }
  *place = machine.pinned.Holds(rows.start, extent) ? Place::kPinned : Place::kPageable;
  return true;
}

bool FitsKind(const Copy& copy, cudaMemcpyKind kind) {
  const bool to_device = copy.to_place == Place::kDevice;
  const bool from_device = copy.from_place == Place::kDevice;
  switch (kind) {
    case cudaMemcpyHostToHost:
      return !to_device && !from_device;
    case cudaMemcpyHostToDevice:
      return to_device && !from_device;
    case cudaMemcpyDeviceToHost:
      return !to_device && from_device;
    case cudaMemcpyDeviceToDevice:
      return to_device && from_device;
    case cudaMemcpyDefault:
      return true;
  }
  return false;
}

// Checks again when the stream comes to the copy: what was freed meanwhile is a fault.
bool StillThere(const Rows& rows, size_t extent, Place place, int device) {
  if (place == Place::kPageable) return true;
  Machine& machine = Machine::Get();
  const bool there = place == Place::kDevice ? machine.IsLive(rows.start, extent)
                                             : machine.pinned.Holds(rows.start, extent);
  if (!there)
    machine.Fault(device, cudaErrorIllegalAddress,
                  std::string("a copy uses ") + kPlaceNames[static_cast<int>(place)] +
                      " that was freed before the stream came to it");
  return there;
}

void RunCopy(const Copy& copy, int device) {
  Machine& machine = Machine::Get();
  if (machine.device(device).sticky.load() != cudaSuccess) return;
  if (StillThere(copy.to, copy.to.Extent(copy.width, copy.height), copy.to_place, device) &&
      StillThere(copy.from, copy.from.Extent(copy.width, copy.height), copy.from_place, device))
    copy.Run();
}

void Stage(Copy* copy) {
  copy->staged.resize(copy->width * copy->height);
  Copy out = *copy;
  out.to = {copy->staged.data(), copy->width};
  out.Run();
  copy->from = out.to;
}

cudaError_t Enqueue(Rows to, Rows from, size_t width, size_t height, cudaMemcpyKind kind,
                    const StreamRef& stream) {
  if (!stream) return cudaErrorInvalidResourceHandle;
  CountCopy();
  if (width == 0 || height == 0) return cudaSuccess;
  if (!to.start || !from.start || to.pitch < width || from.pitch < width)
    return cudaErrorInvalidValue;
  auto copy = std::make_shared<Copy>(Copy{to, from, width, height, {}, {}, {}});
  if (!Locate(to, to.Extent(width, height), &copy->to_place) ||
      !Locate(from, from.Extent(width, height), &copy->from_place))
    return cudaErrorInvalidValue;
  if (!FitsKind(*copy, kind)) return cudaErrorInvalidMemcpyDirection;
  if (copy->from_place == Place::kPageable) Stage(copy.get());
  stream->Put([copy](Stream& self) { RunCopy(*copy, self.device()); });
  if (copy->to_place == Place::kPageable) stream->Wait();
  return Machine::Get().device(stream->device()).sticky.load();
}

Rows RowsOf(const void* start, size_t pitch) {
  return {static_cast<unsigned char*>(const_cast<void*>(start)), pitch};
}

// Work of the default stream waits for that of the blocking ones.
StreamRef DefaultStream() {
  for (const StreamRef& stream : Handles::Get().StreamsOf(CurrentDevice()))
    if (stream->blocking()) stream->Wait();
  return Handles::Get().Find(cudaStream_t{nullptr});
}

}  // namespace
}  // namespace sluice::cuda_double

using namespace sluice::cuda_double;

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  if (const cudaError_t error = Machine::Get().Begin(Call::kCopy)) return Answer(error);
  return Answer(
      Enqueue(RowsOf(to, bytes), RowsOf(from, bytes), bytes, 1, kind, Handles::Get().Find(stream)));
}

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  if (const cudaError_t error = Machine::Get().Begin(Call::kCopy)) return Answer(error);
  const StreamRef stream = DefaultStream();
  if (const cudaError_t error =
          Enqueue(RowsOf(to, bytes), RowsOf(from, bytes), bytes, 1, kind, stream))
    return Answer(error);
  stream->Wait();
  return Answer(Machine::Get().device(CurrentDevice()).sticky.load());
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  if (const cudaError_t error = Machine::Get().Begin(Call::kCopy)) return Answer(error);
  return Answer(Enqueue(RowsOf(to, to_pitch), RowsOf(from, from_pitch), width, height, kind,
                        Handles::Get().Find(stream)));
}

cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                                size_t bytes, cudaStream_t stream) {
  Machine& machine = Machine::Get();
  if (const cudaError_t error = machine.Begin(Call::kCopy)) return Answer(error);
  if (bytes > 0 && (machine.DeviceOf(to) != to_device || machine.DeviceOf(from) != from_device))
    return Answer(cudaErrorInvalidValue);
  return Answer(Enqueue(RowsOf(to, bytes), RowsOf(from, bytes), bytes, 1, cudaMemcpyDeviceToDevice,
                        Handles::Get().Find(stream)));
}

cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t handle) {
  Machine& machine = Machine::Get();
  if (const cudaError_t error = machine.Begin(Call::kCopy)) return Answer(error);
  const StreamRef stream = Handles::Get().Find(handle);
  if (!stream) return Answer(cudaErrorInvalidResourceHandle);
  CountCopy();
  if (width == 0 || height == 0) return cudaSuccess;
  const Rows rows = RowsOf(pointer, pitch);
  Place place;
  if (!pointer || pitch < width || !Locate(rows, rows.Extent(width, height), &place) ||
      place == Place::kPageable)
    return Answer(cudaErrorInvalidValue);
  stream->Put([=](Stream& self) {
    if (Machine::Get().device(self.device()).sticky.load() != cudaSuccess) return;
    if (!StillThere(rows, rows.Extent(width, height), place, self.device())) return;
    for (size_t row = 0; row < height; ++row)
      std::memset(rows.start + row * rows.pitch, value, width);
  });
  return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void* pointer, int value, size_t bytes, cudaStream_t stream) {
  return cudaMemset2DAsync(pointer, bytes, value, bytes, 1, stream);
}

cudaError_t cudaMemset(void* pointer, int value, size_t bytes) {
  return cudaMemsetAsync(pointer, value, bytes, nullptr);
}
