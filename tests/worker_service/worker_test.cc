// SPDX-License-Identifier: Apache-2.0
#include "worker_service/worker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <thread>

#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "core/runtime/argument_memory.h"
#include "graph/all_ops.h"
#include "graph/import.h"
#include "graph/partition.h"
#include "kernels/register.h"
#include "proto/graph.pb.h"
#include "tests/graph/graph_text.h"
#include "tests/worker_service/wire.h"

namespace sluice::worker {
namespace {

using testing::Each;
using testing::HasSubstr;
using transport::RunGraph;
using transport::RunGraphResult;

constexpr char kPs[] = "/job:ps/replica:0/task:0";
constexpr char kW[] = "/job:w/replica:0/task:0";
constexpr uint64_t kMaster = 7;

// One worker, called as a master calls it; each call waits.
class Task {
 public:
  explicit Task(const std::string& name, Wire* wire = nullptr,
                absl::Duration lease = absl::Seconds(60))
      : Task(name, wire != nullptr ? wire->ConnectorOf(name) : nullptr, lease) {}
  Task(const std::string& name, std::unique_ptr<transport::Connector> connector,
       absl::Duration lease = absl::Seconds(60))
      : connector_(std::move(connector)) {
    Worker::Options options;
    options.task = name;
    options.version = "test";
    options.devices.push_back(CreateCpuDevice(absl::StrCat(name, "/device:CPU:0"), nullptr));
    options.kernels = kernels::AllKernels();
    options.ops = &graph::AllOps();
    options.pool = pool_.get();
    for (const char* peer : {kPs, kW}) {
      if (peer != name) options.peers.push_back({peer, "nowhere:1"});
    }
    options.connector = connector_.get();
    options.lease = lease;
    worker_ = std::make_unique<Worker>(std::move(options));
    if (connector_ != nullptr) connector_->Attach(worker_.get());
  }

  Worker& worker() { return *worker_; }
  void Destroy() { worker_.reset(); }

  void Open(const std::string& session, bool isolated = false) {
    worker_->CreateSession({session, isolated, kMaster, kPs}, {},
                           [](const absl::Status& s) { EXPECT_TRUE(s.ok()) << s; });
  }

  absl::StatusOr<uint64_t> Register(const std::string& session, const graph::Graph& graph) {
    auto def = std::make_shared<proto::GraphDef>();
    EXPECT_TRUE(graph::Export(graph, def.get()).ok());
    absl::StatusOr<uint64_t> handle;
    worker_->Register({session, def}, {},
                      [&](absl::StatusOr<uint64_t> h) { handle = std::move(h); });
    return handle;
  }
  // A graph of only this task: every node is on its device.
  uint64_t Register(const std::string& session, absl::string_view text) {
    auto graph = graph::FromText(text);
    for (graph::Node* node : graph->nodes()) node->device = worker_->devices()[0]->name();
    auto handle = Register(session, *graph);
    EXPECT_TRUE(handle.ok()) << handle.status();
    return handle.value_or(0);
  }

  // A run in progress.
  struct Running {
    absl::Notification ended;
    absl::StatusOr<RunGraphResult> result;
    CancelToken cancel;
    absl::StatusOr<RunGraphResult> Wait() {
      ended.WaitForNotification();
      return result;
    }
  };
  std::shared_ptr<Running> Start(RunGraph run) {
    auto running = std::make_shared<Running>();
    transport::CallOptions options;
    options.cancel = &running->cancel;
    worker_->Run(std::move(run), options, [running](absl::StatusOr<RunGraphResult> result) {
      running->result = std::move(result);
      running->ended.Notify();
    });
    return running;
  }
  std::shared_ptr<Running> Start(const std::string& session, uint64_t graph, uint64_t step,
                                 std::vector<Tensor> args = {}) {
    RunGraph run;
    run.session = session;
    run.graph = graph;
    run.step = {kMaster, step};
    run.args = std::move(args);
    run.num_retvals = 1;
    return Start(std::move(run));
  }
  absl::StatusOr<Tensor> Run(const std::string& session, uint64_t graph,
                             std::vector<Tensor> args = {}) {
    auto running = Start(session, graph, next_step_++, std::move(args));
    auto result = running->Wait();
    if (!result.ok()) return result.status();
    return result->retvals[0].tensor;
  }

