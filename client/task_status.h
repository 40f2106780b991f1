// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CLIENT_TASK_STATUS_H_
#define SLUICE_CLIENT_TASK_STATUS_H_

#include <string>

#include "transport/credentials.h"
#include "transport/messages.h"

namespace sluice::client {

// Returns task, version, devices and kernels of the server at `target` ("grpc://host:port" or
// "host:port"). UNAVAILABLE: no server is there; UNAUTHENTICATED: it requires another token;
// FAILED_PRECONDITION: it is a TensorFlow server; UNIMPLEMENTED: it is neither; DEADLINE_EXCEEDED:
// no answer in time.
absl::StatusOr<transport::TaskStatus> DescribeTask(
    const std::string& target, absl::Duration timeout,
    const transport::CredentialFiles& files = transport::CredentialFilesOfEnvironment());

}  // namespace sluice::client

#endif  // SLUICE_CLIENT_TASK_STATUS_H_
