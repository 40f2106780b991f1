#ifndef SLUICE_CLIENT_ROADS_H_
#define SLUICE_CLIENT_ROADS_H_

#include <string>

#include "transport/credentials.h"
#include "transport/introducer.h"

namespace sluice::client {

// By which road the task at `target` ("grpc://host:port" or "host:port") sends tensors to each of
// its peers; where it has not sent any yet, it chooses now. UNAVAILABLE: nobody is there;
// UNAUTHENTICATED: it wants another token; UNIMPLEMENTED: whoever is there knows no roads;
// DEADLINE_EXCEEDED: no answer in time.
absl::StatusOr<transport::TaskRoads> ListRoads(
    const std::string& target, absl::Duration timeout,
    const transport::CredentialFiles& files = transport::CredentialFilesOfEnvironment());

}  // namespace sluice::client

#endif  // SLUICE_CLIENT_ROADS_H_
