// SPDX-License-Identifier: Apache-2.0
// Malformed graphs: for any graph of a client, the answer is a status that names the node.
#include <gmock/gmock.h>
#include <google/protobuf/stubs/logging.h>
#include <gtest/gtest.h>

#include <random>

#include "core/codec/codec.h"
#include "graph/all_ops.h"
#include "graph/import.h"
#include "graph/partition.h"
#include "graph/place.h"
#include "graph/shape_inference.h"
#include "graph/signature.h"
#include "proto/graph.pb.h"
#include "tests/graph/graph_text.h"

namespace sluice::graph {
namespace {

using testing::HasSubstr;

// One value of each kind.
std::vector<Attr> OneOfEach() {
  return {std::string("x"),
          int64_t{3},
          1.5f,
          true,
          kFloat,
          PartialShape{2},
          Tensor::Scalar<float>(1),
          FunctionRef{.name = "f", .attrs = nullptr},
          std::vector<std::string>{"x"},
          std::vector<int64_t>{3},
          std::vector<float>{1.5f},
          std::vector<bool>{true},
          std::vector<DType>{kFloat},
          std::vector<PartialShape>{PartialShape{2}},
          std::vector<Tensor>{Tensor::Scalar<float>(1)},
          std::vector<FunctionRef>{{.name = "f", .attrs = nullptr}}};
}

// A value that the attribute may have.
Attr Allowed(const AttrDef& def) {
  if (!def.allowed_types.empty()) {
    return def.type.list ? Attr(std::vector<DType>{def.allowed_types[0]})
                         : Attr(def.allowed_types[0]);
  }
  if (!def.allowed_strings.empty()) {
    return def.type.list ? Attr(std::vector<std::string>{def.allowed_strings[0]})
                         : Attr(def.allowed_strings[0]);
  }
  for (const Attr& attr : OneOfEach()) {
    if (TypeOf(attr) == def.type) return attr;
  }
  return {};
}

absl::Status ImportNode(const std::string& op, const AttrMap& attrs) {
  proto::GraphDef def;
  proto::NodeDef* node = def.add_node();
  node->set_name("victim");
  node->set_op(op);
  EXPECT_TRUE(EncodeAttrs(attrs, node->mutable_attr()).ok());
  Graph graph(&AllOps());
  return Import(def, {.from_client = false}, graph);
}

TEST(HostileTest, EveryAttributeOfEveryOpDroppedOrOfAnotherType) {
  int refused = 0;
  for (const OpDef& op : AllOps().ops()) {
    AttrMap good;
    for (const AttrDef& attr : op.attrs) {
      if (!attr.default_value) good[attr.name] = Allowed(attr);
    }
    for (const AttrDef& attr : op.attrs) {
      AttrMap attrs = good;
      attrs.erase(attr.name);
      if (!attr.default_value) {
        const absl::Status status = ImportNode(op.name, attrs);
        EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument)
            << op.name << " without " << attr.name;
        EXPECT_THAT(status.message(), HasSubstr("\"victim\"")) << op.name;
      }
      for (const Attr& wrong : OneOfEach()) {
        if (TypeOf(wrong) == attr.type) continue;
        attrs[attr.name] = wrong;
        const absl::Status status = ImportNode(op.name, attrs);
        EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument)
            << op.name << ": " << attr.name << " = " << wrong.ToString();
        EXPECT_THAT(status.message(), HasSubstr("\"victim\"")) << op.name;
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 10000);
}

// Random nodes of every op that has a shape function: sizes and values at their limits, and
// meaningless strings.
class RandomNode {
 public:
  explicit RandomNode(uint32_t seed) : random_(seed) {}

  // The graph. The node itself may be refused because of its attributes.
  std::unique_ptr<Graph> Make(const OpDef& op) {
    graph_ = std::make_unique<Graph>(&AllOps());
    graph_->producer_version = Pick(2) == 0 ? 134 : 20;
    AttrMap attrs;
    for (const AttrDef& attr : op.attrs) {
      if (attr.default_value && Pick(2) == 0) continue;
      attrs[attr.name] = Pick(8) == 0 ? Allowed(attr) : Value(attr);
    }
    auto node = graph_->AddNode("victim", op.name, std::move(attrs));
    if (!node.ok() || (*node)->num_inputs() > 20) return nullptr;
    for (int i = 0; i < (*node)->num_inputs(); ++i) {
      graph_->AddEdge(Input((*node)->input_types[i], (*node)->Label()), 0, *node, i);
    }
    return std::move(graph_);
  }

 private:
  int Pick(int n) { return static_cast<int>(random_() % n); }

  int64_t Number() {
    static constexpr int64_t kNumbers[] = {0,
                                           1,
                                           2,
                                           3,
                                           4,
                                           5,
                                           7,
                                           -1,
                                           -2,
                                           64,
                                           254,
                                           255,
                                           1 << 20,
                                           INT32_MAX,
                                           INT32_MIN,
                                           INT64_MAX,
                                           INT64_MAX - 1,
                                           INT64_MIN,
                                           INT64_MIN + 1,
                                           int64_t{1} << 62};
    return kNumbers[Pick(2) == 0 ? Pick(8) : Pick(std::size(kNumbers))];
  }

