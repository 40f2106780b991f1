// SPDX-License-Identifier: Apache-2.0
// EncodeProto: serialised messages from tensors of their fields' values.
#include <google/protobuf/descriptor.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/wire_format_lite.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_join.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/any/parsing/message_type.h"
#include "kernels/any/parsing/register.h"
#include "kernels/common/parsing/each_element.h"

namespace sluice::kernels {
namespace {

namespace pb = google::protobuf;
using Wire = pb::internal::WireFormatLite;

Wire::FieldType TypeOf(const pb::FieldDescriptor& field) {
  return static_cast<Wire::FieldType>(field.type());
}

// Element i as an integer; wider than the field's type is cut.
template <typename T>
T IntAt(const Tensor& values, int64_t i) {
  switch (values.dtype()) {
    case kInt32:
      return static_cast<T>(values.data<int32_t>()[i]);
    case kInt64:
      return static_cast<T>(values.data<int64_t>()[i]);
    case kUint32:
      return static_cast<T>(values.data<uint32_t>()[i]);
    default:
      return static_cast<T>(values.data<uint64_t>()[i]);
  }
}

float FloatAt(const Tensor& values, int64_t i) {
  return values.dtype() == kFloat ? values.data<float>()[i]
                                  : static_cast<float>(values.data<double>()[i]);
}

// Writes element i after its tag.
void WriteValue(const pb::FieldDescriptor& field, const Tensor& values, int64_t i,
                pb::io::CodedOutputStream* out) {
  switch (TypeOf(field)) {
    case Wire::TYPE_DOUBLE:
      return Wire::WriteDoubleNoTag(values.data<double>()[i], out);
    case Wire::TYPE_FLOAT:
      return Wire::WriteFloatNoTag(FloatAt(values, i), out);
    case Wire::TYPE_INT64:
      return Wire::WriteInt64NoTag(IntAt<int64_t>(values, i), out);
    case Wire::TYPE_UINT64:
      return Wire::WriteUInt64NoTag(IntAt<uint64_t>(values, i), out);
    case Wire::TYPE_INT32:
      return Wire::WriteInt32NoTag(IntAt<int32_t>(values, i), out);
    case Wire::TYPE_FIXED64:
      return Wire::WriteFixed64NoTag(IntAt<uint64_t>(values, i), out);
    case Wire::TYPE_FIXED32:
      return Wire::WriteFixed32NoTag(IntAt<uint32_t>(values, i), out);
    case Wire::TYPE_BOOL:
      return Wire::WriteBoolNoTag(values.data<bool>()[i], out);
    case Wire::TYPE_UINT32:
      return Wire::WriteUInt32NoTag(IntAt<uint32_t>(values, i), out);
    case Wire::TYPE_ENUM:
      return Wire::WriteEnumNoTag(IntAt<int32_t>(values, i), out);
    case Wire::TYPE_SFIXED32:
      return Wire::WriteSFixed32NoTag(IntAt<int32_t>(values, i), out);
    case Wire::TYPE_SFIXED64:
      return Wire::WriteSFixed64NoTag(IntAt<int64_t>(values, i), out);
    case Wire::TYPE_SINT32:
      return Wire::WriteSInt32NoTag(IntAt<int32_t>(values, i), out);
    case Wire::TYPE_SINT64:
      return Wire::WriteSInt64NoTag(IntAt<int64_t>(values, i), out);
    case Wire::TYPE_STRING:
    case Wire::TYPE_BYTES:
    case Wire::TYPE_MESSAGE: {
      const std::string& bytes = values.data<std::string>()[i];
      out->WriteVarint64(bytes.size());
      return out->WriteString(bytes);
    }
    case Wire::TYPE_GROUP:
      out->WriteString(values.data<std::string>()[i]);
      return Wire::WriteTag(field.number(), Wire::WIRETYPE_END_GROUP, out);
  }
}

// Appends `count` elements from `first` on to a message.
void WriteField(const pb::FieldDescriptor& field, const Tensor& values, int64_t first,
                int64_t count, pb::io::CodedOutputStream* out) {
  if (count <= 0) return;
  if (!field.is_packed()) {
    for (int64_t i = first; i < first + count; ++i) {
      Wire::WriteTag(field.number(), Wire::WireTypeForFieldType(TypeOf(field)), out);
      WriteValue(field, values, i, out);
    }
    return;
  }
  std::string packed;
  {
    pb::io::StringOutputStream stream(&packed);
    pb::io::CodedOutputStream to(&stream);
    for (int64_t i = first; i < first + count; ++i) WriteValue(field, values, i, &to);
  }
  Wire::WriteTag(field.number(), Wire::WIRETYPE_LENGTH_DELIMITED, out);
  out->WriteVarint64(packed.size());
  out->WriteString(packed);
}

struct EncodeProto {
  struct Field {
    const pb::FieldDescriptor* descriptor;
    int input;  // after `sizes`
  };
  std::shared_ptr<const MessageType> type;
  std::vector<Field> fields;  // by number, as a message contains them

