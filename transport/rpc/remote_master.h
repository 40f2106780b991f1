#ifndef SLUICE_TRANSPORT_RPC_REMOTE_MASTER_H_
#define SLUICE_TRANSPORT_RPC_REMOTE_MASTER_H_

#include <memory>
#include <string>

#include "transport/grpc/target.h"
#include "transport/master_api.h"

namespace sluice::transport {

// A master behind gRPC, with an event loop of its own.
std::unique_ptr<MasterApi> CreateRemoteMaster(const std::string& address, GrpcTarget target);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_RPC_REMOTE_MASTER_H_
