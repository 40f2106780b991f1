// SPDX-License-Identifier: Apache-2.0
// DecodeProtoV2: the values of fields of serialised messages, read from the wire format without
// messages. Only text and input that is to be sanitised go through messages first.
#include <google/protobuf/descriptor.h>
#include <google/protobuf/dynamic_message.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/text_format.h>
#include <google/protobuf/wire_format_lite.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/any/parsing/message_type.h"
#include "kernels/any/parsing/register.h"
#include "kernels/common/parsing/each_element.h"

namespace sluice::kernels {
namespace {

namespace pb = google::protobuf;
using Wire = pb::internal::WireFormatLite;
using pb::io::CodedInputStream;

constexpr int kMaxTextDepth = 100;  // as in binary messages

struct Field {
  const pb::FieldDescriptor* descriptor;
  DType dtype;

  Wire::FieldType type() const { return static_cast<Wire::FieldType>(descriptor->type()); }
  int width() const {  // bytes of a value; 0: it varies
    switch (Wire::WireTypeForFieldType(type())) {
      case Wire::WIRETYPE_FIXED32:
        return 4;
      case Wire::WIRETYPE_FIXED64:
        return 8;
      default:
        return 0;
    }
  }
};

void Store(DType dtype, void* to, int64_t i, absl::string_view value) {
  if (dtype == kString) static_cast<std::string*>(to)[i].assign(value.data(), value.size());
}
template <typename T>
void Store(DType dtype, void* to, int64_t i, T value) {
  VisitDType(TypeList<float, double, int32_t, int64_t, uint32_t, uint64_t, bool>{}, dtype,
             [&]<typename Out>(Type<Out>) {
               static_cast<Out*>(to)[i] = static_cast<Out>(value);
               return absl::OkStatus();
             })
      .IgnoreError();
}

// Reads a value of this type and calls sink(value).
template <typename T, Wire::FieldType kType, typename Sink>
bool ReadPrimitive(CodedInputStream& in, Sink& sink) {
  T value{};
  if (!Wire::ReadPrimitive<T, kType>(&in, &value)) return false;
  sink(value);
  return true;
}

// `message` is all that `in` reads; the value's tag begins at `start`. A group's value includes its
// tags.
template <typename Sink>
bool ReadValue(const Field& field, absl::string_view message, int start, CodedInputStream& in,
               Sink&& sink) {
  switch (field.type()) {
    case Wire::TYPE_DOUBLE:
      return ReadPrimitive<double, Wire::TYPE_DOUBLE>(in, sink);
    case Wire::TYPE_FLOAT:
      return ReadPrimitive<float, Wire::TYPE_FLOAT>(in, sink);
    case Wire::TYPE_INT64:
      return ReadPrimitive<int64_t, Wire::TYPE_INT64>(in, sink);
    case Wire::TYPE_UINT64:
      return ReadPrimitive<uint64_t, Wire::TYPE_UINT64>(in, sink);
    case Wire::TYPE_INT32:
      return ReadPrimitive<int32_t, Wire::TYPE_INT32>(in, sink);
    case Wire::TYPE_FIXED64:
      return ReadPrimitive<uint64_t, Wire::TYPE_FIXED64>(in, sink);
    case Wire::TYPE_FIXED32:
      return ReadPrimitive<uint32_t, Wire::TYPE_FIXED32>(in, sink);
    case Wire::TYPE_BOOL:
      return ReadPrimitive<bool, Wire::TYPE_BOOL>(in, sink);
    case Wire::TYPE_UINT32:
      return ReadPrimitive<uint32_t, Wire::TYPE_UINT32>(in, sink);
    case Wire::TYPE_ENUM:
      return ReadPrimitive<int, Wire::TYPE_ENUM>(in, sink);
    case Wire::TYPE_SFIXED32:
      return ReadPrimitive<int32_t, Wire::TYPE_SFIXED32>(in, sink);
    case Wire::TYPE_SFIXED64:
      return ReadPrimitive<int64_t, Wire::TYPE_SFIXED64>(in, sink);
    case Wire::TYPE_SINT32:
      return ReadPrimitive<int32_t, Wire::TYPE_SINT32>(in, sink);
    case Wire::TYPE_SINT64:
      return ReadPrimitive<int64_t, Wire::TYPE_SINT64>(in, sink);
    case Wire::TYPE_STRING:
    case Wire::TYPE_BYTES:
    case Wire::TYPE_MESSAGE: {
      uint32_t length = 0;
      if (!in.ReadVarint32(&length)) return false;
      const auto at = static_cast<size_t>(in.CurrentPosition());
      if (length > message.size() - at || !in.Skip(static_cast<int>(length))) return false;
      sink(message.substr(at, length));
      return true;
    }
    case Wire::TYPE_GROUP: {
      const auto tag = Wire::MakeTag(field.descriptor->number(), Wire::WIRETYPE_START_GROUP);
      if (!Wire::SkipField(&in, tag)) return false;
      sink(message.substr(start, in.CurrentPosition() - start));
      return true;
    }
  }
  return false;
}

template <typename Sink>
absl::Status ReadPacked(const Field& field, absl::string_view message, CodedInputStream& in,
                        Sink&& sink) {
  uint32_t length = 0;
  if (!in.ReadVarint32(&length) ||
      length > message.size() - static_cast<size_t>(in.CurrentPosition()))
    return DataLoss("ReadPackedValues: Skipping packed field failed");
  if (field.width() > 0 && length % field.width() != 0)
    return DataLoss("Illegal data length for packed fixed-size type: ", length);
  const auto limit = in.PushLimit(static_cast<int>(length));
  while (in.BytesUntilLimit() > 0) {
    if (!ReadValue(field, message, 0, in, sink))
      return DataLoss("ReadPackedValues: Skipping packed field failed");
  }
  in.PopLimit(limit);
  return absl::OkStatus();
}

struct DecodeProto {
  std::shared_ptr<const MessageType> type;
  std::vector<Field> fields;              // by output
  absl::flat_hash_map<int, int> outputs;  // field number -> index in `fields`
  bool text = false, sanitize = false;