  PartialShape AnyShape() {
    if (Pick(6) == 0) return PartialShape();
    Shape::Dims dims(Pick(6));
    for (int64_t& dim : dims) dim = std::max<int64_t>(-1, Number());
    auto shape = PartialShape::Create(dims);
    return shape.ok() ? *shape : PartialShape{2, -1};
  }

  Attr Value(const AttrDef& attr) {
    const int count = Pick(6);
    switch (attr.type.kind) {
      case AttrKind::kInt: {
        // Numbers of inputs or outputs stay small, or most of the time would be spent on creating
        // them.
        if (!attr.type.list) return attr.minimum ? Attr(*attr.minimum + Pick(4)) : Attr(Number());
        std::vector<int64_t> list(count);
        for (int64_t& v : list) v = Number();
        return list;
      }
      case AttrKind::kString:
        if (attr.type.list) return std::vector<std::string>(count, "x");
        if (!attr.allowed_strings.empty())
          return attr.allowed_strings[Pick(static_cast<int>(attr.allowed_strings.size()))];
        return std::string(Pick(2) == 0 ? "NHWC" : "\xff\x00garbage");
      case AttrKind::kType:
        if (attr.type.list) return std::vector<DType>(count, Pick(2) == 0 ? kFloat : kInt64);
        if (!attr.allowed_types.empty())
          return attr.allowed_types[Pick(static_cast<int>(attr.allowed_types.size()))];
        return static_cast<DType>(1 + Pick(23));
      case AttrKind::kShape:
        return attr.type.list ? Attr(std::vector<PartialShape>(count, AnyShape()))
                              : Attr(AnyShape());
      case AttrKind::kBool:
        return attr.type.list ? Attr(std::vector<bool>(count, true)) : Attr(Pick(2) == 0);
      default:
        return Allowed(attr);
    }
  }

  Node* Input(DType type, const std::string& label) {
    const bool ref = IsRef(type);
    const DType base = RemoveRef(type);
    const std::string name = graph_->UniqueName("input");
    if (!ref && (base == kInt32 || base == kInt64) && Pick(3) != 0) {
      Shape shape;
      if (Pick(4) != 0) shape.AddDim(Pick(6));
      if (shape.rank() == 1 && Pick(4) == 0) shape.AddDim(2);
      Tensor value(base, shape);
      for (int64_t i = 0; i < value.num_elements(); ++i) {
        if (base == kInt32) value.mutable_data<int32_t>()[i] = static_cast<int32_t>(Number());
        if (base == kInt64) value.mutable_data<int64_t>()[i] = Number();
      }
      return graph_->AddNode(name, "Const", {{"dtype", base}, {"value", value}}).value();
    }
    if (base == kResource && Pick(2) == 0) {
      return graph_->AddNode(name, "VarHandleOp", {{"dtype", kFloat}, {"shape", AnyShape()}})
          .value();
    }
    EXPECT_TRUE(IsKnown(base)) << label;
    return graph_
        ->AddNode(name, ref ? "VariableV2" : "Placeholder",
                  {{"dtype", base}, {"shape", AnyShape()}})
        .value();
  }

