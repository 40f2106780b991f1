// SPDX-License-Identifier: Apache-2.0
// Sends graphs that no master makes straight to a worker: each ends with an error or runs, and the
// process lives. SLUICE_FUZZ_GRAPHS and SLUICE_FUZZ_SEED set their number and the first seed.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <random>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "core/codec/codec.h"
#include "core/log.h"
#include "graph/all_ops.h"
#include "graph/import.h"
#include "kernels/register.h"
#include "proto/graph.pb.h"
#include "tests/graph/graph_text.h"
#include "worker_service/worker.h"

namespace sluice::worker {
namespace {

using Random = std::mt19937_64;

constexpr char kTask[] = "/job:w/replica:0/task:0";
constexpr char kDevice[] = "/job:w/replica:0/task:0/device:CPU:0";
constexpr uint64_t kMaster = 7;

constexpr const char* kTexts[] = {
    "a = _Arg[index=0, T=float] ; b = Neg(a) ; c = Add(a, b) ; r = _Retval[index=0](c)",
    // A loop with a conditional in it.
    R"(zero = Const(0) ; n = Const(3) ; one = Const(1)
       ei = Enter[frame_name="w", parallel_iterations=10](zero)
       en = Enter[frame_name="w", is_constant=true, parallel_iterations=10](n)
       e1 = Enter[frame_name="w", is_constant=true, parallel_iterations=10](one)
       mi = Merge(ei, ni) ; less = Less(mi, en) ; cond = LoopCond(less)
       si = Switch(mi, cond) ; body = Add(si:1, e1) ; half = Switch(body, less)
       t = Neg(half:1) ; f = Identity(half) ; m = Merge(t, f) ; ni = NextIteration(body)
       x = Exit(si) ; r = _Retval[index=0](x))",
    // A chain that runs as a strand, with presets and control edges.
    R"(k = Const(2.5) ; a = Mul(k, k) ; b = Sqrt(a) ; c = Add(b, k) ; d = Maximum(c, b, ^a)
       e = Identity(d) ; f = Exp(e) ; n = NoOp(^f) ; t = ControlTrigger(^n)
       r = _Retval[index=0](f, ^t))",
    R"(v = VariableV2[shape=[2], dtype=float] ; x = Const([1.0, 2.0]) ; a = Assign(v, x)
       b = AssignAdd(v, x, ^a) ; i = Identity(b) ; r = _Retval[index=0](i))",
    R"(q = FIFOQueueV2[component_types=[float], shapes=[]] ; x = Const(1.5)
       e = QueueEnqueueV2(q, x) ; d = QueueDequeueV2[component_types=[float]](q, ^e)
       r = _Retval[index=0](d))",
    R"(s = Const([2]) ; u = RandomUniform[seed=1, seed2=2, dtype=float](s) ; h = AsString(u)
       j = ReduceJoin[keep_dims=false](h, z) ; z = Const(0) ; r = _Retval[index=0](j))",
    R"(g = TensorArrayV3[dtype=float](n) ; n = Const(2) ; i = Const(0) ; x = Const(1.0)
       w = TensorArrayWriteV3(g, i, x, g:1) ; d = TensorArrayReadV3[dtype=float](g, i, w)
       r = _Retval[index=0](d))",
};

// One worker without peers, called as a master calls it.
class HostileGraphs {
 public:
  explicit HostileGraphs(uint64_t seed) : random_(seed) {
    Worker::Options options;
    options.task = kTask;
    options.version = "test";
    options.devices.push_back(CreateCpuDevice(kDevice, nullptr));
    options.kernels = kernels::AllKernels();
    options.ops = &graph::AllOps();
    options.pool = pool_.get();
    worker_ = std::make_unique<Worker>(std::move(options));
    for (const char* text : kTexts) {
      auto graph = graph::FromText(text);
      for (graph::Node* node : graph->nodes()) node->device = kDevice;
      EXPECT_TRUE(graph::Export(*graph, &right_.emplace_back()).ok()) << text;
    }
    for (const OpDef& op : graph::AllOps().ops()) ops_.push_back(&op);
  }