 private:
  std::unique_ptr<WorkQueue> pool_ = CreateThreadPool(2, "inter-op");
  std::unique_ptr<transport::Connector> connector_;
  std::unique_ptr<Worker> worker_;
  uint64_t next_step_ = 1;
};

Tensor Int(int32_t value) { return Tensor::Scalar<int32_t>(value); }

TEST(WorkerTest, ReportsItsIdentity) {
  Task task(kW);
  task.worker().GetStatus({}, [](absl::StatusOr<transport::TaskStatus> status) {
    ASSERT_TRUE(status.ok());
    EXPECT_EQ(status->task, kW);
    ASSERT_EQ(status->devices.size(), 1u);
    EXPECT_EQ(status->devices[0].name, absl::StrCat(kW, "/device:CPU:0"));
    EXPECT_NE(status->devices[0].incarnation, 0u);
    EXPECT_TRUE(status->kernels->HasOp("MatMul"));
  });
}

TEST(WorkerTest, UnknownSessionsGraphsAndStepsAreAborted) {
  Task task(kW);
  task.Open("s");
  const uint64_t graph = task.Register("s", "a = Const(1) ; r = _Retval[index=0](a)");
  auto no_session = task.Run("t", graph).status();
  EXPECT_EQ(no_session.code(), absl::StatusCode::kAborted) << no_session;
  EXPECT_THAT(std::string(no_session.message()), HasSubstr(kW));
  EXPECT_EQ(task.Run("s", graph + 1).status().code(), absl::StatusCode::kAborted);
  EXPECT_EQ(task.Register("t", *graph::FromText("a = Const(1)")).status().code(),
            absl::StatusCode::kAborted);
  ASSERT_TRUE(task.Start("s", graph, 100)->Wait().ok());
  EXPECT_EQ(task.Start("s", graph, 100)->Wait().status().code(), absl::StatusCode::kAborted)
      << "the step has ended";
  task.worker().DeleteSession("s", {}, [](const absl::Status& s) { EXPECT_TRUE(s.ok()); });
  EXPECT_EQ(task.Run("s", graph).status().code(), absl::StatusCode::kAborted);
}

TEST(WorkerTest, RefusesGraphsThatCannotBe) {
  Task task(kW);
  task.Open("s");
  auto elsewhere = graph::FromText("a = Const(1) @@ps:0");
  EXPECT_EQ(task.Register("s", *elsewhere).status().code(), absl::StatusCode::kInvalidArgument);
  auto unknown = graph::FromText("a = NoSuchOp @@w:0");
  EXPECT_EQ(task.Register("s", *unknown).status().code(), absl::StatusCode::kNotFound);
}

// The interfaces of these ops do not say that the types of inputs and outputs agree.
TEST(WorkerTest, RefusesNodesWhoseOutputsAreNotTheirInputs) {
  Task task(kW);
  task.Open("s");
  for (const char* text :
       {"a = Const(1) @@w:0 ; l = _ListToArray[Tin=[int32], T=string, N=1](a) @@w:0",
        "a = Const(1) @@w:0 ; l = _ArrayToList[T=int32, N=1, out_types=[int32, int32]](a) "
        "@@w:0"}) {
    const absl::Status status = task.Register("s", *graph::FromText(text)).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << text << ": " << status;
  }
}

// --- state ---

constexpr char kRandom[] =
    "s = Const([2]) ; u = RandomUniform[seed=1, seed2=2, dtype=float](s) ; r = _Retval[index=0](u)";

TEST(WorkerTest, SignaturesOfASessionShareStatefulKernels) {
  Task task(kW);
  task.Open("s");
  task.Open("t");
  const uint64_t one = task.Register("s", kRandom), two = task.Register("s", kRandom),
                 other = task.Register("t", kRandom);
  const float first = task.Run("s", one)->data<float>()[0];
  const float second = task.Run("s", two)->data<float>()[0];
  EXPECT_NE(first, second) << "the second signature goes on where the first was";
  EXPECT_EQ(task.Run("t", other)->data<float>()[0], first) << "another session begins anew";
  EXPECT_EQ(task.Run("t", other)->data<float>()[0], second);
}

// A master gives a name to one node only. The kernel of another node would read other types.
TEST(WorkerTest, NodesOfOtherTypesHaveKernelsOfTheirOwn) {
  Task task(kW);
  task.Open("s");
  for (const bool instance : {false, true}) {
    for (const DType dtype : {kFloat, kDouble, kFloat}) {
      auto graph = graph::FromText(absl::StrCat(
          "s = Const([2]) @@w:0 ; u = RandomUniform[seed=1, seed2=2, dtype=",
          dtype == kFloat ? "float" : "double", "](s) @@w:0 ; r = _Retval[index=0](u) @@w:0"));
      if (instance) graph->Find("u")->attrs["_instance"] = std::string("x");
      const auto handle = task.Register("s", *graph);
      ASSERT_TRUE(handle.ok()) << handle.status();
      const auto drawn = task.Run("s", *handle);
      ASSERT_TRUE(drawn.ok()) << drawn.status();
      EXPECT_EQ(drawn->dtype(), dtype);
    }
  }
}

constexpr char kAssign[] =
    R"(v = VariableV2[shape=[], dtype=int32] ; x = _Arg[index=0, T=int32] ; a = Assign(v, x)
                              r = _Retval[index=0](a))";
constexpr char kRead[] =
    "v = VariableV2[shape=[], dtype=int32] ; i = Identity(v) ; r = _Retval[index=0](i)";

TEST(WorkerTest, SessionsShareVariablesUnlessIsolated) {
  Task task(kPs);
  task.Open("a");
  task.Open("b");
  task.Open("own", /*isolated=*/true);
  ASSERT_TRUE(task.Run("a", task.Register("a", kAssign), {Int(5)}).ok());
  EXPECT_EQ(task.Run("b", task.Register("b", kRead))->scalar<int32_t>(), 5);
  const uint64_t own = task.Register("own", kRead);
  EXPECT_EQ(task.Run("own", own).status().code(), absl::StatusCode::kFailedPrecondition);
  ASSERT_TRUE(task.Run("own", task.Register("own", kAssign), {Int(6)}).ok());
  EXPECT_EQ(task.Run("own", own)->scalar<int32_t>(), 6);
  EXPECT_EQ(task.Run("b", task.Register("b", kRead))->scalar<int32_t>(), 5);
}

TEST(WorkerTest, ClearedContainersLoseTheirVariables) {
  for (bool isolated : {false, true}) {
    Task task(kPs);
    task.Open("a", isolated);
    const uint64_t read = task.Register("a", kRead);
    ASSERT_TRUE(task.Run("a", task.Register("a", kAssign), {Int(5)}).ok());
    task.worker().ClearContainers({"other"}, {},
                                  [](const absl::Status& s) { EXPECT_TRUE(s.ok()); });
    EXPECT_EQ(task.Run("a", read)->scalar<int32_t>(), 5);
    task.worker().ClearContainers({}, {}, [](const absl::Status& s) { EXPECT_TRUE(s.ok()); });
    EXPECT_EQ(task.Run("a", read).status().code(), absl::StatusCode::kFailedPrecondition);
  }
}

// --- tensors from other tasks ---

// The partitions of a graph on two tasks.
struct Cut {
  explicit Cut(absl::string_view text) {
    auto parts = graph::Partition(graph::FromText(text), {});
    EXPECT_TRUE(parts.ok()) << parts.status();
    for (auto& part : *parts) (part.task == kPs ? ps : w) = std::move(part.graph);
  }
  std::unique_ptr<graph::Graph> ps, w;
};

constexpr char kCross[] =
    "a = _Arg[index=0, T=int32] @@ps:0 ; b = Neg(a) @@w:0 ; r = _Retval[index=0](b) @@w:0";

TEST(WorkerTest, ATensorMayComeBeforeItsRunGraphAndIsDroppedAfter) {
  Task task(kW);
  task.Open("s");
  const uint64_t graph = *task.Register("s", *Cut(kCross).w);
  const transport::ParcelId id{{kMaster, 1}, EdgeKey{0}};
  task.worker().Deliver(kPs, id, {Int(3), false});
  EXPECT_EQ(task.worker().steps_held(), 1u);
  auto result = task.Start("s", graph, 1)->Wait();
  // The key of the only edge: the frame is the root's.
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->retvals[0].tensor.scalar<int32_t>(), -3);
  EXPECT_EQ(task.worker().steps_held(), 0u);
  task.worker().Deliver(kPs, id, {Int(3), false});
  EXPECT_EQ(task.worker().steps_held(), 0u) << "too late";
  EXPECT_EQ(task.worker().Prepare(id, kInt32, Shape{}).status().code(), absl::StatusCode::kAborted);
}

