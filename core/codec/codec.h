// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_CODEC_CODEC_H_
#define SLUICE_CORE_CODEC_CODEC_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "core/op/attr.h"
#include "core/tensor/shape.h"
#include "core/tensor/tensor.h"
#include "core/tensor/variant.h"

// Converts between wire messages and core's values. Decoding trusts no input: it checks dtypes,
// sizes and depths, and allocates only memory that the received bytes justify (or a bounded
// amount). An error is INVALID_ARGUMENT.

namespace google::protobuf {
template <typename Key, typename T>
class Map;
}  // namespace google::protobuf

namespace sluice {

struct DeviceAttributes;

namespace proto {
class AttrValue;
class DeviceAttributes;
class TensorProto;
class TensorShapeProto;
}  // namespace proto

// Limit of the memory for values that the message does not contain: a short list whose last value
// repeats, and strings, handles and objects, which need more memory than wire bytes. More is
// RESOURCE_EXHAUSTED.
inline constexpr int64_t kMaxExpandedBytes = int64_t{2} << 30;

absl::StatusOr<DType> DecodeValueType(
    int number);  // of a tensor: no references, no unknown numbers

absl::StatusOr<Tensor> DecodeTensor(const proto::TensorProto& from);

// kContent: raw bytes; strings, handles and objects are framed by their lengths. kReadable: the
// same, but strings and objects are in typed fields, because Python cannot read them from content
// (summaries, constants of an exported graph), and a checkpoint holds objects one by one. A large
// tensor of equal values is stored as one value in its typed field.
enum class TensorForm { kContent, kReadable };
// RESOURCE_EXHAUSTED if the message would exceed Protobuf's 2 GiB.
absl::Status EncodeTensor(const Tensor& from, proto::TensorProto* to,
                          TensorForm form = TensorForm::kContent);

// Writes every value into the message's field of its dtype. Not for handles and objects.
absl::Status EncodeTypedFields(const Tensor& tensor, proto::TensorProto* to);

// Only the bytes of tensor_content, for channels that send dtype and shape in their own way.
absl::StatusOr<Tensor> DecodeContent(DType dtype, const Shape& shape, absl::string_view content);
absl::Status EncodeContent(const Tensor& from, std::string* content);

// Bytes of tensors in messages that this process has made or read so far. A step inside one process
// adds none; a test checks this.
int64_t CodecBytes();

absl::StatusOr<Shape> DecodeShape(const proto::TensorShapeProto& from);
absl::StatusOr<PartialShape> DecodePartialShape(const proto::TensorShapeProto& from);
void EncodeShape(const PartialShape& from, proto::TensorShapeProto* to);

absl::StatusOr<Attr> DecodeAttr(const proto::AttrValue& from);
absl::Status EncodeAttr(const Attr& from, proto::AttrValue* to,
                        TensorForm form = TensorForm::kContent);
absl::StatusOr<AttrMap> DecodeAttrs(
    const google::protobuf::Map<std::string, proto::AttrValue>& from);
absl::Status EncodeAttrs(const AttrMap& from,
                         google::protobuf::Map<std::string, proto::AttrValue>* to,
                         TensorForm form = TensorForm::kContent);

DeviceAttributes DecodeDevice(const proto::DeviceAttributes& from);
void EncodeDevice(const DeviceAttributes& from, proto::DeviceAttributes* to);

// An object as received. Code that knows its type converts it.
class OpaqueVariant final : public Variant::Object {
 public:
  OpaqueVariant(std::string type, std::string metadata, std::vector<Tensor> tensors);
  absl::string_view type_name() const override { return type_; }
  const std::string& metadata() const { return metadata_; }
  const std::vector<Tensor>& tensors() const { return tensors_; }
  absl::Status Encode(std::string* metadata, std::vector<Tensor>* tensors) const override;
  int depth() const override { return depth_; }
  // The result of `decode` at the first call; lives as long as this object.
  absl::StatusOr<const Object*> Decoded(
      absl::FunctionRef<absl::StatusOr<RefPtr<Object>>(const OpaqueVariant&)> decode) const;

 private:
  const std::string type_;
  const std::string metadata_;
  const std::vector<Tensor> tensors_;
  int depth_ = 1;
  mutable absl::Mutex mu_;
  mutable RefPtr<Object> decoded_ ABSL_GUARDED_BY(mu_);
};

}  // namespace sluice

#endif  // SLUICE_CORE_CODEC_CODEC_H_