  // Registers a graph and runs it if that went well.
  void Try() {
    proto::GraphDef graph = right_[Below(right_.size())];
    const size_t more = Below(4);
    for (size_t i = 0; i < more; ++i) AddNode(graph);
    const size_t changes = Below(4);
    for (size_t i = 0; i < changes; ++i) Change(graph);
    if (Below(20) == 0 || session_.empty()) OpenSession();
    absl::StatusOr<uint64_t> handle = absl::UnknownError("no answer");
    worker_->Register({session_, std::make_shared<const proto::GraphDef>(graph)}, {},
                      [&](absl::StatusOr<uint64_t> h) { handle = std::move(h); });
    ASSERT_NE(handle.status().code(), absl::StatusCode::kInternal) << handle.status();
    if (!handle.ok()) {
      ++refused;
      return;
    }
    ++registered;
    Run(*handle);
    worker_->Deregister(session_, *handle, {}, [](const absl::Status&) {});
  }

  int refused = 0, registered = 0, ran = 0;

 private:
  size_t Below(size_t end) { return random_() % end; }

  void OpenSession() {
    if (!session_.empty()) worker_->DeleteSession(session_, {}, [](const absl::Status&) {});
    session_ = absl::StrCat("s", ++sessions_);
    worker_->CreateSession({session_, Below(2) == 0, kMaster, kTask}, {},
                           [](const absl::Status& s) { EXPECT_TRUE(s.ok()) << s; });
  }

  void Run(uint64_t graph) {
    struct Running {
      absl::Notification ended;
      absl::Status status;
      CancelToken cancel;
    };
    auto running = std::make_shared<Running>();
    transport::RunGraph run;
    run.session = session_;
    run.graph = graph;
    run.step = {kMaster, ++step_};
    run.oldest_live_step = step_;
    run.args = {Tensor::Scalar<float>(2.0f)};
    run.num_retvals = static_cast<int>(Below(3));
    transport::CallOptions options;
    options.cancel = &running->cancel;
    worker_->Run(std::move(run), options, [running](absl::StatusOr<transport::RunGraphResult> r) {
      running->status = r.status();
      running->ended.Notify();
    });
    if (!running->ended.WaitForNotificationWithTimeout(absl::Milliseconds(50)))
      running->cancel.Cancel(absl::CancelledError("too long"));
    ASSERT_TRUE(running->ended.WaitForNotificationWithTimeout(absl::Seconds(60)));
    ran += running->status.ok() ? 1 : 0;
  }

  // --- nodes of any op ---

  Attr DrawAttr(const AttrDef& def) {
    switch (def.type.kind) {
      case AttrKind::kInt: {
        constexpr int64_t kInts[] = {
            0,         1,        2, 3, -1, 7, 64, 1 << 20, int64_t{1} << 31, int64_t{1} << 62,
            INT64_MAX, INT64_MIN};
        if (def.type.list) return Attr(std::vector<int64_t>(Below(5), kInts[Below(12)]));
        return Attr(kInts[Below(Below(2) == 0 ? 4 : 12)]);
      }
      case AttrKind::kFloat: {
        constexpr float kFloats[] = {0.0f, 1.0f, -1.0f, 0.5f, 1e30f, -1e30f, INFINITY, NAN};
        if (def.type.list) return Attr(std::vector<float>(Below(4), kFloats[Below(8)]));
        return Attr(kFloats[Below(8)]);
      }
      case AttrKind::kBool:
        if (def.type.list) return Attr(std::vector<bool>(Below(4), true));
        return Attr(Below(2) == 0);
      case AttrKind::kType: {
        const DType type = def.allowed_types.empty()
                               ? DrawType()
                               : def.allowed_types[Below(def.allowed_types.size())];
        if (def.type.list) return Attr(std::vector<DType>(Below(4), type));
        return Attr(type);
      }
      case AttrKind::kShape:
        if (def.type.list) return Attr(std::vector<PartialShape>(Below(4), DrawShape()));
        return Attr(DrawShape());
      case AttrKind::kTensor:
        return Attr(Tensor::Scalar<float>(1));
      case AttrKind::kFunc:
        return Attr(FunctionRef{});
      case AttrKind::kString:
        break;
    }
    constexpr const char* kStrings[] = {"", "a", "NHWC", "VALID", "\n", "%", "{}", "\xff", "w"};
    std::string text = kStrings[Below(9)];
    if (!def.allowed_strings.empty() && Below(4) != 0)
      text = def.allowed_strings[Below(def.allowed_strings.size())];
    if (def.type.list) return Attr(std::vector<std::string>(Below(4), text));
    return Attr(text);
  }

