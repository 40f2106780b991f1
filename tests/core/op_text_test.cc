// SPDX-License-Identifier: Apache-2.0
#include "core/op/op_text.h"

#include <cmath>
#include <cstdint>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "core/op/op_registry.h"

namespace sluice {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

OpDef ParseOne(absl::string_view text) {
  auto ops = ParseOps("test.ops", text);
  EXPECT_TRUE(ops.ok()) << ops.status();
  if (!ops.ok() || ops->size() != 1) {
    ADD_FAILURE() << "not one op: " << text;
    return OpDef();
  }
  return (*ops)[0];
}

// The op "X" with one attribute line, without argument.
AttrDef ParseAttr(absl::string_view line) {
  const OpDef op = ParseOne(absl::StrCat("op X()\n  ", line, "\n"));
  return op.attrs.size() == 1 ? op.attrs[0] : AttrDef();
}

template <typename T>
T Default(absl::string_view line) {
  const AttrDef attr = ParseAttr(line);
  const T* value = attr.default_value ? attr.default_value->get_if<T>() : nullptr;
  EXPECT_NE(value, nullptr) << line;
  return value != nullptr ? *value : T();
}

TEST(OpTextTest, ReadsEveryFormOfArgument) {
  const OpDef op = ParseOne(
      "op X(a: T, b: N*T, c: Ref(T), d: list(L), e: N*int32,\n"
      "     f: N*Ref(T), g: Ref(string)) -> (y: resource, z: list(L))\n"
      "  N: int\n  T: type\n  L: list(type)\n");
  EXPECT_EQ(op.name, "X");
  ASSERT_EQ(op.inputs.size(), 7);
  EXPECT_EQ(op.inputs[0], (ArgDef{"a", kInvalid, "T", "", "", false}));
  EXPECT_EQ(op.inputs[1], (ArgDef{"b", kInvalid, "T", "N", "", false}));
  EXPECT_EQ(op.inputs[2], (ArgDef{"c", kInvalid, "T", "", "", true}));
  EXPECT_EQ(op.inputs[3], (ArgDef{"d", kInvalid, "", "", "L", false}));
  EXPECT_EQ(op.inputs[4], (ArgDef{"e", kInt32, "", "N", "", false}));
  EXPECT_EQ(op.inputs[5], (ArgDef{"f", kInvalid, "T", "N", "", true}));
  EXPECT_EQ(op.inputs[6], (ArgDef{"g", kString, "", "", "", true}));
  EXPECT_EQ(op.outputs[0], (ArgDef{"y", kResource, "", "", "", false}));
  EXPECT_EQ(op.OutputIndex("z"), 1);
  EXPECT_EQ(op.InputIndex("z"), -1);
}

TEST(OpTextTest, ReadsFlags) {
  const OpDef op = ParseOne(
      "op X() -> y: int32   stateful commutative aggregate allows_uninitialized deprecated(13)");
  EXPECT_TRUE(op.stateful && op.commutative && op.aggregate && op.allows_uninitialized);
  EXPECT_EQ(op.deprecated, 13);
  const OpDef plain = ParseOne("op X()");
  EXPECT_FALSE(plain.stateful || plain.commutative || plain.aggregate ||
               plain.allows_uninitialized);
  EXPECT_EQ(plain.deprecated, 0);
}

TEST(OpTextTest, ReadsTheTraitsOfTheRuntime) {
  const OpDef op = ParseOne(
      "op X()   stateful random no_side_effect shape_only dataset session_tensors debug follows_1x "
      "kind(switch) fused(bias, _FusedY)");
  EXPECT_TRUE(op.random && op.no_side_effect && op.shape_only && op.dataset && op.session_tensors &&
              op.debug && op.follows_1x);
  EXPECT_EQ(op.kind, OpKind::kSwitch);
  EXPECT_EQ(op.fused, (FusedOp{"_FusedY", OpKind::kBias}));
  const OpDef plain = ParseOne("op X()");
  EXPECT_FALSE(plain.random || plain.no_side_effect || plain.shape_only || plain.dataset ||
               plain.session_tensors || plain.debug || plain.follows_1x);
  EXPECT_EQ(plain.kind, OpKind::kCompute);
  EXPECT_EQ(plain.fused, FusedOp());
}

TEST(OpTextTest, NamesEveryKind) {
  for (int k = 1; k <= static_cast<int>(OpKind::kBiasGrad); ++k) {
    const auto kind = static_cast<OpKind>(k);
    EXPECT_EQ(ParseOpKind(Name(kind)), kind) << Name(kind);
  }
  EXPECT_EQ(ParseOpKind(""), std::nullopt);
  EXPECT_EQ(ParseOpKind("no_kind"), std::nullopt);
}

TEST(OpTextTest, DistinguishesPropertiesFromAttributesOfTheSameName) {
  const OpDef op = ParseOne(
      "op X()\n  differs: string = \"a\"\n  shape: shape\n  op: int\n"
      "  differs = Says # nothing: in words.\n");
  EXPECT_EQ(op.attrs.size(), 3);
  EXPECT_EQ(op.FindAttr("shape")->type, (AttrType{AttrKind::kShape, false}));
  EXPECT_EQ(op.differs, "Says # nothing: in words.");
}

TEST(OpTextTest, ReadsTypesAndMinima) {
  EXPECT_EQ(ParseAttr("a: list(func) >= 2").type, (AttrType{AttrKind::kFunc, true}));
  EXPECT_EQ(ParseAttr("a: list(func) >= 2").minimum, 2);
  EXPECT_EQ(ParseAttr("a: int >= -1 = 3").minimum, -1);
  EXPECT_EQ(ParseAttr("a: int").minimum, std::nullopt);
  EXPECT_THAT(ParseAttr("a: {float int32}").allowed_types, ElementsAre(kFloat, kInt32));
  EXPECT_THAT(ParseAttr("a: {floats string}").allowed_types,
              ElementsAre(kHalf, kBfloat16, kFloat, kDouble, kString));
  EXPECT_EQ(ParseAttr("a: {numbers}").allowed_types.size(), 19);
  const AttrDef list = ParseAttr("a: list({\"x\" \"y z\"}) >= 1");
  EXPECT_THAT(list.allowed_strings, ElementsAre("x", "y z"));
  EXPECT_EQ(list.type, (AttrType{AttrKind::kString, true}));
}

TEST(OpTextTest, ReadsDefaultsOfEveryKind) {
  EXPECT_EQ(Default<std::string>("a: string = \"q\\\" \\\\ # \\n\\x01 end\""),
            "q\" \\ # \n\x01 end");
  EXPECT_EQ(Default<int64_t>("a: int = -9223372036854775808"), INT64_MIN);
  EXPECT_EQ(Default<float>("a: float = 1e-5"), 1e-5f);
  EXPECT_EQ(Default<float>("a: float = -inf"), -INFINITY);
  EXPECT_EQ(Default<bool>("a: bool = true"), true);
  EXPECT_EQ(Default<DType>("a: type = bfloat16"), kBfloat16);
  EXPECT_EQ(Default<PartialShape>("a: shape = ?"), PartialShape());
  EXPECT_EQ(Default<PartialShape>("a: shape = []"), PartialShape(Shape{}));
  EXPECT_EQ(Default<PartialShape>("a: shape = [2, ?]"), (PartialShape{2, -1}));
  EXPECT_THAT(Default<std::vector<int64_t>>("a: list(int) = [1,\n 2]"), ElementsAre(1, 2));
  EXPECT_TRUE(Default<std::vector<bool>>("a: list(bool) = []").empty());
  EXPECT_EQ(Default<std::vector<PartialShape>>("a: list(shape) = [[2], ?]").size(), 2);
  EXPECT_THAT(Default<std::vector<DType>>("a: list({float int32}) = [float]"), ElementsAre(kFloat));
}

TEST(OpTextTest, ReadsTensorsAndFunctions) {
  const Tensor t = Default<Tensor>("a: tensor = tensor(uint8, [2, 2], [255, 0, 0, 255])");
  EXPECT_EQ(t.dtype(), kUint8);
  EXPECT_EQ(t.shape(), (Shape{2, 2}));
  EXPECT_THAT(t.flat<uint8_t>(), ElementsAre(255, 0, 0, 255));
  EXPECT_EQ(Default<Tensor>("a: tensor = tensor(complex64, [], [(1, -2)])").scalar<Complex64>(),
            Complex64(1, -2));
  EXPECT_THAT(Default<Tensor>("a: tensor = tensor(string, [2], [\"x\", \"\"])").flat<std::string>(),
              ElementsAre("x", ""));
  EXPECT_THAT(Default<Tensor>("a: tensor = tensor(bool, [2], [true, false])").flat<bool>(),
              ElementsAre(true, false));
  EXPECT_EQ(Default<FunctionRef>("a: func = __body_1").attrs, nullptr);
  const auto f = Default<FunctionRef>("a: func = Body{T: type = float, g: func = G{n: int = 1}}");
  EXPECT_EQ(f.name, "Body");
  ASSERT_NE(f.attrs, nullptr);
  EXPECT_EQ(*GetAttr<DType>(*f.attrs, "T"), kFloat);
  EXPECT_EQ(*GetAttr<int64_t>(*GetAttr<FunctionRef>(*f.attrs, "g")->attrs, "n"), 1);
}

TEST(OpTextTest, SkipsCommentsBlankLinesAndCarriageReturns) {
  auto ops = ParseOps(
      "t",
      "# head\n\r\n  # indented comment\nop A()  # tail\r\n\n  n: int # why\n\n\top: int\nop B()");
  ASSERT_TRUE(ops.ok()) << ops.status();
  ASSERT_EQ(ops->size(), 2);
  EXPECT_EQ((*ops)[0].attrs.size(), 2);
  EXPECT_TRUE(ParseOps("t", "")->empty());
  EXPECT_TRUE(ParseOps("t", "\n # only a comment")->empty());
}

struct BadText {
  absl::string_view text;
  absl::string_view error;
};

TEST(OpTextTest, SaysWhatIsWrongAndWhere) {
  const BadText cases[] = {
      {"opp X()", "t.ops:1: expected 'op' in the first column"},
      {"\n  n: int", "t.ops:2: expected 'op' in the first column"},
      {"op X", "t.ops:1: expected '(', found the end of the text"},
      {"op X()\n\nop Y(\n  a T)", "t.ops:4: expected ':', found 'T'"},
      {"op X(a: int32, a: int32)", "t.ops:1: two arguments 'a'"},
      {"op X(a: N*list(L))\n  N: int\n  L: list(type)",
       "t.ops:1: 'a' is a list, a number of times"},
      {"\nop X(a: T)\n  n: int\n",
       "t.ops:2: op X: argument 'a' needs an attribute 'T' of type type"},
      {"op X(a: list(T))\n  T: type", "needs an attribute 'T' of type list(type)"},
      {"op X() -> a: N*T\n  T: type\n  N: type", "needs an attribute 'N' of type int"},
      {"op X() statefull", "t.ops:1: unknown flag 'statefull'"},
      {"op X() kind(swich)", "t.ops:1: unknown kind 'swich'"},
      {"op X() kind()", "t.ops:1: expected the name of a kind"},
      {"op X() deprecated(0)", "t.ops:1: no version: 0"},
      {"op X()\n  n: int\n  n: int", "t.ops:3: two attributes 'n'"},
      {"op X()\n  float: int", "t.ops:2: attribute 'float' has the name of a dtype"},
      {"op X()\n  n: integer", "t.ops:2: 'integer' is not an attribute type"},
      {"op X()\n  n: list(list(int))", "t.ops:2: a list of lists"},
      {"op X()\n  n: {float real}", "t.ops:2: 'real' is not a dtype"},
      {"op X()\n  n: {}", "t.ops:2: expected a dtype, found '}'"},
      {"op X()\n  n: float >= 1", "t.ops:2: only an int or a list has a minimum"},
      {"op X()\n  n: int >= 1 = 0", "value for attr 'n' of 0 must be at least minimum 1"},
      {"op X()\n  n: {float} = int32", "is not in the list of allowed values: float"},
      {"op X()\n  n: int = 1.5", "t.ops:2: expected an integer, found '1.5'"},
      {"op X()\n  n: int = 99999999999999999999", "expected an integer"},
      {"op X()\n  n: bool = yes", "t.ops:2: expected true or false"},
      {"op X()\n  n: string = \"abc\n", "t.ops:2: a string has no closing quote"},
      {"op X()\n  n: string = \"abc\\", "t.ops:2: a string has no closing quote"},
      {"op X()\n  n: shape = [-3]", "t.ops:2: a dimension is negative"},
      {"op X()\n  n: shape = [4611686018427387904, 4]", "t.ops:2: "},
      {"op X()\n  n: tensor = tensor(uint8, [1000000000000], [1])", "has 1 values"},
      {"op X()\n  n: tensor = tensor(uint8, [1], [256])", "256 does not fit the tensor's type"},
      {"op X()\n  n: tensor = tensor(resource, [0], [])", "no notation for a tensor of resource"},
      {"op X()\n  n: list(int) = [1 2]", "t.ops:2: expected ']', found '2'"},
      {"op X()\n  n: int 3", "t.ops:2: expected the end of the line after attribute 'n'"},
      {"op X()\n  summary = text", "t.ops:2: unknown property 'summary'"},
      {"op X(\n\n\n", "t.ops:4: expected the name of an argument, found the end of the text"},
  };
  for (const BadText& c : cases) {
    const auto ops = ParseOps("t.ops", c.text);
    EXPECT_EQ(ops.status().code(), absl::StatusCode::kInvalidArgument) << c.text;
    EXPECT_THAT(std::string(ops.status().message()), HasSubstr(std::string(c.error))) << c.text;
  }
}

TEST(OpTextTest, RefusesDeepNesting) {
  std::string deep = "op X()\n  f: func = ";
  for (int i = 0; i < 100'000; ++i) deep += "F{f: func = ";
  EXPECT_THAT(ParseOps("t", deep).status().ToString(),
              HasSubstr("functions are nested too deeply"));
  for (char open : {'[', '(', '{'}) {
    EXPECT_FALSE(
        ParseOps("t", absl::StrCat("op X()\n  s: shape = ", std::string(100'000, open))).ok());
    EXPECT_FALSE(ParseOps("t", absl::StrCat("op X", std::string(100'000, open))).ok());
    EXPECT_FALSE(
        ParseOps("t", absl::StrCat("op X()\n  a: list(shape) = ", std::string(100'000, open)))
            .ok());
  }
}

TEST(OpTextTest, SurvivesEveryPrefixOfAText) {
  const std::string text =
      "op X(a: N*Ref(T), b: list(L)) -> (y: T, z: int32) stateful deprecated(3)\n  N: int >= 1 = "
      "2\n"
      "  T: {floats} = float\n  L: list(type) = [float]\n  s: {\"A\" \"B\"} = \"A\"\n"
      "  f: func = F{t: tensor = tensor(float, [1], [1.5])}\n  differs = words\n";
  for (size_t n = 0; n < text.size(); ++n) {
    const auto ops = ParseOps("t", text.substr(0, n));
    if (!ops.ok()) {
      EXPECT_EQ(ops.status().code(), absl::StatusCode::kInvalidArgument);
    }
  }
  EXPECT_TRUE(ParseOps("t", text).ok());
}

TEST(OpTextTest, PrintsWhatItReads) {
  const std::string text =
      "op X(a: N*Ref(T), b: list(L), c: Ref(string)) -> (y: T, z: int32)   stateful commutative "
      "deprecated(3) kind(merge)\n"
      "  N: int >= 1 = 2\n"
      "  T: {numbers variant} = float\n"
      "  L: list({floats}) >= 1 = [float]\n"
      "  s: {\"A\" \"B\\n\\\"\"} = \"A\"\n"
      "  r: float = 1e-05\n"
      "  t: tensor = tensor(complex64, [2], [(1, 2), (0.1, -3)])\n"
      "  u: list(shape) = [[2, ?], ?, []]\n"
      "  v: bool = false\n"
      "  w: func = F{T: type = float, l: list(int) = [1, 2]}\n"
      "  differs = One line of words.\n";
  const OpDef op = ParseOne(text);
  EXPECT_EQ(ToText(op), text);
  EXPECT_EQ(ToText(ParseOne("op X()")), "op X()\n");
  EXPECT_EQ(ToText(ParseOne("op X() aggregate")), "op X()   aggregate\n");
}

TEST(OpRegistryTest, FindsOpsOfAllFilesInOrder) {
  auto registry = OpRegistry::Parse({{"a.ops", "op B()\nop C()"}, {"b.ops", "op A() -> y: int32"}});
  ASSERT_TRUE(registry.ok()) << registry.status();
  const OpRegistry moved = *std::move(registry);
  ASSERT_NE(moved.Find("A"), nullptr);
  EXPECT_EQ(moved.Find("A")->outputs.size(), 1);
  EXPECT_EQ(moved.Find("D"), nullptr);
  EXPECT_EQ(moved.ops()[0].name, "A");
  EXPECT_EQ(moved.ops()[2].name, "C");
}

TEST(OpRegistryTest, RefusesTwoOpsOfOneName) {
  const auto twice = OpRegistry::Parse({{"a.ops", "op A()"}, {"b.ops", "op A()"}});
  EXPECT_EQ(twice.status().code(), absl::StatusCode::kAlreadyExists);
  EXPECT_THAT(OpRegistry::Parse({{"a.ops", "op A()"}, {"b.ops", "op"}}).status().ToString(),
              HasSubstr("b.ops:1: "));
}

}  // namespace
}  // namespace sluice
