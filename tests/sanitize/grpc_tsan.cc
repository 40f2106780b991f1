// SPDX-License-Identifier: Apache-2.0
// Tells ThreadSanitizer the order that gRPC's completion queues and slices establish.
//
// Debian's gRPC is not built with ThreadSanitizer: an operation that begins on one thread and is
// reported on another passes through atomics that TSan does not see. These definitions override
// those of libgrpc.so, call them, and add the edges: release when an operation begins or a slice is
// made, acquire when the queue reports the tag or the slice is returned. called_from_lib lines in
// tsan.supp exclude the accesses of gRPC's own code; all of ours is checked.
#include <dlfcn.h>
#include <grpc/grpc.h>
#include <grpc/slice.h>
#include <sanitizer/tsan_interface.h>

namespace {

template <class Function>
Function* Real(const char* name) {
  void* found = dlsym(RTLD_NEXT, name);
  if (found == nullptr) __builtin_trap();  // not the gRPC for which this file was written
  return reinterpret_cast<Function*>(found);
}

struct Given {
  void (*destroy)(void*);
  void* user_data;
};

void GiveBack(void* data) {
  Given* const given = static_cast<Given*>(data);
  __tsan_acquire(given);
  given->destroy(given->user_data);
  delete given;
}

}  // namespace

extern "C" {

grpc_call_error grpc_call_start_batch(grpc_call* call, const grpc_op* ops, size_t count, void* tag,
                                      void* reserved) {
  static auto* const real = Real<decltype(grpc_call_start_batch)>("grpc_call_start_batch");
  __tsan_release(tag);
  return real(call, ops, count, tag, reserved);
}

grpc_call_error grpc_server_request_call(grpc_server* server, grpc_call** call,
                                         grpc_call_details* details, grpc_metadata_array* metadata,
                                         grpc_completion_queue* bound,
                                         grpc_completion_queue* notification, void* tag) {
  static auto* const real = Real<decltype(grpc_server_request_call)>("grpc_server_request_call");
  __tsan_release(tag);
  return real(server, call, details, metadata, bound, notification, tag);
}

grpc_event grpc_completion_queue_next(grpc_completion_queue* queue, gpr_timespec deadline,
                                      void* reserved) {
  static auto* const real =
      Real<decltype(grpc_completion_queue_next)>("grpc_completion_queue_next");
  const grpc_event event = real(queue, deadline, reserved);
  if (event.type == GRPC_OP_COMPLETE) __tsan_acquire(event.tag);
  return event;
}

grpc_slice grpc_slice_new_with_user_data(void* data, size_t size, void (*destroy)(void*),
                                         void* user_data) {
  static auto* const real =
      Real<decltype(grpc_slice_new_with_user_data)>("grpc_slice_new_with_user_data");
  Given* const given = new Given{destroy, user_data};
  __tsan_release(given);
  return real(data, size, GiveBack, given);
}

}  // extern "C"
