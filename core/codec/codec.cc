// SPDX-License-Identifier: Apache-2.0
#include "core/codec/codec.h"

#include <memory>

#include "core/runtime/device.h"
#include "proto/attr_value.pb.h"
#include "proto/device.pb.h"
#include "proto/tensor_shape.pb.h"

namespace sluice {
namespace {

constexpr int kMaxDepth = 32;  // limit for functions in attributes of functions

using ProtoAttrs = google::protobuf::Map<std::string, proto::AttrValue>;

absl::StatusOr<Attr> Decode(const proto::AttrValue& from, int depth);
absl::Status Encode(const Attr& from, proto::AttrValue* to, TensorForm form, int depth);

// ---- decoding attributes
// --------------------------------------------------------------------------------------------

// Types of later TensorFlows are only numbers here (an op that is never run may carry them). A
// number beyond the wire's range is an error.
absl::StatusOr<DType> DecodeType(int number) {
  constexpr int kLastOnWire = 33;
  const int base = number > kRefOffset ? number - kRefOffset : number;
  if (base < 0 || base > kLastOnWire || number == kRefOffset)
    return InvalidArgument("unknown type number ", number);
  return static_cast<DType>(number);
}

absl::StatusOr<AttrMap> DecodeMap(const ProtoAttrs& from, int depth) {
  AttrMap attrs;
  for (const auto& [name, value] : from) {
    absl::StatusOr<Attr> attr = Decode(value, depth);
    if (!attr.ok()) return Annotate(attr.status(), absl::StrCat("attribute \"", name, "\""));
    attrs.emplace(name, *std::move(attr));
  }
  return attrs;
}

absl::StatusOr<FunctionRef> DecodeFunction(const proto::NameAttrList& from, int depth) {
  if (depth >= kMaxDepth) return InvalidArgument("functions nest deeper than ", kMaxDepth);
  FunctionRef function{from.name(), nullptr};
  if (!from.attr().empty()) {
    SLUICE_ASSIGN(AttrMap attrs, DecodeMap(from.attr(), depth + 1));
    function.attrs = std::make_shared<const AttrMap>(std::move(attrs));
  }
  return function;
}

// A repeated field as a list; `decode` decodes each element.
template <typename T, typename Field, typename Fn>
absl::StatusOr<Attr> DecodeEach(const Field& field, Fn&& decode) {
  std::vector<T> list;
  for (const auto& element : field) {
    SLUICE_ASSIGN(T value, decode(element));
    list.push_back(std::move(value));
  }
  return Attr(std::move(list));
}

absl::StatusOr<Attr> DecodeList(const proto::AttrValue::ListValue& from, int depth) {
  const int kinds = !from.s().empty() + !from.i().empty() + !from.f().empty() + !from.b().empty() +
                    !from.type().empty() + !from.shape().empty() + !from.tensor().empty() +
                    !from.func().empty();
  if (kinds == 0) return Attr(EmptyList{});
  if (kinds > 1) return InvalidArgument("a list holds values of more than one kind");
  if (!from.s().empty()) return Attr(std::vector<std::string>(from.s().begin(), from.s().end()));
  if (!from.i().empty()) return Attr(std::vector<int64_t>(from.i().begin(), from.i().end()));
  if (!from.f().empty()) return Attr(std::vector<float>(from.f().begin(), from.f().end()));
  if (!from.b().empty()) return Attr(std::vector<bool>(from.b().begin(), from.b().end()));
  if (!from.type().empty()) return DecodeEach<DType>(from.type(), DecodeType);
  if (!from.shape().empty()) return DecodeEach<PartialShape>(from.shape(), DecodePartialShape);
  if (!from.tensor().empty()) return DecodeEach<Tensor>(from.tensor(), DecodeTensor);
  return DecodeEach<FunctionRef>(from.func(),
                                 [&](const auto& f) { return DecodeFunction(f, depth); });
}

template <typename T>
absl::StatusOr<Attr> AsAttr(absl::StatusOr<T> value) {
  if (!value.ok()) return std::move(value).status();
  return Attr(*std::move(value));
}

absl::StatusOr<Attr> Decode(const proto::AttrValue& from, int depth) {
  switch (from.value_case()) {
    case proto::AttrValue::kList:
      return DecodeList(from.list(), depth);
    case proto::AttrValue::kS:
      return Attr(from.s());
    case proto::AttrValue::kI:
      return Attr(static_cast<int64_t>(from.i()));
    case proto::AttrValue::kF:
      return Attr(from.f());
    case proto::AttrValue::kB:
      return Attr(from.b());
    case proto::AttrValue::kType:
      return AsAttr(DecodeType(from.type()));
    case proto::AttrValue::kShape:
      return AsAttr(DecodePartialShape(from.shape()));
    case proto::AttrValue::kTensor:
      return AsAttr(DecodeTensor(from.tensor()));
    case proto::AttrValue::kPlaceholder:
      return Attr(AttrPlaceholder{from.placeholder()});
    case proto::AttrValue::kFunc:
      return AsAttr(DecodeFunction(from.func(), depth));
    case proto::AttrValue::VALUE_NOT_SET:
      break;
  }
  return Attr();
}

// ---- encoding attributes
// --------------------------------------------------------------------------------------------

absl::Status EncodeMap(const AttrMap& from, ProtoAttrs* to, TensorForm form, int depth) {
  for (const auto& [name, value] : from) {
    SLUICE_RETURN_IF_ERROR(Annotate(Encode(value, &(*to)[name], form, depth),
                                    absl::StrCat("attribute \"", name, "\"")));
  }
  return absl::OkStatus();
}

absl::Status EncodeFunction(const FunctionRef& from, proto::NameAttrList* to, TensorForm form,
                            int depth) {
  if (depth >= kMaxDepth) return InvalidArgument("functions nest deeper than ", kMaxDepth);
  to->set_name(from.name);
  return from.attrs == nullptr ? absl::OkStatus()
                               : EncodeMap(*from.attrs, to->mutable_attr(), form, depth + 1);
}

// One overload per alternative of Attr::Value.
struct Encoder {
  proto::AttrValue* to;
  TensorForm form;
  int depth;