// Names its blocks' allocator; otherwise the CPU's.
class NamedMemory final : public Allocator {
 public:
  const std::string& name() const override { return name_; }
  void* Allocate(size_t bytes) override { return CpuAllocator().Allocate(bytes); }
  void Free(void* block, size_t bytes) override { CpuAllocator().Free(block, bytes); }

 private:
  const std::string name_ = "transfer";
};

// A device that copies from memory of its own kind.
class CopyingDevice final : public Device {
 public:
  CopyingDevice() : Device(Named(absl::StrCat(kW, "/device:GPU:0"))) {}
  Allocator& allocator() const override { return CpuAllocator(); }
  Allocator* transfer_allocator() const override { return &memory; }
  std::shared_ptr<void> PinHostMemory(void* address, size_t bytes) override {
    pinned_bytes += bytes;
    return std::shared_ptr<void>(address, [this, bytes](void*) { pinned_bytes -= bytes; });
  }
  WorkQueue* pool() const override { return nullptr; }

  mutable NamedMemory memory;
  size_t pinned_bytes = 0;

 private:
  static DeviceAttributes Named(std::string name) {
    DeviceAttributes attributes;
    attributes.name = std::move(name);
    return attributes;
  }
};

TEST(WorkerTest, TensorsForADevicesMemoryArriveWhereItCopiesFrom) {
  auto owned = std::make_unique<CopyingDevice>();
  CopyingDevice& device = *owned;
  Worker::Options options;
  options.task = kW;
  options.devices.push_back(std::move(owned));
  options.kernels = kernels::AllKernels();
  options.ops = &graph::AllOps();
  Worker worker(std::move(options));
  const auto prepared = [&](uint64_t edge) {
    return worker.Prepare({{kMaster, 1}, EdgeKey{edge}}, kFloat, Shape{5000});
  };
  EXPECT_EQ(prepared(3 | kToDeviceMemory)->buffer()->allocator(), &device.memory);
  EXPECT_EQ(prepared(3)->buffer()->allocator(), &CpuAllocator());

  char bytes[100];
  std::shared_ptr<void> pin = worker.Pin(bytes, sizeof(bytes));
  EXPECT_EQ(device.pinned_bytes, 100u);
  pin = nullptr;
  EXPECT_EQ(device.pinned_bytes, 0u);
}

