// SPDX-License-Identifier: Apache-2.0
#include "core/op/op_def.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/op/op_text.h"

namespace sluice {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

OpDef Op(absl::string_view text) {
  auto ops = ParseOps("test.ops", text);
  EXPECT_TRUE(ops.ok()) << ops.status();
  return ops.ok() ? (*ops)[0] : OpDef();
}

constexpr absl::string_view kMixed =
    "op Mixed(a: T, b: N*T, c: Ref(T), d: list(L), e: N*Ref(int32)) -> (x: list(L), y: N*string)\n"
    "  N: int >= 1\n  T: {float double}\n  L: list(type)\n";

TEST(ResolveArgsTest, GivesFlatTypesAndRanges) {
  const AttrMap attrs = {
      {"N", 2}, {"T", kDouble}, {"L", std::vector<DType>{kBool, kInt64, kString}}};
  ArgTypes inputs, outputs;
  ASSERT_TRUE(ResolveArgs(Op(kMixed), attrs, &inputs, &outputs).ok());
  const DType ref = MakeRef(kDouble), int_ref = MakeRef(kInt32);
  EXPECT_THAT(inputs.types, ElementsAre(kDouble, kDouble, kDouble, ref, kBool, kInt64, kString,
                                        int_ref, int_ref));
  EXPECT_THAT(inputs.ranges, ElementsAre(ArgRange{0, 1}, ArgRange{1, 3}, ArgRange{3, 4},
                                         ArgRange{4, 7}, ArgRange{7, 9}));
  EXPECT_THAT(outputs.types, ElementsAre(kBool, kInt64, kString, kString, kString));
  EXPECT_THAT(outputs.ranges, ElementsAre(ArgRange{0, 3}, ArgRange{3, 5}));
  EXPECT_EQ(outputs.ranges[1].size(), 2);
}

TEST(ResolveArgsTest, TakesEmptyListsAndForgetsWhatWasThere) {
  const AttrMap attrs = {{"N", 0}, {"T", kFloat}, {"L", EmptyList()}};
  ArgTypes inputs{{kInt8}, {{0, 1}}}, outputs{{kInt8}, {{0, 1}}};
  ASSERT_TRUE(ResolveArgs(Op(kMixed), attrs, &inputs, &outputs).ok());
  EXPECT_THAT(inputs.types, ElementsAre(kFloat, MakeRef(kFloat)));
  EXPECT_THAT(outputs.types, IsEmpty());
  EXPECT_THAT(outputs.ranges, ElementsAre(ArgRange{0, 0}, ArgRange{0, 0}));
}

TEST(ResolveArgsTest, RefusesWhatItCannotResolve) {
  const AttrMap good = {{"N", 1}, {"T", kFloat}, {"L", EmptyList()}};
  const auto resolve = [&](absl::string_view name, std::optional<Attr> value) {
    AttrMap attrs = good;
    attrs.erase(std::string(name));
    if (value) attrs.emplace(std::string(name), *value);
    ArgTypes inputs, outputs;
    return std::string(ResolveArgs(Op(kMixed), attrs, &inputs, &outputs).message());
  };
  EXPECT_THAT(resolve("T", std::nullopt), AllOf(HasSubstr("Op<name=Mixed>"), HasSubstr("\"T\"")));
  EXPECT_THAT(resolve("T", Attr(AttrPlaceholder{"T"})), HasSubstr("\"T\""));
  EXPECT_THAT(resolve("T", Attr(1)), HasSubstr("\"T\""));
  EXPECT_THAT(resolve("L", Attr(kFloat)), HasSubstr("\"L\""));
  EXPECT_THAT(resolve("N", Attr(-1)), HasSubstr("attr 'N' gives argument 'b' -1 tensors"));
  EXPECT_THAT(resolve("N", Attr(int64_t{1} << 40)), HasSubstr("a node may have 0 to 1048576"));
  EXPECT_THAT(resolve("N", Attr(kMaxArgs)), HasSubstr("a node may have 0 to 1048576"));
}

constexpr absl::string_view kChecked =
    "op Checked(a: T) -> b: T\n"
    "  T: {float double}\n  padding: {\"SAME\" \"VALID\"} = \"SAME\"\n  n: int >= 1 = 3\n"
    "  sizes: list(int) >= 2 = [1, 1]\n  types: list({int32}) = []\n  shape: shape = ?\n  f: func "
    "= F\n";

TEST(CheckAndCompleteAttrsTest, FillsDefaults) {
  AttrMap attrs = {{"T", kFloat}, {"n", 5}};
  ASSERT_TRUE(CheckAndCompleteAttrs(Op(kChecked), attrs).ok());
  EXPECT_EQ(attrs.size(), 7);
  EXPECT_EQ(*GetAttr<int64_t>(attrs, "n"), 5);
  EXPECT_EQ(*GetAttr<std::string>(attrs, "padding"), "SAME");
  EXPECT_EQ(attrs.at("sizes"), Attr(std::vector<int64_t>{1, 1}));
  EXPECT_EQ(GetAttr<FunctionRef>(attrs, "f")->name, "F");
}

TEST(CheckAndCompleteAttrsTest, GivesListsOfNoKindTheirKind) {
  AttrMap attrs = {{"T", kFloat}, {"types", EmptyList()}};
  ASSERT_TRUE(CheckAndCompleteAttrs(Op(kChecked), attrs).ok());
  EXPECT_TRUE(attrs.at("types").is<std::vector<DType>>());
  attrs["types"] = Attr();
  ASSERT_TRUE(CheckAndCompleteAttrs(Op(kChecked), attrs).ok());
  EXPECT_TRUE(attrs.at("types").is<std::vector<DType>>());
}

TEST(CheckAndCompleteAttrsTest, LeavesUnderscoreNamesAndPlaceholdersAlone) {
  AttrMap attrs = {
      {"T", AttrPlaceholder{"T"}}, {"_class", std::vector<std::string>{"loc:@a"}}, {"_x", Attr()}};
  ASSERT_TRUE(CheckAndCompleteAttrs(Op(kChecked), attrs).ok());
  EXPECT_TRUE(attrs.at("T").is<AttrPlaceholder>());
  EXPECT_TRUE(attrs.contains("_class"));
}

struct BadAttr {
  std::string name;
  Attr value;
  absl::string_view error;
};

TEST(CheckAndCompleteAttrsTest, NamesAttributeAndOp) {
  const BadAttr cases[] = {
      {"other", 1, "NodeDef mentions attr 'other' not in Op<name=Checked>"},
      {"T", Attr(), "attr 'T' is missing its value, of type 'type'"},
      {"T", 1, "attr 'T' had value with type 'int' when 'type' expected"},
      {"T", kInt32,
       "value for attr 'T' of int32 is not in the list of allowed values: float, double"},
      {"T", MakeRef(kFloat), "attr 'T' must not have reference type float_ref"},
      {"T", kInvalid, "attr 'T' has invalid "},
      {"T", static_cast<DType>(999), "attr 'T' has invalid "},
      {"T", EmptyList(), "attr 'T' had value with type 'list' when 'type' expected"},
      {"n", 0, "value for attr 'n' of 0 must be at least minimum 1"},
      {"n", true, "attr 'n' had value with type 'bool' when 'int' expected"},
      {"padding", "FULL",
       "value for attr 'padding' of \"FULL\" is not in the list of allowed values: \"SAME\""},
      {"padding", "\x01\xff", "value for attr 'padding' of \"\\x01\\xff\" is not"},
      {"sizes", std::vector<int64_t>{1}, "length for attr 'sizes' of 1 must be at least minimum 2"},
      {"sizes", EmptyList(), "length for attr 'sizes' of 0 must be at least minimum 2"},
      {"sizes", 1, "attr 'sizes' had value with type 'int' when 'list(int)' expected"},
      {"types", std::vector<DType>{kInt32, kFloat},
       "value for attr 'types' of float is not in the list"},
      {"types", std::vector<DType>{kInvalid}, "attr 'types' has invalid "},
      {"types", std::vector<std::string>{}, "'list(string)' when 'list(type)' expected"},
  };
  for (const BadAttr& c : cases) {
    AttrMap attrs = {{"T", kFloat}};
    attrs[c.name] = c.value;
    const absl::Status status = CheckAndCompleteAttrs(Op(kChecked), attrs);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << c.error;
    EXPECT_THAT(std::string(status.message()),
                AllOf(HasSubstr(std::string(c.error)), HasSubstr("Op<name=Checked>")));
  }
  AttrMap missing;
  EXPECT_EQ(CheckAndCompleteAttrs(Op(kChecked), missing).message(),
            "NodeDef missing attr 'T' from Op<name=Checked>");
}

TEST(AttrTypeTest, ReadsTensorFlowsSpelling) {
  for (absl::string_view text : {"string", "int", "float", "bool", "type", "shape", "tensor",
                                 "func", "list(int)", "list(func)"}) {
    const auto type = AttrType::Parse(text);
    ASSERT_TRUE(type.has_value()) << text;
    EXPECT_EQ(type->ToString(), text);
  }
  for (absl::string_view text : {"", "list", "list(", "list()", "int)", "list(list(int))", "Int"}) {
    EXPECT_FALSE(AttrType::Parse(text).has_value()) << text;
  }
}

TEST(AttrTypeTest, KnowsTheTypeOfAValue) {
  EXPECT_EQ(TypeOf(Attr(kFloat)), (AttrType{AttrKind::kType, false}));
  EXPECT_EQ(TypeOf(Attr(std::vector<bool>{true})), (AttrType{AttrKind::kBool, true}));
  EXPECT_EQ(TypeOf(Attr(EmptyList())), std::nullopt);
  EXPECT_EQ(TypeOf(Attr(AttrPlaceholder{"x"})), std::nullopt);
  EXPECT_EQ(TypeOf(Attr()), std::nullopt);
}

}  // namespace
}  // namespace sluice