  DType DrawType() {
    constexpr DType kTypes[] = {kFloat, kInt32, kInt64, kString,   kBool,    kDouble,
                                kUint8, kHalf,  kFloat, kResource, kVariant, kComplex64};
    return kTypes[Below(std::size(kTypes))];
  }

  PartialShape DrawShape() {
    auto shape =
        PartialShape::Create(std::vector<int64_t>(Below(4), static_cast<int64_t>(Below(4)) - 1));
    return shape.ok() ? *shape : PartialShape();
  }

  // A node of any op whose attributes and inputs are those of its interface, mostly.
  void AddNode(proto::GraphDef& graph) {
    const OpDef& op = *ops_[Below(ops_.size())];
    AttrMap attrs;
    for (const AttrDef& def : op.attrs) {
      if (!def.default_value.has_value() || Below(3) == 0)
        attrs.insert_or_assign(def.name, DrawAttr(def));
    }
    ArgTypes inputs, outputs;
    if (!CheckAndCompleteAttrs(op, attrs).ok() || !ResolveArgs(op, attrs, &inputs, &outputs).ok() ||
        inputs.types.size() > 100 || outputs.types.size() > 1000) {
      return;
    }
    // Its name may be that of a node of an earlier graph in the same session.
    const std::string name = absl::StrCat("n", Below(4) == 0 ? Below(20) : 20 + ++names_);
    proto::NodeDef node;
    node.set_name(name);
    node.set_op(op.name);
    node.set_device(kDevice);
    if (!EncodeAttrs(attrs, node.mutable_attr()).ok()) return;
    for (const DType type : inputs.types) node.add_input(InputOf(graph, type));
    *graph.add_node() = node;
  }

  // An output of that type in the graph, or a new constant.
  std::string InputOf(proto::GraphDef& graph, DType type) {
    if (Below(2) == 0 && graph.node_size() > 0)
      if (const std::string& any = graph.node(Below(graph.node_size())).name(); Below(3) == 0)
        return any;
    if (type == kResource || type == kVariant || IsRef(type)) {
      for (int tries = 0; tries < 50; ++tries) {
        const proto::NodeDef& node = graph.node(Below(graph.node_size()));
        const OpDef* op = graph::AllOps().Find(node.op());
        if (op == nullptr || op->outputs.empty()) continue;
        if (op->outputs[0].type == RemoveRef(type)) return node.name();
      }
      return graph.node(Below(graph.node_size())).name();
    }
    constexpr int64_t kDims[] = {0, 1, 1, 2, 2, 3, 4, 5};
    Shape::Dims dims(Below(4));
    for (int64_t& dim : dims) dim = kDims[Below(8)];
    auto tensor = Tensor::Allocate(CpuAllocator(), type, *Shape::Create(dims));
    if (!tensor.ok()) return "n";
    if (IsPlain(type)) {
      auto* bytes = static_cast<char*>(tensor->raw());
      for (size_t i = 0; i < tensor->bytes(); ++i) bytes[i] = 0;
      if (type == kInt32 || type == kInt64) {
        constexpr int kInts[] = {0, 1, 2, -1, 3, -2, 5, 1 << 20};
        for (int64_t i = 0; i < tensor->num_elements(); ++i) {
          const int value = kInts[Below(Below(8) == 0 ? 8 : 4)];
          if (type == kInt32)
            tensor->mutable_data<int32_t>()[i] = value;
          else
            tensor->mutable_data<int64_t>()[i] = value;
        }
      } else if (type == kFloat) {
        for (int64_t i = 0; i < tensor->num_elements(); ++i)
          tensor->mutable_data<float>()[i] = static_cast<float>(Below(7)) - 3;
      }
    } else if (type == kString) {
      for (int64_t i = 0; i < tensor->num_elements(); ++i)
        tensor->mutable_data<std::string>()[i] = std::string(Below(3), 'a');
    }
    proto::NodeDef node;
    node.set_name(absl::StrCat("k", ++names_));
    node.set_op("Const");
    node.set_device(kDevice);
    AttrMap attrs;
    attrs.insert_or_assign("dtype", Attr(type));
    attrs.insert_or_assign("value", Attr(*tensor));
    if (!EncodeAttrs(attrs, node.mutable_attr()).ok()) return "n";
    *graph.add_node() = node;
    return node.name();
  }