  static absl::StatusOr<EncodeProto> Create(const NodeSpec& node) {
    EncodeProto encode;
    SLUICE_ASSIGN(encode.type, MessageType::Create(node));
    SLUICE_ASSIGN(const auto names, node.Get<std::vector<std::string>>("field_names"));
    SLUICE_ASSIGN(const auto dtypes, node.Get<std::vector<DType>>("Tinput_types"));
    if (names.size() != dtypes.size())
      return InvalidArgument("Length of inputs list must match field_names");
    for (size_t i = 0; i < names.size(); ++i) {
      SLUICE_ASSIGN(const pb::FieldDescriptor* field, encode.type->Field(names[i]));
      if (!Holds(dtypes[i], *field)) {
        return InvalidArgument("Incompatible type for field ", names[i],
                               ".  Saw dtype: ", dtypes[i],
                               " but field type is: ", field->type_name());
      }
      encode.fields.push_back({field, static_cast<int>(i)});
    }
    std::stable_sort(encode.fields.begin(), encode.fields.end(),
                     [](const Field& a, const Field& b) {
                       return a.descriptor->number() < b.descriptor->number();
                     });
    return encode;
  }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_RETURN_IF_ERROR(CheckShapes(ctx));
    Shape prefix = ctx.input(1).shape();
    prefix.RemoveDim(prefix.rank() - 1);
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, prefix));
    auto* messages = out->mutable_data<std::string>();
    const int64_t width = ctx.num_inputs() - 1;
    return EachElement(ctx.pool(), prefix.num_elements(), 100.0 * static_cast<double>(width), [&] {
      return [&](int64_t m) -> absl::Status {
        const int32_t* sizes = ctx.input(0).data<int32_t>() + m * width;
        for (int f = 0; f < width; ++f) {
          const Tensor& values = ctx.input(1 + f);
          if (const int64_t most = values.dim(values.rank() - 1); sizes[f] > most) {
            return InvalidArgument("Size to write must not be larger than value tensor; but saw: ",
                                   sizes[f], " > ", most, " at message ", m, " field ", f);
          }
        }
        pb::io::StringOutputStream stream(&messages[m]);
        pb::io::CodedOutputStream to(&stream);
        for (const Field& field : fields) {
          const Tensor& values = ctx.input(1 + field.input);
          const int64_t row = values.dim(values.rank() - 1);
          WriteField(*field.descriptor, values, m * row, sizes[field.input], &to);
        }
        return absl::OkStatus();
      };
    });
  }

 private:
  // All values have the batch's sizes, and one of their own; sizes are a vector for each message.
  static absl::Status CheckShapes(const KernelContext& ctx) {
    const Tensor &sizes = ctx.input(0), &first = ctx.input(1);
    if (first.rank() < 1) return InvalidArgument("Values must be at least vectors");
    const auto batch = first.shape().dims().first(first.rank() - 1);
    for (int i = 2; i < ctx.num_inputs(); ++i) {
      const Tensor& values = ctx.input(i);
      if (values.rank() == first.rank() && values.shape().dims().first(batch.size()) == batch)
        continue;
      return InvalidArgument("Values must match up to the last dimension: ", first.shape(), " vs. ",
                             values.shape());
    }
    Shape::Dims expected(batch.begin(), batch.end());
    expected.push_back(ctx.num_inputs() - 1);
    if (sizes.shape().dims() == absl::MakeConstSpan(expected)) return absl::OkStatus();
    return InvalidArgument("sizes should be batch_size + [len(field_names)].  Saw: ", sizes.shape(),
                           " but expected: [", absl::StrJoin(expected, ","), "]");
  }
};

}  // namespace

void RegisterEncodeProto(KernelRegistry& kernels) { kernels.Add<EncodeProto>("EncodeProto", kCpu); }

}  // namespace sluice::kernels
