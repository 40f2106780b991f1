// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_WORKER_SERVICE_EXECUTABLE_H_
#define SLUICE_WORKER_SERVICE_EXECUTABLE_H_

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "core/runtime/argument_memory.h"
#include "core/runtime/function_caller.h"
#include "core/runtime/kernel.h"
#include "core/runtime/kernel_registry.h"
#include "graph/graph.h"

namespace sluice::worker {

// The treatment of a node. The executor handles all kinds except kCompute and kTransfer itself,
// without a kernel.
enum class NodeKind : uint8_t {
  kCompute,
  kForward,  // Identity, LoopCond and other nodes that move one slot
  kNoOp,
  kSwitch,
  kMerge,
  kEnter,
  kExit,
  kNextIteration,
  kTransfer,        // sends and receives also run for dead values, to pass deadness on
  kControlTrigger,  // is live even if its inputs are dead
};

// One node. Slots and states are numbered within the node's static frame.
struct ExecNode {
  const Kernel* kernel = nullptr;
  uint32_t first_slot = 0;
  uint32_t num_inputs = 0;
  uint32_t num_outputs = 0;
  uint32_t state = 0;
  uint32_t first_edge = 0, end_edge = 0;  // into Executable::edges
  uint32_t first_type = 0;                // into Executable::types: input types, then output types
  uint32_t frame = 0;
  uint32_t entered_frame = 0;  // kEnter
  uint32_t strand = 0;         // the strand that begins here; 0: none
  uint32_t first_on_host = 0;  // into Executable::on_host, by output; 0: none is there
  uint16_t device = 0;
  NodeKind kind = NodeKind::kCompute;
  bool cheap = false;
  bool asynchronous = false;
  // some input edge carries a reference, which is checked before the node runs
  bool takes_refs = false;
  bool allows_uninitialized = false;
  // Also for its value inputs: a variable without a value arrives as a tensor without a buffer.
  bool reads_uninitialized = false;
  bool constant_enter = false;
  bool has_presets = false;   // for some of its inputs
  bool keeps_output = false;  // its memory is kept across steps: a constant or a variable
  bool own_memory = false;    // the host may not read its device's memory
  bool all_on_host = false;   // but all its arguments are in host memory
  // Its kernel may change a variable or a table, and runs to its end, so that no change is half
  // done when the step is cancelled.
  bool changes_state = false;
};

struct ExecEdge {
  static constexpr uint32_t kNoSlot = ~0u;
  uint32_t node;
  uint32_t slot;  // kNoSlot: control
  uint32_t output;
  bool last;          // last use of this output: the value may be moved
  bool sole = false;  // no other edge makes `node` ready, so its state word is not used
};

// Nodes that run one after the other as one (strands.h), stored at the first of them.
struct Strand {
  uint32_t first, end;  // into Executable::strand_nodes
};
struct StrandNode {
  uint32_t node;
  uint32_t first_take, end_take;  // into Executable::strand_takes: the sources of its inputs
  uint32_t clears;                // bit mask of the inputs that no later node of the strand reads
  bool in_place;  // runs in its own slots, which hold constants; otherwise in the strand's
};
// An input of a node of a strand.
struct StrandTake {
  static constexpr uint16_t kFromBefore = 0xffff;
  uint16_t input;
  uint16_t source;  // an input of the first node, or the output of the previous node
  bool last;        // the value may be moved
  bool kept;        // it is already there, unless the previous kernel moved it
};

// A value that stays in its consumer's slot across steps: Const nodes do not run.
struct Preset {
  uint32_t slot;
  uint32_t constant;  // the Const node of this value
  Tensor value;
};

// A static frame: the root, or a while loop.
struct FrameInfo {
  std::string name;
  uint64_t name_hash = 0;
  uint32_t parent = 0;
  uint32_t num_enters = 0;
  int parallel_iterations = 10;
  bool has_merges = false;
  uint32_t num_slots = 0;
  std::vector<uint64_t> initial_states;  // by state index
  std::vector<Preset> presets;
  static constexpr uint32_t kNoPreset = ~0u;
  std::vector<uint32_t> preset_of;  // by slot
};

// About 5 us in ticks of the processor's clock. For shorter work, handing over to the pool costs
// more than it gains.
constexpr uint32_t kExpensiveTicks = 12'000;

class ExecutionScratch;  // executor.h

// A task's partition compiled to flat arrays, with its kernels.
//
// Owner:    Worker; shared by running steps.
// Threads:  immutable, except for the cost estimates and the cache of scratch memory.
class Executable {
 public:
  struct Options {
    // Makes the kernel of a node, or finds it: stateful kernels live as long as their session.
    std::function<absl::StatusOr<std::shared_ptr<const Kernel>>(const NodeSpec&)> kernel;
    std::function<bool(const NodeSpec&)> cheap;
    std::function<absl::StatusOr<int>(const std::string& device)>
        device;                                  // index of a device by its full name
    std::function<bool(int device)> own_memory;  // the host may not read the device's memory
    // The memory of a node on a device with its own memory; null: all arguments are in that memory.
    std::function<ArgumentsOnHost(const NodeSpec&)> on_host;
    // The value of a Const in the memory of its device; null: on the host. Called at compile time.
    std::function<absl::StatusOr<Tensor>(const Tensor& value, int device)> upload;
    std::shared_ptr<FunctionCaller> functions;  // for kernels that call functions; may be null
  };
  // UNIMPLEMENTED names an op without a kernel, NOT_FOUND an unknown op.
  static absl::StatusOr<std::shared_ptr<const Executable>> Compile(const graph::Graph& graph,
                                                                   const Options& options);
  ~Executable();