  static absl::StatusOr<DecodeProto> Create(const NodeSpec& node) {
    DecodeProto decode;
    SLUICE_ASSIGN(decode.type, MessageType::Create(node));
    SLUICE_ASSIGN(const auto names, node.Get<std::vector<std::string>>("field_names"));
    SLUICE_ASSIGN(const auto dtypes, node.Get<std::vector<DType>>("output_types"));
    if (names.size() != dtypes.size()) {
      return InvalidArgument("field_names and output_types attributes must have the same length");
    }
    for (size_t i = 0; i < names.size(); ++i) {
      const pb::FieldDescriptor* field = decode.type->Extension(names[i]);
      if (field == nullptr) {
        SLUICE_ASSIGN(field, decode.type->Field(names[i]));
      }
      if (!Holds(dtypes[i], *field)) {
        return InvalidArgument("Unexpected output type for ", TensorFlowName(field->full_name()),
                               ": ", field->cpp_type_name(), " to ", dtypes[i]);
      }
      decode.fields.push_back({field, dtypes[i]});
      decode.outputs[field->number()] = static_cast<int>(i);
    }
    SLUICE_ASSIGN(const std::string format, node.Get<std::string>("message_format"));
    if (format != "binary" && format != "text")
      return InvalidArgument("format must be one of binary or text");
    decode.text = format == "text";
    SLUICE_ASSIGN(decode.sanitize, node.Get<bool>("sanitize"));
    return decode;
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor input = ctx.input(0);
    const int64_t count = input.num_elements(), width = static_cast<int64_t>(fields.size());
    if (count == 0) return InvalidArgument("Bufs argument must contain at least one value");
    const std::string* messages = input.data<std::string>();
    std::vector<std::string> normal;
    if (text || sanitize) {
      SLUICE_ASSIGN(normal, Normal(ctx, input));
      messages = normal.data();
    }
    Shape::Dims dims(input.shape().dims().begin(), input.shape().dims().end());
    dims.push_back(width);
    SLUICE_ASSIGN(const Shape sizes_shape, Shape::Create(dims));
    SLUICE_ASSIGN(Tensor * sizes, ctx.AllocateOutput(0, sizes_shape));
    auto* size = sizes->mutable_data<int32_t>();
    std::fill_n(size, count * width, 0);
    SLUICE_RETURN_IF_ERROR(EachElement(ctx.pool(), count, 500, [&] {
      return [&](int64_t m) { return CountValues(messages[m], size + m * width); };
    }));
    std::vector<Cells> cells(fields.size());
    for (int f = 0; f < width; ++f) {
      int64_t most = 1;
      for (int64_t m = 0; m < count; ++m) most = std::max<int64_t>(most, size[m * width + f]);
      dims.back() = most;
      SLUICE_ASSIGN(const Shape shape, Shape::Create(dims));
      SLUICE_ASSIGN(Tensor * values, ctx.AllocateOutput(1 + f, shape));
      FillWithDefault(*fields[f].descriptor, *values);
      cells[f] = {values->raw(), most};
    }
    return EachElement(ctx.pool(), count, 1000, [&] {
      return [&](int64_t m) { return StoreValues(messages[m], m, cells); };
    });
  }

 private:
  // An output's memory, and the elements of one message in it.
  struct Cells {
    void* values;
    int64_t row;
  };

