// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_PARSING_MESSAGE_TYPE_H_
#define SLUICE_KERNELS_ANY_PARSING_MESSAGE_TYPE_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/op/node_spec.h"
#include "core/tensor/dtype.h"

namespace google::protobuf {
class Descriptor;
class DescriptorPool;
class FieldDescriptor;
}  // namespace google::protobuf

namespace sluice::kernels {

// A MessageType is a type of Protobuf messages that a program describes, with all types that it
// refers to.
//
// Threads:  any; constant after construction.
class MessageType {
 public:
  // Reads the attributes message_type and descriptor_source. A source is "bytes://" and a serialised
  // FileDescriptorSet, a path of a file that contains one, or "local://": the types of TensorFlow's
  // own messages. INVALID_ARGUMENT if the source has no such type.
  static absl::StatusOr<std::shared_ptr<const MessageType>> Create(const NodeSpec& node);
  MessageType(std::unique_ptr<google::protobuf::DescriptorPool> own_pool,
              const google::protobuf::Descriptor* descriptor);
  ~MessageType();

  const google::protobuf::Descriptor& descriptor() const { return *descriptor_; }
  // The field of this name. INVALID_ARGUMENT if there is none.
  absl::StatusOr<const google::protobuf::FieldDescriptor*> Field(const std::string& name) const;
  // An extension that other files add, by its full name; null if there is none.
  const google::protobuf::FieldDescriptor* Extension(const std::string& name) const;

 private:
  const std::unique_ptr<google::protobuf::DescriptorPool> own_pool_;  // null for local types
  const google::protobuf::Descriptor* const descriptor_;
};

// The name that TensorFlow gives to a message or field with this full name, for errors.
std::string TensorFlowName(absl::string_view full_name);

// Whether tensors of `dtype` can hold the field's values.
bool Holds(DType dtype, const google::protobuf::FieldDescriptor& field);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_PARSING_MESSAGE_TYPE_H_
