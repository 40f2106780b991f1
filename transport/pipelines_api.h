// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_PIPELINES_API_H_
#define SLUICE_TRANSPORT_PIPELINES_API_H_

#include <vector>

#include "core/runtime/pipelines.h"
#include "transport/worker_api.h"

namespace sluice::transport {

// What the data sets of a task do. The PipelinesApi in this process and one behind gRPC look the
// same.
//
// Threads:  any. Replies must not block.
// Errors:   kUnavailable names the task if it cannot be reached.
class PipelinesApi {
 public:
  virtual ~PipelinesApi() = default;
  virtual void ListPipelines(const CallOptions& options,
                             Reply<std::vector<PipelineReport>> done) = 0;
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_PIPELINES_API_H_