  // Calls found(index of a field, value) for each value of a field that is asked for.
  template <typename Found>
  absl::Status Walk(const std::string& message, Found&& found) const {
    if (message.size() > std::numeric_limits<int32_t>::max())
      return DataLoss("a message of more than 2 GiB");
    CodedInputStream in(reinterpret_cast<const uint8_t*>(message.data()),
                        static_cast<int>(message.size()));
    while (true) {
      const int start = in.CurrentPosition();
      const uint32_t tag = in.ReadTag();
      if (tag == 0 || Wire::GetTagWireType(tag) == Wire::WIRETYPE_END_GROUP) break;
      const auto at = outputs.find(Wire::GetTagFieldNumber(tag));
      if (at == outputs.end()) {
        if (Wire::SkipField(&in, tag)) continue;
        return DataLoss("Failed skipping unrequested field");
      }
      const Field& field = fields[at->second];
      const auto wire = Wire::GetTagWireType(tag);
      const auto store = [&](auto value) { found(at->second, value); };
      if (wire == Wire::WireTypeForFieldType(field.type())) {
        if (!ReadValue(field, message, start, in, store))
          return DataLoss("ReadValue: Failed skipping field when counting");
      } else if (wire == Wire::WIRETYPE_LENGTH_DELIMITED &&
                 pb::FieldDescriptor::IsTypePackable(field.descriptor->type())) {
        SLUICE_RETURN_IF_ERROR(ReadPacked(field, message, in, store));
      } else if (!Wire::SkipField(&in, tag)) {
        return DataLoss("CollectField: Failed skipping malformed field");
      }
    }
    if (in.ConsumedEntireMessage()) return absl::OkStatus();
    return DataLoss("CountFields: Failed to consume entire buffer");
  }

  absl::Status CountValues(const std::string& message, int32_t* sizes) const {
    return Walk(message, [&](int f, auto) {
      sizes[f] = fields[f].descriptor->is_repeated() ? sizes[f] + 1 : 1;
    });
  }

  // The last value of a field that is not repeated counts.
  absl::Status StoreValues(const std::string& message, int64_t m,
                           absl::Span<const Cells> cells) const {
    std::vector<int64_t> stored(fields.size());
    return Walk(message, [&](int f, auto value) {
      const int64_t i = m * cells[f].row + stored[f];
      if (fields[f].descriptor->is_repeated()) ++stored[f];
      Store(fields[f].dtype, cells[f].values, i, value);
    });
  }

  static void FillWithDefault(const pb::FieldDescriptor& field, Tensor& values) {
    if (values.dtype() == kString) {
      const bool has_text = field.cpp_type() == pb::FieldDescriptor::CPPTYPE_STRING;
      if (!has_text || field.default_value_string().empty()) return;
      for (std::string& value : values.mutable_flat<std::string>())
        value = field.default_value_string();
      return;
    }
    const auto fill = [&](auto value) {
      for (int64_t i = 0; i < values.num_elements(); ++i)
        Store(values.dtype(), values.raw(), i, value);
    };
    switch (field.cpp_type()) {
      case pb::FieldDescriptor::CPPTYPE_DOUBLE:
        return fill(field.default_value_double());
      case pb::FieldDescriptor::CPPTYPE_FLOAT:
        return fill(field.default_value_float());
      case pb::FieldDescriptor::CPPTYPE_INT32:
        return fill(field.default_value_int32());
      case pb::FieldDescriptor::CPPTYPE_INT64:
        return fill(field.default_value_int64());
      case pb::FieldDescriptor::CPPTYPE_UINT32:
        return fill(field.default_value_uint32());
      case pb::FieldDescriptor::CPPTYPE_UINT64:
        return fill(field.default_value_uint64());
      case pb::FieldDescriptor::CPPTYPE_BOOL:
        return fill(field.default_value_bool());
      case pb::FieldDescriptor::CPPTYPE_ENUM:
        return fill(field.is_repeated() ? 0 : field.default_value_enum()->number());
      default:
        return;
    }
  }

  // The messages as Protobuf writes them.
  absl::StatusOr<std::vector<std::string>> Normal(KernelContext& ctx, const Tensor& input) const {
    std::vector<std::string> normal(input.num_elements());
    const std::string* from = input.data<std::string>();
    SLUICE_RETURN_IF_ERROR(EachElement(ctx.pool(), input.num_elements(), 2000, [&] {
      const auto factory = std::make_shared<pb::DynamicMessageFactory>();
      // The factory outlives its messages.
      std::shared_ptr<pb::Message> message(factory->GetPrototype(&type->descriptor())->New(),
                                           [factory](pb::Message* made) { delete made; });
      return [&, message](int64_t m) -> absl::Status {
        if (text) {
          struct NoLog final : pb::io::ErrorCollector {
            void AddError(int, pb::io::ColumnNumber, const std::string&) override {}
          } no_log;
          pb::TextFormat::Parser parser;
          parser.RecordErrorsTo(&no_log);
          parser.SetRecursionLimit(kMaxTextDepth);
          if (!parser.ParseFromString(from[m], message.get()))
            return DataLoss("Unable to parse text protobuf");
        } else if (!message->ParseFromString(from[m])) {
          return DataLoss("Unable to parse binary protobuf");
        }
        if (message->SerializeToString(&normal[m])) return absl::OkStatus();
        return DataLoss("Unable to serialize reparsed message");
      };
    }));
    return normal;
  }
};

}  // namespace

void RegisterDecodeProto(KernelRegistry& kernels) {
  kernels.Add<DecodeProto>("DecodeProtoV2", kCpu);
}

}  // namespace sluice::kernels