TEST(WorkerTest, OldestLiveDropsTensorsOfEndedSteps) {
  Task task(kW);
  task.Open("s");
  const uint64_t graph = task.Register("s", "a = Const(1) ; r = _Retval[index=0](a)");
  task.worker().Deliver(kPs, {{kMaster, 5}, EdgeKey{0}}, {Int(3), false});
  EXPECT_EQ(task.worker().steps_held(), 1u);
  RunGraph run;
  run.session = "s";
  run.graph = graph;
  run.step = {kMaster, 9};
  run.oldest_live_step = 9;
  run.num_retvals = 1;
  ASSERT_TRUE(task.Start(run)->Wait().ok());
  EXPECT_EQ(task.worker().steps_held(), 0u);
}

TEST(WorkerTest, ADeadTensorTravels) {
  Task task(kW);
  task.Open("s");
  const uint64_t graph = *task.Register("s", *Cut(kCross).w);
  task.worker().Deliver(kPs, {{kMaster, 1}, EdgeKey{0}}, {Tensor(), true});
  auto result = task.Start("s", graph, 1)->Wait();
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_TRUE(result->retvals[0].dead);
}

TEST(WorkerTest, ABrokenPeerFailsTheStepsThatNeedIt) {
  Task task(kW);
  task.Open("s");
  const uint64_t graph = *task.Register("s", *Cut(kCross).w);
  auto running = task.Start("s", graph, 1);
  task.worker().Broken(kPs, Unavailable(kPs, " at nowhere:1 is gone"));
  const absl::Status status = running->Wait().status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr(kPs));
  // A step that was only announced when the channel broke fails when it reaches its Recv.
  task.worker().Deliver(kPs, {{kMaster, 2}, EdgeKey{77}}, {Int(3), false});
  task.worker().Broken(kPs, Unavailable(kPs, " at nowhere:1 is gone"));
  EXPECT_EQ(task.Start("s", graph, 2)->Wait().status().code(), absl::StatusCode::kUnavailable);
}

