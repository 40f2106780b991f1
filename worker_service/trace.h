// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_WORKER_SERVICE_TRACE_H_
#define SLUICE_WORKER_SERVICE_TRACE_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "worker_service/executor.h"
#include "worker_service/step.h"

namespace sluice::graph {
class Graph;
}
namespace sluice::proto {
class NodeExecStats;
class StepStats;
}  // namespace sluice::proto

namespace sluice::worker {

// The two ends of a cut edge.
struct CutEdgeName {
  std::string tensor, from, to;  // "edge_3_w/read", full device names
};
// Names for a trace that the partition's executable does not have.
struct TraceNames {
  struct Input {
    uint32_t node;  // index in the executable
    int output;     // graph::kControl: a control edge
  };
  absl::flat_hash_map<uint64_t, CutEdgeName> edges;
  std::vector<std::vector<Input>> inputs;  // by node: data edges in order, then control edges
};
TraceNames NamesForTraces(const graph::Graph& partition);

// Collects the events of a step for RunMetadata's StepStats. It has every node, once for each run,
// labelled "name = Op(inputs)" as TensorFlow's timeline requires it, with its outputs and the
// memory allocated for them. It has constants, which do not run, with zero time (in a loop once per
// iteration), and every tensor from another task, as "RecvTensor".
class StepStatsTrace final : public StepTrace {
 public:
  void NodeRan(const ExecNode& node, const std::string& name, const std::string& op, int device,
               const NodeRun& run) override;
  // REQUIRES: the step has ended. `devices` are the full names by index.
  std::shared_ptr<proto::StepStats> ToProto(const Executable& executable,
                                            const std::vector<std::string>& devices,
                                            const std::vector<Step::Transfer>& transfers,
                                            const TraceNames& names);

  struct Output {
    int slot;
    DType dtype;
    Shape shape;
    size_t bytes;
    std::string allocator;
    uintptr_t address;
    bool allocated;  // by the node: not forwarded, and not written in an input's place
  };
  struct Event {
    const ExecNode* node;
    std::string name, op;
    bool keeps_output;
    int device;
    int64_t start_ns, end_ns;
    uint32_t thread;
    std::vector<Output> outputs;
    size_t temporary_bytes;
  };

 private:
  absl::Mutex mu_;
  std::vector<Event> events_ ABSL_GUARDED_BY(mu_);
};

}  // namespace sluice::worker

#endif  // SLUICE_WORKER_SERVICE_TRACE_H_
