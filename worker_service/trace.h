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

// The two ends of every cut edge of a partition, by the edge's number.
struct CutEdgeName {
  std::string tensor, from, to;  // "edge_3_w/read", full device names
};
using CutEdgeNames = absl::flat_hash_map<uint64_t, CutEdgeName>;
CutEdgeNames NamesOfCutEdges(const graph::Graph& partition);

// Collects what ran when, for RunMetadata's StepStats: every node, labelled "name = Op(inputs)" as
// TensorFlow's timeline wants it, with the memory its outputs hold; constants, which need not run,
// as if they had taken no time; and every tensor that came from another task, as "RecvTensor".
class StepStatsTrace final : public StepTrace {
 public:
  void NodeRan(const ExecNode& node, const std::string& name, const std::string& op, int device,
               int64_t start_ns, int64_t end_ns, absl::Span<const Slot> outputs) override;
  // REQUIRES: the step has ended. `devices` are the full names by index.
  std::shared_ptr<proto::StepStats> ToProto(const Executable& executable,
                                            const std::vector<std::string>& devices,
                                            const std::vector<Step::Transfer>& transfers,
                                            const CutEdgeNames& edges);

 private:
  struct Output {
    int slot;
    DType dtype;
    Shape shape;
    size_t bytes;
    std::string allocator;
    uintptr_t address;
  };
  struct Event {
    const ExecNode* node;
    std::string name, op;
    int device;
    int64_t start_ns, end_ns;
    uint32_t thread;
    std::vector<Output> outputs;
  };
  static std::vector<Output> Describe(absl::Span<const Slot> outputs);
  static Output Described(int slot, const Tensor& value);
  static void AddOutputs(const std::vector<Output>& outputs, proto::NodeExecStats* node);

  absl::Mutex mu_;
  std::vector<Event> events_ ABSL_GUARDED_BY(mu_);
};

}  // namespace sluice::worker

#endif  // SLUICE_WORKER_SERVICE_TRACE_H_