TEST(WorkerTest, CancellingTheCallEndsAStepThatWaits) {
  Task task(kW);
  task.Open("s");
  const uint64_t graph = *task.Register("s", *Cut(kCross).w);
  auto running = task.Start("s", graph, 1);
  running->cancel.Cancel(absl::CancelledError("the master is gone"));
  const absl::Status status = running->Wait().status();
  EXPECT_EQ(status.code(), absl::StatusCode::kCancelled) << status;
  EXPECT_EQ(task.worker().steps_held(), 0u);
}

TEST(WorkerTest, ADestroyedWorkerEndsItsSteps) {
  Task task(kW);
  task.Open("s");
  const uint64_t graph = *task.Register("s", *Cut(kCross).w);
  auto running = task.Start("s", graph, 1);
  task.Destroy();
  EXPECT_EQ(running->Wait().status().code(), absl::StatusCode::kUnavailable)
      << running->result.status();
}

// A channel that breaks during its destruction.
class LastWords final : public transport::TensorChannel {
 public:
  LastWords(std::string peer, transport::TensorSink* sink) : peer_(std::move(peer)), sink_(sink) {}
  ~LastWords() override { sink_->Broken(peer_, Unavailable(peer_, " is gone")); }
  absl::Status Send(const transport::ParcelId&, Parcel) override { return absl::OkStatus(); }
  std::string ToString() const override { return peer_; }

 private:
  const std::string peer_;
  transport::TensorSink* const sink_;
};
class LastWordsConnector final : public transport::Connector {
 public:
  void Attach(transport::TensorSink* sink) override { sink_ = sink; }
  absl::StatusOr<std::unique_ptr<transport::WorkerApi>> ConnectWorker(
      const transport::PeerAddress&) override {
    return Unimplemented("no workers");
  }
  absl::StatusOr<std::shared_ptr<transport::TensorChannel>> ConnectChannel(
      const transport::PeerAddress& peer) override {
    return std::make_shared<LastWords>(peer.task, sink_);
  }

 private:
  transport::TensorSink* sink_ = nullptr;
};

TEST(WorkerTest, AChannelMayBreakDuringTheWorkersDestruction) {
  Task task(kPs, std::make_unique<LastWordsConnector>());
  task.Open("s");
  const uint64_t graph = *task.Register("s", *Cut(kCross).ps);
  ASSERT_TRUE(task.Start("s", graph, 1, {Int(4)})->Wait().ok());
  // Steps that only wait: the table is not empty when it is destroyed.
  for (uint64_t step = 2; step < 20; ++step)
    task.worker().Deliver(kW, {{kMaster, step}, EdgeKey{77}}, {Int(3), false});
  task.Destroy();
}

// --- two workers ---