  // --- changes of a graph ---

  void Change(proto::GraphDef& graph) {
    if (graph.node_size() == 0) return;
    proto::NodeDef& node = *graph.mutable_node(static_cast<int>(Below(graph.node_size())));
    const proto::NodeDef& other = graph.node(static_cast<int>(Below(graph.node_size())));
    switch (Below(16)) {
      case 0:
        node.set_op(ops_[Below(ops_.size())]->name);
        break;
      case 1:
        node.set_op(other.op());
        break;
      case 2:
        node.set_name(other.name());
        break;
      case 3:
        node.add_input(absl::StrCat(Below(3) == 0 ? "^" : "", other.name()));
        break;
      case 4:
        if (node.input_size() > 0) node.mutable_input()->RemoveLast();
        break;
      case 5:
        if (node.input_size() > 0) {
          constexpr const char* kOutputs[] = {"", ":1", ":2147483647", ":-1", ":99", ":0"};
          *node.mutable_input(static_cast<int>(Below(node.input_size()))) =
              absl::StrCat(other.name(), kOutputs[Below(6)]);
        }
        break;
      case 6: {
        constexpr const char* kDevices[] = {"",
                                            "/job:w",
                                            "/job:w/replica:0/task:0/device:GPU:0",
                                            "/job:ps/replica:0/task:0/device:CPU:0",
                                            "/job:w/replica:0/task:0/device:CPU:70000",
                                            "x"};
        node.set_device(kDevices[Below(6)]);
        break;
      }
      case 7:
        if (!node.attr().empty()) {
          auto it = node.mutable_attr()->begin();
          std::advance(it, static_cast<long>(Below(node.attr_size())));
          node.mutable_attr()->erase(it->first);
        }
        break;
      case 8:
      case 9:
      case 10:
        ChangeAttr(node, other);
        break;
      case 11:
        graph.mutable_node()->SwapElements(static_cast<int>(Below(graph.node_size())), 0);
        break;
      case 12: {
        const proto::NodeDef copy = other;
        *graph.add_node() = copy;
        break;
      }
      case 13: {
        AttrDef def;
        def.type = {static_cast<AttrKind>(Below(8)), Below(2) == 0};
        constexpr const char* kNames[] = {"_peer",
                                          "_class",
                                          "_on_host",
                                          "_session_container",
                                          "_producer_version",
                                          "_instance",
                                          "_output_shapes",
                                          "T",
                                          "N"};
        (void)EncodeAttr(DrawAttr(def), &(*node.mutable_attr())[kNames[Below(9)]]);
        break;
      }
      case 14:
        graph.mutable_versions()->set_producer(static_cast<int>(random_()));
        break;
      default: {
        auto* function = graph.mutable_library()->add_function();
        function->mutable_signature()->set_name(absl::StrCat("f", Below(3)));
        *function->add_node_def() = other;
        function->mutable_node_def(0)->set_op("f0");
      }
    }
  }

