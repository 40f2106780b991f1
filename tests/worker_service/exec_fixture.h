// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TESTS_WORKER_SERVICE_EXEC_FIXTURE_H_
#define SLUICE_TESTS_WORKER_SERVICE_EXEC_FIXTURE_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/runtime/device.h"
#include "core/runtime/local_rendezvous.h"
#include "graph/graph.h"
#include "worker_service/executor.h"

namespace sluice::worker {

// How a graph is run; every mode must give the same results.
enum class Mode {
  kNatural,    // as registered
  kAllCheap,   // every kernel declared cheap: the serial executor, unless a kernel finishes
               // later
  kNoneCheap,  // none declared cheap: the shared executor, nodes on the pool
  kAsync,      // on the asynchronous test device
};
std::string Name(Mode mode);

// One device, a pool, and graphs on them, without a Worker.
//
// Some names select a kernel for tests, for any op with one input and one output (Neg): "now..."
// finishes inside Start, "late..." on another thread, "fail..." fails, "hang..." waits until the
// step is cancelled, "count..." counts its runs.
class Bench {
 public:
  static constexpr char kDevice[] = "/job:localhost/replica:0/task:0/device:CPU:0";

  explicit Bench(Mode mode, int threads = 4);
  // REQUIRES: the device has the name kDevice.
  explicit Bench(std::unique_ptr<Device> device, Mode mode = Mode::kNatural, int threads = 4);
  ~Bench();

  absl::StatusOr<std::shared_ptr<const Executable>> Compile(std::unique_ptr<graph::Graph> graph);
  // Made from text; ends the test's program if it does not compile.
  std::shared_ptr<const Executable> Make(absl::string_view text);

  struct Outcome {
    absl::Status status;
    std::vector<Parcel> retvals;
    int on_error_calls = 0;
  };
  // Runs one step, and waits. `retvals`: the number of _Retval indices.
  Outcome Run(const std::shared_ptr<const Executable>& executable, std::vector<Tensor> args = {},
              int retvals = 1, CancelToken* cancel = nullptr);
  // The value of _Retval 0 of a text, as an int32 scalar. The step runs twice: the second run finds
  // the state that the first left.
  int32_t RunInt(absl::string_view text, std::vector<Tensor> args = {});

  Device& device() { return *device_; }
  int counted() const { return counted_.load(); }
  void set_slow(bool slow) { slow_.store(slow); }  // "slow..." kernels take 200 us
  ResourceStore& resources() { return device_->resources(); }

 private:
  absl::StatusOr<std::shared_ptr<const Kernel>> KernelFor(const NodeSpec& node);

  const Mode mode_;
  std::unique_ptr<WorkQueue> pool_;
  std::unique_ptr<WorkQueue> later_;  // where "late" kernels finish
  std::unique_ptr<Device> device_;
  std::atomic<int> counted_{0};
  std::atomic<bool> slow_{false};
  absl::Mutex mu_;
  std::map<std::string, std::shared_ptr<const Kernel>> stateful_ ABSL_GUARDED_BY(mu_);
};

}  // namespace sluice::worker

#endif  // SLUICE_TESTS_WORKER_SERVICE_EXEC_FIXTURE_H_