  std::mt19937 random_;
  std::unique_ptr<Graph> graph_;
};

TEST(HostileTest, ShapeFunctionsSurviveAnything) {
  int inferred = 0, fit = 0;
  for (uint32_t seed = 0; seed < 40; ++seed) {
    RandomNode random(seed);
    for (const OpDef& op : AllOps().ops()) {
      if (FindShapeFunction(op.name) == nullptr) continue;
      auto graph = random.Make(op);
      if (graph == nullptr) continue;
      ++inferred;
      auto shapes = InferShapes(*graph);
      fit += shapes.ok();
      if (shapes.ok()) continue;
      EXPECT_THAT(shapes.status().message(), HasSubstr("node \""));
    }
  }
  EXPECT_GT(inferred, 5000);
  EXPECT_GT(fit, 2000);
}

// ---- Messages cut, changed and shuffled.

const char kBase[] = R"(
    p = Placeholder[dtype=bool, shape=[]] ; x = Placeholder[dtype=float, shape=[?]] ; w = Const([1., 2., 3.])
    v = VariableV2[shape=[3], dtype=float, _class=["loc:@u"]] @/job:ps ; set = Assign(v, w) ; u = Identity(v, ^set)
    h = VarHandleOp[shape=[3], dtype=float] @/job:ps/task:1 ; r = ReadVariableOp[dtype=float](h)
    y = AddN(x, u, r) ; s = Switch(y, p) ; a = Neg(s:1) ; b = Neg(s) ; join = Merge(a, b)
    e = Enter[frame_name="f"](join) ; m = Merge(e, next) ; one = Const(1) ; sum = Sum(m, zero) ; zero = Const(0, ^m)
    t = Cast[DstT=bool](sum) ; c = LoopCond(t) ; sw = Switch(m, c) ; body = Neg(sw:1) @/job:w/task:1
    next = NextIteration(body) ; out = Exit(sw) ; n = NoOp(^out, ^set) ; q = Marvel(out) ; d = Neg[T=float](q:1))";

// Passes a graph through all stages, and returns the first error.
absl::Status Compile(const proto::GraphDef& def) {
  static const std::vector<PlaceableDevice> devices =
      Devices({"ps:0", "ps:1", "w:0", "w:1"}, nullptr);
  Graph graph(&AllOps());
  SLUICE_RETURN_IF_ERROR(Import(def, {}, graph));
  SLUICE_RETURN_IF_ERROR(Place(graph, devices, {.allow_soft_placement = true}));
  SLUICE_RETURN_IF_ERROR(InferShapes(graph).status());
  auto clone = graph.Clone();
  SLUICE_RETURN_IF_ERROR(
      ApplySignature({{"x:0", "p"}, {"out:0"}, {"n", "d"}}, devices[2].name, *clone));
  SLUICE_ASSIGN(auto parts, Partition(std::move(clone), {}));
  for (const TaskPartition& part : parts) {
    proto::GraphDef out;
    SLUICE_RETURN_IF_ERROR(Export(*part.graph, &out));
    Graph worker(&AllOps());
    // Imports as a worker does: it accepts all graphs that we make.
    const absl::Status status = Import(out, {.from_client = false}, worker);
    EXPECT_TRUE(status.ok()) << status;
  }
  return absl::OkStatus();
}

proto::GraphDef Base() {
  proto::GraphDef def;
  EXPECT_TRUE(Export(*FromText(kBase), &def).ok());
  return def;
}

TEST(HostileTest, TheUnchangedGraphPassesAllStages) {
  EXPECT_TRUE(Compile(Base()).ok()) << Compile(Base());
}

TEST(HostileTest, SurvivesChangedGraphs) {
  std::mt19937 random(1);
  auto pick = [&](int n) { return static_cast<int>(random() % n); };
  int refused = 0;
  for (int round = 0; round < 4000; ++round) {
    proto::GraphDef def = Base();
    for (int changes = 1 + pick(3); changes > 0; --changes) {
      proto::NodeDef& node = *def.mutable_node(pick(def.node_size()));
      const proto::NodeDef& other = def.node(pick(def.node_size()));
      const int inputs = node.input_size();
      switch (pick(9)) {
        case 0:
          node.set_op(other.op());
          break;
        case 1:
          node.set_op(AllOps().ops()[pick(static_cast<int>(AllOps().ops().size()))].name);
          break;
        case 2:
          node.add_input(other.name());
          break;
        case 3:
          node.add_input("^" + other.name());
          break;
        case 4:
          if (inputs > 0)
            node.set_input(pick(inputs), other.name() + ":" + std::to_string(pick(4)));
          break;
        case 5:
          if (inputs > 0) node.mutable_input()->RemoveLast();
          break;
        case 6:
          *node.mutable_attr() = other.attr();
          break;
        case 7:
          node.set_name(other.name());
          break;
        default:
          node.set_device(other.device());
      }
    }
    refused += !Compile(def).ok();
  }
  EXPECT_GT(refused, 1000);
  EXPECT_LT(refused, 4000);
}

TEST(HostileTest, SurvivesChangedBytes) {
  std::mt19937 random(1);
  const std::string bytes = Base().SerializeAsString();
  google::protobuf::LogSilencer silence;
  for (int round = 0; round < 4000; ++round) {
    std::string changed = bytes;
    for (int changes = 1 + static_cast<int>(random() % 4); changes > 0; --changes) {
      changed[random() % changed.size()] = static_cast<char>(random());
    }
    if (random() % 4 == 0) changed.resize(random() % changed.size());
    proto::GraphDef def;
    if (def.ParseFromString(changed)) (void)Compile(def);
  }
}

TEST(HostileTest, ManyNestedFrames) {
  Graph graph(&AllOps());
  Node* last =
      graph.AddNode("x", "Const", {{"dtype", kFloat}, {"value", Tensor::Scalar<float>(1)}}).value();
  for (int i = 0; i < 10000; ++i) {
    Node* enter =
        graph.AddNode(absl::StrCat("e", i), "Enter", {{"T", kFloat}, {"frame_name", "f"}}).value();
    graph.AddEdge(last, 0, enter, 0);
    last = enter;
  }
  for (Node* node : graph.nodes()) node->device = FullDevice(absl::StrCat("w:", node->id() % 2));
  EXPECT_TRUE(Partition(graph.Clone(), {}).ok());  // every Enter follows the previous one
  Node* far = graph.AddNode("far", "Neg", {{"T", kFloat}}).value();
  Node* near = graph.AddNode("near", "Neg", {{"T", kFloat}}).value();
  far->device = FullDevice("ps:0");
  near->device = FullDevice("w:0");
  graph.AddEdge(last, 0, near, 0);
  graph.AddEdge(near, 0, far, 0);
  EXPECT_EQ(Partition(graph.Clone(), {}).status().code(),
            absl::StatusCode::kInvalidArgument);  // no LoopCond
}

}  // namespace
}  // namespace sluice::graph
