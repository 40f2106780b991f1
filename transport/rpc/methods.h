#ifndef SLUICE_TRANSPORT_RPC_METHODS_H_
#define SLUICE_TRANSPORT_RPC_METHODS_H_

#include <functional>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/any_invocable.h"
#include "transport/handshake.h"
#include "transport/master_api.h"
#include "transport/worker_api.h"

namespace grpc {
class ByteBuffer;
}

namespace sluice::transport {

// The unary calls a task answers, by path: decode, call the master or the worker, encode.
//
// Threads:  any.
class Methods {
 public:
  using Answer = absl::AnyInvocable<void(absl::StatusOr<grpc::ByteBuffer>)>;
  // True for a non-zero request id that was seen before.
  using Repeated = std::function<bool(int64_t)>;

  // The arguments outlive it. `handshake` null: this task does not answer handshakes.
  Methods(MasterApi* master, WorkerApi* worker, HandshakeApi* handshake, Repeated repeated);
  // UNIMPLEMENTED names an unknown path.
  void Handle(const std::string& path, const grpc::ByteBuffer& request, const CallOptions& options,
              Answer answer) const;

 private:
  using Method = std::function<void(const grpc::ByteBuffer&, const CallOptions&, Answer)>;
  void AddMasterMethods();
  void AddWorkerMethods();
  void AddTransportMethods(HandshakeApi* handshake);

  MasterApi* const master_;
  WorkerApi* const worker_;
  const Repeated repeated_;
  absl::flat_hash_map<std::string, Method> methods_;  // constant after construction
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_RPC_METHODS_H_