  absl::Status operator()(std::monostate) const { return absl::OkStatus(); }
  absl::Status operator()(const std::string& v) const { return to->set_s(v), absl::OkStatus(); }
  absl::Status operator()(int64_t v) const { return to->set_i(v), absl::OkStatus(); }
  absl::Status operator()(float v) const { return to->set_f(v), absl::OkStatus(); }
  absl::Status operator()(bool v) const { return to->set_b(v), absl::OkStatus(); }
  absl::Status operator()(DType v) const {
    return to->set_type(static_cast<proto::DataType>(v)), absl::OkStatus();
  }
  absl::Status operator()(const PartialShape& v) const {
    return EncodeShape(v, to->mutable_shape()), absl::OkStatus();
  }
  absl::Status operator()(const Tensor& v) const {
    return EncodeTensor(v, to->mutable_tensor(), form);
  }
  absl::Status operator()(const FunctionRef& v) const {
    return EncodeFunction(v, to->mutable_func(), form, depth);
  }
  absl::Status operator()(const AttrPlaceholder& v) const {
    return to->set_placeholder(v.name), absl::OkStatus();
  }
  absl::Status operator()(EmptyList) const { return to->mutable_list(), absl::OkStatus(); }
  template <typename T>
  absl::Status operator()(const std::vector<T>& list) const {
    auto* message = to->mutable_list();
    for (size_t i = 0; i < list.size(); ++i) {
      SLUICE_RETURN_IF_ERROR(Add(message, static_cast<const T&>(list[i])));
    }
    return absl::OkStatus();
  }

