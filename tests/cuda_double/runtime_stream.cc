// SPDX-License-Identifier: Apache-2.0
// The runtime's functions for streams and events.
#include <cuda_runtime_api.h>

#include <chrono>
#include <memory>

#include "tests/cuda_double/machine.h"
#include "tests/cuda_double/stream.h"

namespace sluice::cuda_double {
namespace {

cudaError_t StickyOf(int device) { return Machine::Get().device(device).sticky.load(); }

}  // namespace
}  // namespace sluice::cuda_double

using namespace sluice::cuda_double;

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  if (const cudaError_t error = Machine::Get().Begin(Call::kAllocation)) return Answer(error);
  if (flags & ~unsigned{cudaStreamNonBlocking}) return Answer(cudaErrorInvalidValue);
  Handles& handles = Handles::Get();
  *stream = handles.Add(Stream::Create(CurrentDevice(), !(flags & cudaStreamNonBlocking), priority,
                                       handles.NextNumber()));
  return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return cudaStreamCreateWithPriority(stream, cudaStreamDefault, 0);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (const cudaError_t error = Machine::Get().Begin()) return Answer(error);
  *least = 0;
  *greatest = -5;
  return cudaSuccess;
}

// Work that is in the stream still runs.
cudaError_t cudaStreamDestroy(cudaStream_t handle) {
  const StreamRef stream = Handles::Get().Take(handle);
  if (!stream) return Answer(cudaErrorInvalidResourceHandle);
  stream->Close();
  return Answer(Machine::Get().Begin());
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  if (const cudaError_t error = Machine::Get().Begin(Call::kEvent)) return Answer(error);
  const StreamRef stream = Handles::Get().Find(handle);
  if (!stream) return Answer(cudaErrorInvalidResourceHandle);
  stream->Wait();
  return Answer(StickyOf(stream->device()));
}

cudaError_t cudaStreamQuery(cudaStream_t handle) {
  if (const cudaError_t error = Machine::Get().Begin(Call::kEvent)) return Answer(error);
  const StreamRef stream = Handles::Get().Find(handle);
  if (!stream) return Answer(cudaErrorInvalidResourceHandle);
  if (const cudaError_t error = StickyOf(stream->device())) return Answer(error);
  return stream->idle() ? cudaSuccess : cudaErrorNotReady;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream_handle, cudaEvent_t event_handle, unsigned) {
  if (const cudaError_t error = Machine::Get().Begin(Call::kEvent)) return Answer(error);
  const StreamRef stream = Handles::Get().Find(stream_handle);
  const EventRef event = Handles::Get().Find(event_handle);
  if (!stream || !event) return Answer(cudaErrorInvalidResourceHandle);
  // An event that was not recorded holds nobody up.
  if (const PointRef point = Handles::Get().LastOf(event))
    stream->Put([point](Stream&) { point->Wait(); });
  return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  if (const cudaError_t error = Machine::Get().Begin(Call::kAllocation)) return Answer(error);
  auto made = std::make_shared<Event>();
  made->timing = !(flags & cudaEventDisableTiming);
  made->device = CurrentDevice();
  *event = Handles::Get().Add(std::move(made));
  return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t handle) {
  if (!Handles::Get().Take(handle)) return Answer(cudaErrorInvalidResourceHandle);
  return Answer(Machine::Get().Begin());
}

cudaError_t cudaEventRecord(cudaEvent_t event_handle, cudaStream_t stream_handle) {
  if (const cudaError_t error = Machine::Get().Begin(Call::kEvent)) return Answer(error);
  const EventRef event = Handles::Get().Find(event_handle);
  const StreamRef stream = Handles::Get().Find(stream_handle);
  if (!event || !stream || event->device != stream->device())
    return Answer(cudaErrorInvalidResourceHandle);
  Handles::Get().Record(event, stream->PutPoint());
  return cudaSuccess;
}

cudaError_t cudaEventQuery(cudaEvent_t handle) {
  if (const cudaError_t error = Machine::Get().Begin(Call::kEvent)) return Answer(error);
  const EventRef event = Handles::Get().Find(handle);
  if (!event) return Answer(cudaErrorInvalidResourceHandle);
  if (const cudaError_t error = StickyOf(event->device)) return Answer(error);
  const PointRef point = Handles::Get().LastOf(event);
  return !point || point->passed() ? cudaSuccess : cudaErrorNotReady;
}

cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
  if (const cudaError_t error = Machine::Get().Begin(Call::kEvent)) return Answer(error);
  const EventRef event = Handles::Get().Find(handle);
  if (!event) return Answer(cudaErrorInvalidResourceHandle);
  if (const PointRef point = Handles::Get().LastOf(event)) point->Wait();
  return Answer(StickyOf(event->device));
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start_handle,
                                 cudaEvent_t end_handle) {
  if (const cudaError_t error = Machine::Get().Begin()) return Answer(error);
  const EventRef start = Handles::Get().Find(start_handle);
  const EventRef end = Handles::Get().Find(end_handle);
  if (!start || !end || !start->timing || !end->timing)
    return Answer(cudaErrorInvalidResourceHandle);
  const PointRef from = Handles::Get().LastOf(start), to = Handles::Get().LastOf(end);
  if (!from || !to) return Answer(cudaErrorInvalidResourceHandle);
  if (!from->passed() || !to->passed()) return cudaErrorNotReady;
  *milliseconds = std::chrono::duration<float, std::milli>(to->when() - from->when()).count();
  return cudaSuccess;
}
