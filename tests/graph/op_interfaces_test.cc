// SPDX-License-Identifier: Apache-2.0
// Compares every interface of graph/ops/*.ops with TensorFlow's, argument by argument and attribute
// by attribute. tests/data/op_interfaces*.pbtxt are TensorFlow's lists.
// tests/data/op_changes_tf2.tsv lists the changes of later versions to the ops of 1.15. Ours are
// the union of both.

#include <gmock/gmock.h>
#include <google/protobuf/stubs/logging.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "core/codec/codec.h"
#include "core/op/attr_text.h"
#include "core/op/op_text.h"
#include "graph/all_ops.h"
#include "graph/ops/embedded_ops.h"
#include "proto/op_def.pb.h"
#include "tests/paths.h"

namespace sluice::graph {
namespace {

using testing::IsEmpty;

std::string ReadData(absl::string_view name) {
  std::ifstream file(SourcePath(absl::StrCat("tests/data/", name)));
  EXPECT_TRUE(file.good()) << name;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// Parses text format. Unknown newer fields are ignored, without messages on stderr.
template <typename Message>
bool ParseMessage(const std::string& text, Message* message) {
  google::protobuf::TextFormat::Parser parser;
  parser.AllowUnknownField(true);
  google::protobuf::SetLogHandler(nullptr);
  return parser.ParseFromString(text, message);
}

// One line of op_changes_tf2.tsv.
struct Change {
  std::string kind;
  std::string attr;
  std::string detail;
};
using Changes = std::map<std::string, std::vector<Change>>;

Changes ReadChanges() {
  Changes changes;
  const std::string text = ReadData("op_changes_tf2.tsv");
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    const std::vector<std::string> column = absl::StrSplit(line, '\t');
    if (column.size() == 5 && column[0] != "op")
      changes[column[0]].push_back({column[2], column[3], column[4]});
  }
  return changes;
}

// The dtypes as op_changes_tf2.tsv abbreviates them.
DType ParseShortName(absl::string_view name) {
  static const auto& names = *new std::map<absl::string_view, DType>{
      {"f16", kHalf},      {"bf16", kBfloat16},   {"f32", kFloat},    {"f64", kDouble},
      {"i8", kInt8},       {"i16", kInt16},       {"i32", kInt32},    {"i64", kInt64},
      {"u8", kUint8},      {"u16", kUint16},      {"u32", kUint32},   {"u64", kUint64},
      {"c64", kComplex64}, {"c128", kComplex128}, {"bool", kBool},    {"str", kString},
      {"qint16", kQint16}, {"quint16", kQuint16}, {"res", kResource}, {"var", kVariant}};
  return names.at(name);
}

// TensorFlow's definition of one attribute, 1.15 and later versions together.
struct ExpectedAttr {
  std::string type;
  std::optional<int64_t> minimum;
  std::set<DType> types;
  std::set<std::string> strings;
  std::optional<Attr> default_value;
};

ExpectedAttr FromProto(const proto::OpDef::AttrDef& def) {
  ExpectedAttr expected;
  expected.type = def.type();
  if (def.has_minimum()) expected.minimum = def.minimum();
  for (int type : def.allowed_values().list().type())
    expected.types.insert(static_cast<DType>(type));
  for (const std::string& s : def.allowed_values().list().s()) expected.strings.insert(s);
  if (def.has_default_value()) expected.default_value = *DecodeAttr(def.default_value());
  return expected;
}

// `int i: 0`: a type, then the default as text format of AttrValue.
ExpectedAttr FromAddition(const std::string& detail) {
  const std::vector<std::string> parts = absl::StrSplit(detail, absl::MaxSplits(' ', 1));
  proto::AttrValue value;
  EXPECT_TRUE(ParseMessage(parts[1], &value)) << detail;
  ExpectedAttr expected;
  expected.type = parts[0];
  expected.default_value = *DecodeAttr(value);
  return expected;
}

std::map<std::string, ExpectedAttr> ExpectedAttrs(const proto::OpDef& op,
                                                  const std::vector<Change>& changes) {
  std::map<std::string, ExpectedAttr> attrs;
  for (const auto& def : op.attr()) attrs[def.name()] = FromProto(def);
  for (const Change& change : changes) {
    if (change.kind == "attr_added") {
      EXPECT_FALSE(attrs.contains(change.attr)) << op.name() << " " << change.attr;
      attrs[change.attr] = FromAddition(change.detail);
    } else if (change.kind == "attr_types_added") {
      for (absl::string_view name : absl::StrSplit(change.detail, ',')) {
        attrs[change.attr].types.insert(ParseShortName(name));
      }
    } else if (change.kind == "attr_values") {
      for (absl::string_view s : absl::StrSplit(change.detail, ' '))
        attrs[change.attr].strings.emplace(s);
    } else if (change.kind == "attr_minimum") {
      attrs[change.attr].minimum = std::stoll(change.detail);
    } else if (change.kind == "attr_any_type") {
      attrs[change.attr].types.clear();
    } else if (change.kind == "attr_default") {
      EXPECT_EQ(change.detail, "required -> type: DT_INT64");
      attrs[change.attr].default_value = kInt64;
    } else {
      // Types and ops that later versions removed stay, and so does the stateful flag of 1.15.
      EXPECT_TRUE(change.kind == "attr_types_removed" || change.kind == "removed" ||
                  change.kind == "stateful" || change.kind == "arg_type_attr")
          << change.kind;
    }
  }
  return attrs;
}

std::string Describe(const ExpectedAttr& a) {
  std::vector<std::string> types;
  for (DType type : a.types) types.push_back(Name(type));
  return absl::StrCat(a.type, " {", absl::StrJoin(types, " "), "} {", absl::StrJoin(a.strings, " "),
                      "} >= ", a.minimum ? absl::StrCat(*a.minimum) : "-", " = ",
                      a.default_value ? a.default_value->ToString() : "-");
}

// Empty lists have no kind on the wire.
bool SameValue(const Attr& ours, const Attr& theirs) {
  return theirs.is<EmptyList>() ? AttrValueText(ours) == "[]" && TypeOf(ours)->list
                                : ours == theirs;
}

bool Same(const AttrDef& ours, const ExpectedAttr& theirs) {
  const std::set<DType> types(ours.allowed_types.begin(), ours.allowed_types.end());
  const std::set<std::string> strings(ours.allowed_strings.begin(), ours.allowed_strings.end());
  if (ours.type.ToString() != theirs.type || ours.minimum != theirs.minimum ||
      types != theirs.types || strings != theirs.strings ||
      ours.default_value.has_value() != theirs.default_value.has_value()) {
    return false;
  }
  if (types.size() != ours.allowed_types.size()) return false;  // a duplicate
  return !ours.default_value || SameValue(*ours.default_value, *theirs.default_value);
}

ArgDef FromProto(const proto::OpDef::ArgDef& arg) {
  return {arg.name(),        static_cast<DType>(arg.type()), arg.type_attr(),
          arg.number_attr(), arg.type_list_attr(),           arg.is_ref()};
}

// Arguments of one fixed type in 1.15 that have an attribute for it in later versions.
proto::OpDef WithLaterArgs(proto::OpDef op, const std::vector<Change>& changes) {
  for (const Change& change : changes) {
    if (change.kind != "arg_type_attr") continue;
    for (auto* args : {op.mutable_input_arg(), op.mutable_output_arg()}) {
      for (proto::OpDef::ArgDef& arg : *args) {
        if (arg.name() != change.attr) continue;
        arg.clear_type();
        arg.set_type_attr(change.detail);
      }
    }
  }
  return op;
}

template <typename Args>
bool SameArgs(const std::vector<ArgDef>& ours, const Args& theirs) {
  return std::equal(
      ours.begin(), ours.end(), theirs.begin(), theirs.end(),
      [](const ArgDef& a, const proto::OpDef::ArgDef& b) { return a == FromProto(b); });
}

// The differences in words; empty if there are none.
std::vector<std::string> Differences(const OpDef& ours, const proto::OpDef& theirs,
                                     const std::vector<Change>& changes) {
  std::vector<std::string> out;
  if (!SameArgs(ours.inputs, theirs.input_arg())) out.push_back("inputs");
  if (!SameArgs(ours.outputs, theirs.output_arg())) out.push_back("outputs");
  if (ours.stateful != theirs.is_stateful()) out.push_back("stateful");
  if (ours.commutative != theirs.is_commutative()) out.push_back("commutative");
  if (ours.aggregate != theirs.is_aggregate()) out.push_back("aggregate");
  if (ours.allows_uninitialized != theirs.allows_uninitialized_input())
    out.push_back("allows_uninitialized");
  if (ours.deprecated != theirs.deprecation().version()) out.push_back("deprecated");
  const auto expected = ExpectedAttrs(theirs, changes);
  for (const auto& [name, attr] : expected) {
    const AttrDef* def = ours.FindAttr(name);
    if (def == nullptr || !Same(*def, attr))
      out.push_back(absl::StrCat(name, ": ", Describe(attr)));
  }
  if (ours.attrs.size() != expected.size()) out.push_back("number of attributes");
  // A client may depend on the order of 1.15's attributes; added ones come after them.
  for (int i = 0; i < theirs.attr_size() && i < static_cast<int>(ours.attrs.size()); ++i) {
    if (ours.attrs[i].name != theirs.attr(i).name())
      out.push_back(absl::StrCat("order at ", ours.attrs[i].name));
  }
  return out;
}

class OpInterfacesTest : public testing::TestWithParam<const char*> {};

TEST_P(OpInterfacesTest, AreTensorFlows) {
  proto::OpList list;
  ASSERT_TRUE(ParseMessage(ReadData(absl::StrCat(GetParam(), ".pbtxt")), &list));
  ASSERT_GE(list.op_size(), 28);
  const Changes changes = ReadChanges();
  ASSERT_GT(changes.size(), 100);
  for (const proto::OpDef& op : list.op()) {
    const OpDef* ours = AllOps().Find(op.name());
    ASSERT_NE(ours, nullptr) << op.name();
    const auto it = changes.find(op.name());
    const auto changed = it == changes.end() ? std::vector<Change>() : it->second;
    EXPECT_THAT(Differences(*ours, WithLaterArgs(op, changed), changed), IsEmpty())
        << ToText(*ours) << op.ShortDebugString();
  }
}

INSTANTIATE_TEST_SUITE_P(, OpInterfacesTest,
                         testing::Values("op_interfaces", "op_interfaces_extra",
                                         "op_interfaces_tf2"),
                         [](const auto& info) { return std::string(info.param); });

TEST(AllOpsTest, HasOnlyOpsOfTensorFlow) {
  std::set<std::string> known = {"SluicePipeModeDataset", "_FusedReluGrad",
                                 "_NcclGroupReduce"};  // ours
  for (const char* file :
       {"op_interfaces.pbtxt", "op_interfaces_extra.pbtxt", "op_interfaces_tf2.pbtxt"}) {
    proto::OpList list;
    ASSERT_TRUE(ParseMessage(ReadData(file), &list));
    for (const proto::OpDef& op : list.op()) known.insert(op.name());
  }
  for (const OpDef& op : AllOps().ops()) EXPECT_TRUE(known.contains(op.name)) << op.name;
}

TEST(AllOpsTest, AreReadBackAsPrinted) {
  for (const OpDef& op : AllOps().ops()) {
    const auto again = ParseOps(op.name, ToText(op));
    ASSERT_TRUE(again.ok()) << again.status();
    ASSERT_EQ(again->size(), 1);
    EXPECT_TRUE((*again)[0] == op) << ToText(op) << ToText((*again)[0]);
  }
}

TEST(AllOpsTest, AreSortedByNameInTheirFile) {
  for (const EmbeddedOps& file : AllOpFiles()) {
    const auto ops =
        ParseOps({file.file.data(), file.file.size()}, {file.text.data(), file.text.size()});
    ASSERT_TRUE(ops.ok()) << ops.status();
    EXPECT_TRUE(std::is_sorted(ops->begin(), ops->end(), [](const OpDef& a, const OpDef& b) {
      return a.name < b.name;
    })) << file.file;
  }
}

}  // namespace
}  // namespace sluice::graph