  void ChangeAttr(proto::NodeDef& node, const proto::NodeDef& other) {
    if (node.attr().empty()) return;
    auto it = node.mutable_attr()->begin();
    std::advance(it, static_cast<long>(Below(node.attr_size())));
    if (!other.attr().empty() && Below(3) == 0) {
      auto from = other.attr().begin();
      std::advance(from, static_cast<long>(Below(other.attr_size())));
      const proto::AttrValue copy = from->second;
      it->second = copy;
      return;
    }
    AttrDef def;
    def.type = {static_cast<AttrKind>(Below(8)), Below(4) == 0};
    if (const OpDef* op = graph::AllOps().Find(node.op()); op != nullptr && Below(4) != 0) {
      if (const AttrDef* own = op->FindAttr(it->first); own != nullptr) def = *own;
      if (Below(3) == 0) def.allowed_types.clear();
    }
    (void)EncodeAttr(DrawAttr(def), &it->second);
  }

  Random random_;
  std::unique_ptr<WorkQueue> pool_ = CreateThreadPool(2, "inter-op");
  std::unique_ptr<Worker> worker_;
  std::vector<proto::GraphDef> right_;
  std::vector<const OpDef*> ops_;
  std::string session_;
  uint64_t step_ = 0;
  int sessions_ = 0, names_ = 0;
};

uint64_t Setting(const char* name, uint64_t otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr ? std::strtoull(value, nullptr, 10) : otherwise;
}

// Ops write their files in a folder of their own. A huge tensor is refused, not allocated.
class Surroundings {
 public:
  Surroundings() {
    SetLogLevel(LogLevel::kOff);
    const std::string folder = absl::StrCat(::testing::TempDir(), "/hostile_graphs_", getpid());
    std::filesystem::create_directory(folder);
    std::filesystem::current_path(folder);
#ifndef __SANITIZE_ADDRESS__
    getrlimit(RLIMIT_AS, &memory_);
    const rlimit less = {rlim_t{6} << 30, memory_.rlim_max};
    setrlimit(RLIMIT_AS, &less);
#endif
  }
  ~Surroundings() {
#ifndef __SANITIZE_ADDRESS__
    setrlimit(RLIMIT_AS, &memory_);
#endif
    const auto folder = std::filesystem::current_path();
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(folder);
    SetLogLevel(LogLevel::kWarning);
  }

 private:
  const std::filesystem::path before_ = std::filesystem::current_path();
  [[maybe_unused]] rlimit memory_ = {};
};

TEST(HostileGraphsTest, EndInAnErrorOrRun) {
  constexpr uint64_t kOfOneWorker = 100;
  const uint64_t count = Setting("SLUICE_FUZZ_GRAPHS", 6000),
                 first = Setting("SLUICE_FUZZ_SEED", 1);
  const Surroundings surroundings;
  int refused = 0, registered = 0, ran = 0;
  for (uint64_t seed = first; seed < first + (count + kOfOneWorker - 1) / kOfOneWorker; ++seed) {
    HostileGraphs graphs(seed);
    for (uint64_t i = 0; i < kOfOneWorker; ++i) {
      if (std::getenv("SLUICE_FUZZ_PRINTS") != nullptr)
        std::cerr << "seed " << seed << ", graph " << i << "\n";
      ASSERT_NO_FATAL_FAILURE(graphs.Try()) << "seed " << seed << ", graph " << i;
    }
    refused += graphs.refused;
    registered += graphs.registered;
    ran += graphs.ran;
  }
  std::cout << refused << " refused, " << registered << " registered, " << ran << " ran\n";
  EXPECT_GT(refused, 0);
  EXPECT_GT(ran, 0);
}

}  // namespace
}  // namespace sluice::worker