  using List = proto::AttrValue::ListValue;
  absl::Status Add(List* list, const std::string& v) const {
    return list->add_s(v), absl::OkStatus();
  }
  absl::Status Add(List* list, int64_t v) const { return list->add_i(v), absl::OkStatus(); }
  absl::Status Add(List* list, float v) const { return list->add_f(v), absl::OkStatus(); }
  absl::Status Add(List* list, bool v) const { return list->add_b(v), absl::OkStatus(); }
  absl::Status Add(List* list, DType v) const {
    return list->add_type(static_cast<proto::DataType>(v)), absl::OkStatus();
  }
  absl::Status Add(List* list, const PartialShape& v) const {
    return EncodeShape(v, list->add_shape()), absl::OkStatus();
  }
  absl::Status Add(List* list, const Tensor& v) const {
    return EncodeTensor(v, list->add_tensor(), form);
  }
  absl::Status Add(List* list, const FunctionRef& v) const {
    return EncodeFunction(v, list->add_func(), form, depth);
  }
};

absl::Status Encode(const Attr& from, proto::AttrValue* to, TensorForm form, int depth) {
  to->Clear();
  return std::visit(Encoder{to, form, depth}, from.value);
}

absl::StatusOr<Shape::Dims> DecodeDims(const proto::TensorShapeProto& from) {
  if (from.dim_size() > kMaxRank) {
    return InvalidArgument("shape has ", from.dim_size(), " dimensions, the limit is ", kMaxRank);
  }
  Shape::Dims dims;
  for (const auto& dim : from.dim()) dims.push_back(dim.size());
  return dims;
}

}  // namespace

absl::StatusOr<Shape> DecodeShape(const proto::TensorShapeProto& from) {
  if (from.unknown_rank()) return InvalidArgument("the shape of a tensor has no known rank");
  SLUICE_ASSIGN(const Shape::Dims dims, DecodeDims(from));
  return Shape::Create(dims);
}

absl::StatusOr<PartialShape> DecodePartialShape(const proto::TensorShapeProto& from) {
  if (from.unknown_rank()) {
    if (from.dim_size() == 0) return PartialShape();
    return InvalidArgument("a shape of unknown rank has ", from.dim_size(), " dimensions");
  }
  SLUICE_ASSIGN(const Shape::Dims dims, DecodeDims(from));
  return PartialShape::Create(dims);
}

void EncodeShape(const PartialShape& from, proto::TensorShapeProto* to) {
  to->Clear();
  to->set_unknown_rank(!from.rank_known());
  for (int64_t size : from.dims()) to->add_dim()->set_size(size);
}

absl::StatusOr<Attr> DecodeAttr(const proto::AttrValue& from) { return Decode(from, 0); }

absl::Status EncodeAttr(const Attr& from, proto::AttrValue* to, TensorForm form) {
  return Encode(from, to, form, 0);
}

absl::StatusOr<AttrMap> DecodeAttrs(const ProtoAttrs& from) { return DecodeMap(from, 0); }

absl::Status EncodeAttrs(const AttrMap& from, ProtoAttrs* to, TensorForm form) {
  to->clear();
  return EncodeMap(from, to, form, 0);
}

DeviceAttributes DecodeDevice(const proto::DeviceAttributes& from) {
  return {from.name(),        from.device_type(),          from.memory_limit(),
          from.incarnation(), from.physical_device_desc(), from.locality().numa_node()};
}

void EncodeDevice(const DeviceAttributes& from, proto::DeviceAttributes* to) {
  to->Clear();
  to->set_name(from.name);
  to->set_device_type(from.type);
  to->set_memory_limit(from.memory_limit);
  to->mutable_locality()->set_numa_node(from.numa_node);
  to->set_incarnation(from.incarnation);
  to->set_physical_device_desc(from.description);
  to->set_xla_global_id(-1);
}

}  // namespace sluice