struct Pair {
  explicit Pair(absl::string_view text, int64_t credit = 1 << 20,
                absl::Duration lease = absl::Seconds(60))
      : wire(credit), ps(kPs, &wire, lease), w(kW, &wire, lease) {
    Cut cut(text);
    ps.Open("s");
    w.Open("s");
    ps_graph = *ps.Register("s", *cut.ps);
    w_graph = *w.Register("s", *cut.w);
  }
  ~Pair() { wire.Drain(); }
  Wire wire;
  Task ps, w;
  uint64_t ps_graph, w_graph;
};

TEST(WorkerTest, TwoWorkersExchangeTensorsInEitherOrder) {
  Pair pair(kCross);
  auto ps = pair.ps.Start("s", pair.ps_graph, 1, {Int(4)});
  auto w = pair.w.Start("s", pair.w_graph, 1);
  EXPECT_EQ(w->Wait()->retvals[0].tensor.scalar<int32_t>(), -4);
  EXPECT_TRUE(ps->Wait().ok());
  w = pair.w.Start("s", pair.w_graph, 2);
  ps = pair.ps.Start("s", pair.ps_graph, 2, {Int(5)});
  EXPECT_EQ(w->Wait()->retvals[0].tensor.scalar<int32_t>(), -5);
  EXPECT_TRUE(ps->Wait().ok());
  EXPECT_EQ(pair.wire.kept(), 0u);
}

TEST(WorkerTest, CreditComesBackAsTensorsAreConsumed) {
  Pair pair(kCross, /*credit=*/64);
  for (uint64_t step = 1; step <= 100; ++step) {
    auto ps = pair.ps.Start("s", pair.ps_graph, step, {Int(4)});
    ASSERT_TRUE(pair.w.Start("s", pair.w_graph, step)->Wait().ok());
    ASSERT_TRUE(ps->Wait().ok());
  }
  EXPECT_EQ(pair.wire.pushed(), 100);
  EXPECT_EQ(pair.wire.announced(), 0);
}

TEST(WorkerTest, BeyondTheCreditTensorsCrossInAnyOrder) {
  // Each side needs the other's last tensor before its first.
  Pair pair(R"(
      a = Const([1, 2, 3, 4, 5, 6, 7, 8]) @@ps:0 ; b = Neg(a) @@ps:0 ; c = Neg(b, ^x2) @@ps:0
      x1 = Neg(c) @@w:0 ; x2 = Identity(b) @@w:0 ; y = Identity(a, ^x2) @@w:0 ; sum = AddN(x1, x2, y) @@w:0
      r = _Retval[index=0](sum) @@w:0)",
            /*credit=*/16);
  for (uint64_t step = 1; step <= 50; ++step) {
    auto first = step % 2 == 0 ? pair.ps.Start("s", pair.ps_graph, step)
                               : pair.w.Start("s", pair.w_graph, step);
    auto second = step % 2 == 0 ? pair.w.Start("s", pair.w_graph, step)
                                : pair.ps.Start("s", pair.ps_graph, step);
    ASSERT_TRUE(first->Wait().ok()) << first->result.status();
    ASSERT_TRUE(second->Wait().ok()) << second->result.status();
    auto& w = step % 2 == 0 ? second : first;
    EXPECT_EQ(w->result->retvals[0].tensor.data<int32_t>()[7], -8);
  }
  EXPECT_EQ(pair.wire.kept(), 0u);
}

// The master calls one worker, and dies before it calls the other.
TEST(WorkerTest, HalfBegunStepsEndWithTheLeaseOfTheirMaster) {
  Pair pair(R"(
      a = Const([1, 2, 3, 4, 5, 6, 7, 8]) @@ps:0 ; b = Neg(a) @@ps:0
      x = Add(a, b) @@w:0 ; r = _Retval[index=0](x) @@w:0)",
            /*credit=*/40, /*lease=*/absl::Milliseconds(1));
  ASSERT_TRUE(pair.ps.Start("s", pair.ps_graph, 1)->Wait().ok());
  EXPECT_EQ(pair.ps.worker().steps_held(), 0u);
  EXPECT_EQ(pair.w.worker().steps_held(), 1u);
  EXPECT_EQ(pair.wire.kept(), 1u) << "one of the two is beyond the credit";
  const absl::Time limit = absl::Now() + absl::Seconds(20);  // the worker sweeps once a second
  while (pair.w.worker().steps_held() > 0 && absl::Now() < limit)
    absl::SleepFor(absl::Milliseconds(20));
  EXPECT_EQ(pair.w.worker().steps_held(), 0u);
  EXPECT_EQ(pair.wire.kept(), 0u);
}

