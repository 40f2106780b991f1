#ifndef SLUICE_TRANSPORT_GRPC_REMOTE_MASTER_H_
#define SLUICE_TRANSPORT_GRPC_REMOTE_MASTER_H_

#include <memory>
#include <string>

#include "transport/master_api.h"

namespace grpc {
class Channel;
}

namespace sluice::transport {

// A master behind gRPC, with an event loop of its own.
std::unique_ptr<MasterApi> CreateRemoteMaster(const std::string& address,
                                              std::shared_ptr<grpc::Channel> channel);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_GRPC_REMOTE_MASTER_H_
