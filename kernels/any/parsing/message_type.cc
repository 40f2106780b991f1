// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/parsing/message_type.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>

#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/strip.h"
#include "core/io/file.h"

namespace sluice::kernels {
namespace {

namespace pb = google::protobuf;

constexpr absl::string_view kLocal = "local://", kBytes = "bytes://";
// This program has TensorFlow's messages in a package of its own.
constexpr absl::string_view kOurs = "sluice.proto.", kTheirs = "tensorflow.";
// A set of descriptors is smaller; a path may be that of a device, which has no end.
constexpr uint64_t kMaxFileBytes = uint64_t{256} << 20;

// Keeps the first error, which Protobuf would write to the log.
class FirstError final : public pb::DescriptorPool::ErrorCollector {
 public:
  void AddError(const std::string& file, const std::string& element, const pb::Message*,
                ErrorLocation, const std::string& message) override {
    if (text_.empty()) text_ = Cat(file, ": ", element, ": ", message);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

absl::Status NoDescriptorSet(absl::string_view why) {
  return InvalidArgument("Source does not represent serialized file descriptor set proto", why);
}

absl::StatusOr<std::string> ReadDescriptors(const std::string& path) {
  SLUICE_RETURN_IF_ERROR(FileSystemOf(path).status());
  const absl::StatusOr<FileInfo> file = DescribeFile(path);
  if (!file.ok()) return NoDescriptorSet(Cat(": ", file.status().message()));
  if (file->folder || file->size == 0 || file->size > kMaxFileBytes)
    return NoDescriptorSet(Cat(": ", path, " is a folder, empty or too large"));
  absl::StatusOr<std::string> bytes = ReadFile(path);
  if (!bytes.ok()) return NoDescriptorSet(Cat(": ", bytes.status().message()));
  return bytes;
}

absl::StatusOr<std::unique_ptr<pb::DescriptorPool>> PoolOf(const std::string& bytes) {
  pb::FileDescriptorSet set;
  if (!set.ParseFromString(bytes)) return NoDescriptorSet(".");
  auto pool = std::make_unique<pb::DescriptorPool>();
  for (const pb::FileDescriptorProto& file : set.file()) {
    FirstError error;
    if (pool->BuildFileCollectingErrors(file, &error) != nullptr) continue;
    return InvalidArgument("Failed to load FileDescriptorProto: name: \"", file.name(), "\" (",
                           error.text(), ")");
  }
  return pool;
}

}  // namespace

MessageType::MessageType(std::unique_ptr<pb::DescriptorPool> own_pool,
                         const pb::Descriptor* descriptor)
    : own_pool_(std::move(own_pool)), descriptor_(descriptor) {}
MessageType::~MessageType() = default;

absl::StatusOr<std::shared_ptr<const MessageType>> MessageType::Create(const NodeSpec& node) {
  SLUICE_ASSIGN(const std::string source, node.Get<std::string>("descriptor_source"));
  SLUICE_ASSIGN(const std::string name, node.Get<std::string>("message_type"));
  std::unique_ptr<pb::DescriptorPool> own_pool;
  const pb::Descriptor* found = nullptr;
  if (source == kLocal || source.empty()) {
    absl::string_view rest = name;
    const bool ours = absl::ConsumePrefix(&rest, kTheirs);
    found =
        pb::DescriptorPool::generated_pool()->FindMessageTypeByName(ours ? Cat(kOurs, rest) : name);
  } else {
    std::string bytes;
    if (absl::StartsWith(source, kBytes)) {
      bytes = source.substr(kBytes.size());
    } else {
      SLUICE_ASSIGN(bytes, ReadDescriptors(source));
    }
    SLUICE_ASSIGN(own_pool, PoolOf(bytes));
    found = own_pool->FindMessageTypeByName(name);
  }
  if (found == nullptr) return InvalidArgument("No descriptor found for message type ", name);
  return std::make_shared<const MessageType>(std::move(own_pool), found);
}

std::string TensorFlowName(absl::string_view full_name) {
  const bool ours = absl::ConsumePrefix(&full_name, kOurs);
  return Cat(ours ? kTheirs : "", full_name);
}

absl::StatusOr<const pb::FieldDescriptor*> MessageType::Field(const std::string& name) const {
  if (const auto* field = descriptor_->FindFieldByName(name); field != nullptr) return field;
  return InvalidArgument("Unknown field: ", name, " in message type ",
                         TensorFlowName(descriptor_->full_name()));
}

const pb::FieldDescriptor* MessageType::Extension(const std::string& name) const {
  const pb::FieldDescriptor* field = descriptor_->file()->pool()->FindExtensionByName(name);
  return field != nullptr && field->containing_type() == descriptor_ ? field : nullptr;
}

bool Holds(DType dtype, const pb::FieldDescriptor& field) {
  switch (field.cpp_type()) {
    case pb::FieldDescriptor::CPPTYPE_DOUBLE:
      return dtype == kDouble;
    case pb::FieldDescriptor::CPPTYPE_FLOAT:
      return dtype == kFloat || dtype == kDouble;
    case pb::FieldDescriptor::CPPTYPE_INT32:
      return dtype == kInt32 || dtype == kInt64;
    case pb::FieldDescriptor::CPPTYPE_INT64:
      return dtype == kInt64;
    case pb::FieldDescriptor::CPPTYPE_UINT32:
      return dtype == kUint32 || dtype == kUint64;
    case pb::FieldDescriptor::CPPTYPE_UINT64:
      return dtype == kUint64;
    case pb::FieldDescriptor::CPPTYPE_BOOL:
      return dtype == kBool;
    case pb::FieldDescriptor::CPPTYPE_ENUM:
      return dtype == kInt32;
    case pb::FieldDescriptor::CPPTYPE_STRING:
    case pb::FieldDescriptor::CPPTYPE_MESSAGE:
      return dtype == kString;
  }
  return false;
}

}  // namespace sluice::kernels