TEST(WorkerTest, AProducerMayRunALoopFarAheadOfItsConsumer) {
  constexpr int kIterations = 100'000;
  Pair pair(R"(
      n = _Arg[index=0, T=int32] @@ps:0 ; zero = Const(0) @@ps:0 ; zw = Const(0) @@w:0
      ei = Enter[frame_name="l"](zero) @@ps:0 ; en = Enter[frame_name="l", is_constant=true](n) @@ps:0
      ej = Enter[frame_name="l"](zw) @@w:0
      mi = Merge(ei, ni) @@ps:0 ; less = Less(mi, en) @@ps:0 ; cond = LoopCond(less) @@ps:0 ; si = Switch(mi, cond) @@ps:0
      bi = Identity(si:1) @@ps:0 ; one = Const(1, ^bi) @@ps:0 ; i1 = Add(bi, one) @@ps:0 ; ni = NextIteration(i1) @@ps:0
      mj = Merge(ej, nj) @@w:0 ; sj = Switch(mj, cond) @@w:0 ; j1 = Add(sj:1, one) @@w:0 ; nj = NextIteration(j1) @@w:0
      xj = Exit(sj:0) @@w:0 ; r = _Retval[index=0](xj) @@w:0)",
            /*credit=*/1 << 16);
  auto ps = pair.ps.Start("s", pair.ps_graph, 1, {Int(kIterations)});
  ASSERT_TRUE(ps->Wait().ok()) << ps->result.status();
  EXPECT_GT(pair.wire.announced(), 0);
  auto w = pair.w.Start("s", pair.w_graph, 1);
  ASSERT_TRUE(w->Wait().ok()) << w->result.status();
  EXPECT_EQ(w->result->retvals[0].tensor.scalar<int32_t>(), kIterations);
  EXPECT_EQ(pair.wire.kept(), 0u);
  EXPECT_EQ(pair.w.worker().steps_held(), 0u);
}

TEST(WorkerTest, AReaderElsewhereSeesWholeSnapshots) {
  Pair pair(R"(
      v = VariableV2[shape=[4096], dtype=float] @@ps:0 ; i = Identity(v) @@ps:0 ; j = Identity(v, ^n) @@ps:0
      n = Neg(i) @@w:0 ; sum = Add(n, j) @@w:0 ; r = _Retval[index=0](n) @@w:0)");
  constexpr char kVariable[] =
      "v = VariableV2[shape=[4096], dtype=float] ; one = _Arg[index=0, T=float]\n";
  const uint64_t assign = pair.ps.Register("s", absl::StrCat(kVariable, "a = Assign(v, one)"));
  const uint64_t add =
      pair.ps.Register("s", absl::StrCat(kVariable, "a = AssignAdd[use_locking=true](v, one)"));
  const Tensor ones = Tensor::Vector<float>(std::vector<float>(4096, 1));
  ASSERT_TRUE(pair.ps.Run("s", assign, {ones}).ok());
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    for (uint64_t step = 1000; !stop; ++step)
      EXPECT_TRUE(pair.ps.Start("s", add, step, {ones})->Wait().ok());
  });
  for (uint64_t step = 100'000'000; step < 100'000'200; ++step) {
    auto ps = pair.ps.Start("s", pair.ps_graph, step);
    auto w = pair.w.Start("s", pair.w_graph, step);
    EXPECT_TRUE(ps->Wait().ok()) << ps->result.status();
    ASSERT_TRUE(w->Wait().ok()) << w->result.status();
    const auto values = w->result->retvals[0].tensor.flat<float>();
    EXPECT_THAT(values, Each(values[0]));
  }
  stop = true;
  writer.join();
}

}  // namespace
}  // namespace sluice::worker
