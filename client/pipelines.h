// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CLIENT_PIPELINES_H_
#define SLUICE_CLIENT_PIPELINES_H_

#include <string>
#include <vector>

#include "core/runtime/pipelines.h"
#include "transport/credentials.h"

namespace sluice::client {

// What the data sets of the server at `target` ("grpc://host:port" or "host:port") do. The errors
// are those of DescribeTask; UNIMPLEMENTED: an older server.
absl::StatusOr<std::vector<PipelineReport>> ListPipelines(
    const std::string& target, absl::Duration timeout,
    const transport::CredentialFiles& files = transport::CredentialFilesOfEnvironment());

}  // namespace sluice::client

#endif  // SLUICE_CLIENT_PIPELINES_H_