  std::vector<ExecNode> nodes;
  std::vector<ExecEdge> edges;  // by node; edges after its end_edge are internal to a strand
  std::vector<DType> types;
  std::vector<uint8_t> on_host = {0};   // outputs of nodes, see ExecNode::first_on_host
  std::vector<int> own_memory_devices;  // devices of the nodes whose memory the host may not read
  std::vector<FrameInfo> frames;        // [0] is the root
  std::vector<uint32_t> roots;          // nodes that are ready at the start
  std::vector<Strand> strands;          // [0] is none
  std::vector<StrandNode> strand_nodes;
  std::vector<StrandTake> strand_takes;
  std::vector<std::string> names, ops,
      device_names;  // names and ops by node; device_names by the nodes' device index
  uint32_t max_outputs = 0;
  uint32_t max_strand_inputs = 0;
  std::shared_ptr<FunctionCaller> functions;  // null if the graph has none
  bool serial = false;  // all kernels are cheap and synchronous: one thread, no atomics
  mutable std::vector<std::atomic<uint32_t>>
      costs;  // running mean of a node's ticks; decides inline or pool

  // Whether a step now runs on one thread: `serial`, or no kernel waits and all were measured as
  // small.
  bool RunsSerially() const { return serial || learned_serial_.load(std::memory_order_relaxed); }
  // Checks the measurements from time to time. Call it after a run on several threads.
  void Learn() const;
  void FoundExpensive() const { learned_serial_.store(false, std::memory_order_relaxed); }

  // The memory of an earlier execution of that kind, or null if none is kept.
  std::unique_ptr<ExecutionScratch> TakeScratch(bool serially) const;
  void KeepScratch(std::unique_ptr<ExecutionScratch> scratch, bool serially) const;

 private:
  Executable();
  friend class Compiler;
  std::vector<std::shared_ptr<const Kernel>> kernels_;
  mutable absl::Mutex mu_;
  bool may_learn_ = false;  // no kernel waits, and the host can measure all of them
  mutable std::atomic<bool> learned_serial_{false};
  mutable std::atomic<uint32_t> shared_runs_{0};
  mutable std::vector<std::unique_ptr<ExecutionScratch>> scratch_[2] ABSL_GUARDED_BY(
      mu_);  // index 0: shared, 1: serial
};

// State word of a node in one iteration. Plain node: missing inputs in the low half, dead inputs in
// the high half. Merge: missing control inputs low; dead data inputs from bit 32; two flags at the
// top.
constexpr uint64_t kDeadOne = uint64_t{1} << 32;
constexpr uint64_t kMergeClaimed = uint64_t{1} << 63;  // a live input took the merge
constexpr uint64_t kMergeLive = uint64_t{1} << 62;     // and its value is in its slot
constexpr uint32_t PendingOf(uint64_t state) { return static_cast<uint32_t>(state); }
constexpr uint32_t DeadOf(uint64_t state) {
  return static_cast<uint32_t>(state >> 32) & 0x3fffffff;
}

}  // namespace sluice::worker

#endif  // SLUICE_WORKER_SERVICE_EXECUTABLE_H_
