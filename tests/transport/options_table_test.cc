// SPDX-License-Identifier: Apache-2.0
#include "transport/options_table.h"

#include <gmock/gmock.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "proto/config.pb.h"
#include "tests/paths.h"

namespace sluice::transport {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using testing::Contains;
using testing::HasSubstr;
using Fate = OptionField::Fate;

std::set<std::string> Rows() {
  std::set<std::string> rows;
  for (const OptionField& row : OptionTable()) {
    EXPECT_TRUE(rows.insert(std::string(row.path)).second) << row.path << " stands twice";
    EXPECT_FALSE(row.why.empty()) << row.path << " has no reason";
  }
  return rows;
}

// Every field has a row, or is a message whose fields have.
void ExpectRows(const Descriptor* message, const std::string& path,
                const std::set<std::string>& rows) {
  for (int i = 0; i < message->field_count(); ++i) {
    const FieldDescriptor* field = message->field(i);
    const std::string name = absl::StrCat(path, ".", field->name());
    if (rows.contains(name)) continue;
    if (field->message_type() == nullptr)
      ADD_FAILURE() << name << " has no row";
    else
      ExpectRows(field->message_type(), name, rows);
  }
}

TEST(OptionsTableTest, HasEveryFieldOnce) {
  const std::set<std::string> rows = Rows();
  ExpectRows(proto::ConfigProto::descriptor(), "ConfigProto", rows);
  ExpectRows(proto::RunOptions::descriptor(), "RunOptions", rows);
}

TEST(OptionsTableTest, TheDocumentIsPrintedFromIt) {
  std::ifstream file(SourcePath("docs/configuration.md"));
  std::ostringstream text;
  text << file.rdbuf();
  EXPECT_TRUE(text.str() == OptionsAsMarkdown())
      << "docs/configuration.md is old: sluice-server --list_options > docs/configuration.md";
}

void SetScalar(const FieldDescriptor* field, const google::protobuf::Reflection& reflection,
               Message* message) {
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_BOOL:
      return reflection.SetBool(message, field, true);
    case FieldDescriptor::CPPTYPE_INT32:
      return reflection.SetInt32(message, field, 1);
    case FieldDescriptor::CPPTYPE_INT64:
      return reflection.SetInt64(message, field, 1);
    case FieldDescriptor::CPPTYPE_FLOAT:
      return reflection.SetFloat(message, field, 0.5f);
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return reflection.SetDouble(message, field, 0.5);
    case FieldDescriptor::CPPTYPE_ENUM:
      return reflection.SetEnumValue(message, field, 1);
    case FieldDescriptor::CPPTYPE_STRING:
      return reflection.SetString(message, field, "x");
    default:
      reflection.MutableMessage(message, field);
  }
}

// Sets the field at `path` to something that is not its default.
void Set(Message* message, absl::string_view path) {
  const std::vector<std::string> parts = absl::StrSplit(path, '.');
  for (size_t i = 0; i < parts.size(); ++i) {
    const FieldDescriptor* field = message->GetDescriptor()->FindFieldByName(parts[i]);
    ASSERT_NE(field, nullptr) << path << ": no field " << parts[i];
    const auto& reflection = *message->GetReflection();
    if (i + 1 < parts.size()) {
      message = reflection.MutableMessage(message, field);
    } else if (!field->is_repeated()) {
      SetScalar(field, reflection, message);
    } else if (field->message_type() != nullptr) {
      reflection.AddMessage(message, field);
    } else {
      reflection.AddString(message, field, "x");
    }
  }
}

class EveryOption : public testing::TestWithParam<OptionField> {};

TEST_P(EveryOption, IsAppliedIgnoredOrRefusedAsItSays) {
  const OptionField& row = GetParam();
  const std::vector<std::string> parts = absl::StrSplit(row.path, absl::MaxSplits('.', 1));
  proto::ConfigProto config;
  proto::RunOptions run;
  Message* message = parts[0] == "ConfigProto" ? static_cast<Message*>(&config) : &run;
  EXPECT_TRUE(CheckOptions(*message, parts[0]).ok());
  Set(message, parts[1]);
  const absl::Status status = CheckOptions(*message, parts[0]);
  const std::vector<std::string> ignored = IgnoredOptions(*message, parts[0]);
  EXPECT_EQ(status.ok(), row.fate != Fate::kRefused) << status;
  if (row.fate == Fate::kRefused) {
    EXPECT_THAT(std::string(status.message()), HasSubstr(parts[1]));
  }
  if (row.fate == Fate::kIgnored) {
    EXPECT_THAT(ignored, Contains(parts[1]));
  } else {
    EXPECT_TRUE(ignored.empty()) << absl::StrJoin(ignored, ", ");
  }
}

INSTANTIATE_TEST_SUITE_P(Table, EveryOption,
                         testing::ValuesIn(OptionTable().begin(), OptionTable().end()),
                         [](const testing::TestParamInfo<OptionField>& info) {
                           std::string name(info.param.path);
                           for (char& c : name) c = c == '.' ? '_' : c;
                           return name;
                         });

TEST(OptionsTableTest, ADisabledOptionIsNotRefused) {
  proto::ConfigProto config;
  config.mutable_graph_options()->mutable_rewrite_options()->set_debug_stripper(
      proto::RewriterConfig::OFF);
  EXPECT_TRUE(CheckOptions(config, "ConfigProto").ok());
}

}  // namespace
}  // namespace sluice::transport
