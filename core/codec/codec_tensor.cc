// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <memory>

#include "core/codec/codec.h"
#include "core/tensor/resource.h"
#include "proto/tensor.pb.h"

namespace sluice {
namespace {

constexpr int kMaxDepth = Variant::kMaxDepth;  // limit for tensors in objects in tensors
constexpr int64_t kMaxMessage = std::numeric_limits<int32_t>::max() - (int64_t{1} << 16);

std::atomic<int64_t> codec_bytes{0};
void Count(size_t bytes) {
  codec_bytes.fetch_add(static_cast<int64_t>(bytes), std::memory_order_relaxed);
}

absl::StatusOr<Tensor> Decode(const proto::TensorProto& from, int depth);
absl::Status Encode(const Tensor& from, proto::TensorProto* to, bool typed, int depth);

using FramedTypes = TypeList<std::string, ResourceHandle, Variant>;

// ---- elements that are messages
// -------------------------------------------------------------------------------------

absl::StatusOr<ResourceHandle> DecodeHandle(const proto::ResourceHandleProto& from) {
  ResourceHandle handle{
      from.device(), from.container(), from.name(), from.maybe_type_name(), from.hash_code(), {},
      nullptr};
  for (const auto& info : from.dtypes_and_shapes()) {
    SLUICE_ASSIGN(PartialShape shape, DecodePartialShape(info.shape()));
    handle.dtypes_and_shapes.emplace_back(static_cast<DType>(info.dtype()), std::move(shape));
  }
  return handle;
}

void EncodeHandle(const ResourceHandle& from, proto::ResourceHandleProto* to) {
  to->set_device(from.device);
  to->set_container(from.container);
  to->set_name(from.name);
  to->set_hash_code(from.hash_code);
  to->set_maybe_type_name(from.type_name);
  for (const auto& [dtype, shape] : from.dtypes_and_shapes) {
    auto* info = to->add_dtypes_and_shapes();
    info->set_dtype(static_cast<proto::DataType>(dtype));
    EncodeShape(shape, info->mutable_shape());
  }
}

absl::StatusOr<Variant> DecodeVariant(const proto::VariantTensorDataProto& from, int depth) {
  if (from.type_name().empty() && from.metadata().empty() && from.tensors().empty())
    return Variant();
  std::vector<Tensor> tensors;
  for (const proto::TensorProto& nested : from.tensors()) {
    SLUICE_ASSIGN(Tensor tensor, Decode(nested, depth + 1));
    tensors.push_back(std::move(tensor));
  }
  return Variant(
      MakeRefCounted<OpaqueVariant>(from.type_name(), from.metadata(), std::move(tensors)));
}

absl::Status EncodeVariant(const Variant& from, proto::VariantTensorDataProto* to, int depth) {
  if (from.empty()) return absl::OkStatus();
  to->set_type_name(std::string(from.get()->type_name()));
  std::vector<Tensor> tensors;
  SLUICE_RETURN_IF_ERROR(from.get()->Encode(to->mutable_metadata(), &tensors));
  for (const Tensor& tensor : tensors) {
    SLUICE_RETURN_IF_ERROR(Encode(tensor, to->add_tensors(), true, depth + 1));
  }
  return absl::OkStatus();
}

// ---- content
// --------------------------------------------------------------------------------------------------------

// One element of a framed tensor.
absl::Status DecodeElement(absl::string_view bytes, int /*depth*/, std::string* to) {
  to->assign(bytes.data(), bytes.size());
  return absl::OkStatus();
}
absl::Status DecodeElement(absl::string_view bytes, int /*depth*/, ResourceHandle* to) {
  proto::ResourceHandleProto message;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return InvalidArgument("tensor content holds a malformed resource handle");
  }
  SLUICE_ASSIGN(*to, DecodeHandle(message));
  return absl::OkStatus();
}
absl::Status DecodeElement(absl::string_view bytes, int depth, Variant* to) {
  proto::VariantTensorDataProto message;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return InvalidArgument("tensor content holds a malformed variant");
  }
  SLUICE_ASSIGN(*to, DecodeVariant(message, depth));
  return absl::OkStatus();
}

absl::Status EncodeElement(const ResourceHandle& from, int /*depth*/, std::string* to) {
  proto::ResourceHandleProto message;
  EncodeHandle(from, &message);
  if (!message.SerializeToString(to)) return Internal("cannot serialise a resource handle");
  return absl::OkStatus();
}
absl::Status EncodeElement(const Variant& from, int depth, std::string* to) {
  proto::VariantTensorDataProto message;
  SLUICE_RETURN_IF_ERROR(EncodeVariant(from, &message, depth));
  if (!message.SerializeToString(to))
    return ResourceExhausted("variant is too large for a message");
  return absl::OkStatus();
}

// Removes a varint of at most 32 bits from the front.
bool ReadLength(absl::string_view* in, uint32_t* length) {
  uint64_t value = 0;
  for (int shift = 0; shift < 35; shift += 7) {
    if (in->empty()) return false;
    const uint8_t byte = static_cast<uint8_t>(in->front());
    in->remove_prefix(1);
    value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if ((byte & 0x80) == 0) {
      *length = static_cast<uint32_t>(value);
      return value <= std::numeric_limits<uint32_t>::max();
    }
  }
  return false;
}

void AppendLength(size_t length, std::string* out) {
  for (; length >= 0x80; length >>= 7) out->push_back(static_cast<char>(length | 0x80));
  out->push_back(static_cast<char>(length));
}

absl::Status CheckExpanded(DType dtype, const Shape& shape) {
  int64_t bytes = 0;
  const bool fits =
      MulFits(shape.num_elements(), static_cast<int64_t>(Buffer::ElementBytes(dtype)), &bytes);
  if (fits && bytes <= kMaxExpandedBytes) return absl::OkStatus();
  return ResourceExhausted("tensor of shape ", shape, " and type ", dtype, " would take more than ",
                           kMaxExpandedBytes >> 20, " MiB");
}

// N lengths, then the elements back to back.
template <typename T>
absl::StatusOr<Tensor> DecodeFramed(const Shape& shape, absl::string_view content, int depth) {
  const int64_t n = shape.num_elements();
  const DType dtype = kDTypeOf<T>;
  if (static_cast<uint64_t>(n) > content.size()) {
    return InvalidArgument("tensor content of ", content.size(), " bytes is too short for ", n,
                           " elements of type ", dtype);
  }
  SLUICE_RETURN_IF_ERROR(CheckExpanded(dtype, shape));
  absl::string_view rest = content;
  uint64_t total = 0;
  uint32_t length = 0;
  for (int64_t i = 0; i < n; ++i) {
    if (!ReadLength(&rest, &length))
      return InvalidArgument("tensor content has a malformed length of element ", i);
    total += length;
  }
  if (total != rest.size()) {
    return InvalidArgument("tensor content announces ", total, " bytes of elements and holds ",
                           rest.size());
  }
  SLUICE_ASSIGN(Tensor tensor, Tensor::Allocate(CpuAllocator(), dtype, shape));
  absl::string_view lengths = content;
  for (T& element : tensor.mutable_flat<T>()) {
    // The content may lie in memory that its sender can still write.
    if (!ReadLength(&lengths, &length) || length > rest.size())
      return InvalidArgument("tensor content was changed while it was read");
    SLUICE_RETURN_IF_ERROR(DecodeElement(rest.substr(0, length), depth, &element));
    rest.remove_prefix(length);
  }
  return tensor;
}

absl::StatusOr<Tensor> DecodePlain(DType dtype, const Shape& shape, absl::string_view content) {
  int64_t bytes = 0;
  if (!MulFits(shape.num_elements(), static_cast<int64_t>(SizeOf(dtype)), &bytes) ||
      static_cast<uint64_t>(bytes) != content.size()) {
    return InvalidArgument("tensor content of ", content.size(), " bytes does not match shape ",
                           shape, " and type ", dtype);
  }
  SLUICE_ASSIGN(Tensor tensor, Tensor::Allocate(CpuAllocator(), dtype, shape));
  if (dtype == kBool) {  // a bool that is neither 0 nor 1 is undefined behaviour
    std::transform(content.begin(), content.end(), tensor.mutable_data<bool>(),
                   [](char c) { return c != 0; });
  } else {
    std::memcpy(tensor.raw(), content.data(), content.size());
  }
  return tensor;
}

absl::StatusOr<Tensor> DecodeContentAt(DType dtype, const Shape& shape, absl::string_view content,
                                       int depth) {
  if (shape.num_elements() == 0) return Tensor::Allocate(CpuAllocator(), dtype, shape);
  if (IsPlain(dtype)) return DecodePlain(dtype, shape, content);
  absl::StatusOr<Tensor> tensor;
  absl::Status status = VisitDType(FramedTypes{}, dtype, [&]<typename T>(Type<T>) {
    tensor = DecodeFramed<T>(shape, content, depth);
    return absl::OkStatus();
  });
  if (!status.ok()) return status;
  return tensor;
}

template <typename T>
absl::Status EncodeFramed(const Tensor& from, int depth, std::string* content) {
  const auto elements = from.flat<T>();
  std::vector<std::string> encoded;
  int64_t total = 5 * from.num_elements();
  if constexpr (std::is_same_v<T, std::string>) {
    for (const std::string& element : elements) total += static_cast<int64_t>(element.size());
  } else {
    encoded.resize(elements.size());
    for (size_t i = 0; i < elements.size(); ++i) {
      SLUICE_RETURN_IF_ERROR(EncodeElement(elements[i], depth, &encoded[i]));
      total += static_cast<int64_t>(encoded[i].size());
    }
  }
  if (total > kMaxMessage)
    return ResourceExhausted("tensor of ", total, " bytes does not fit a message");
  absl::Span<const std::string> pieces = encoded;
  if constexpr (std::is_same_v<T, std::string>) pieces = elements;
  for (const std::string& piece : pieces) AppendLength(piece.size(), content);
  for (const std::string& piece : pieces) content->append(piece);
  return absl::OkStatus();
}

absl::Status EncodeContentAt(const Tensor& from, int depth, std::string* content) {
  content->clear();
  if (from.num_elements() == 0) return absl::OkStatus();
  if (!IsPlain(from.dtype())) {
    return VisitDType(FramedTypes{}, from.dtype(),
                      [&]<typename T>(Type<T>) { return EncodeFramed<T>(from, depth, content); });
  }
  if (static_cast<int64_t>(from.bytes()) > kMaxMessage) {
    return ResourceExhausted("tensor of ", from.bytes(), " bytes does not fit a message");
  }
  content->assign(from.data<char>(), from.bytes());
  return absl::OkStatus();
}

// ---- typed fields
// ---------------------------------------------------------------------------------------------------

// `count` values from `get(i)`. The last one replaces missing values; zero if there is none.
template <typename T, typename Get>
void FillFrom(int count, Get&& get, Tensor* tensor) {
  const auto out = tensor->mutable_flat<T>();
  const size_t given = std::min(static_cast<size_t>(count), out.size());
  for (size_t i = 0; i < given; ++i) out[i] = get(static_cast<int>(i));
  const T last = given > 0 ? out[given - 1] : T();
  std::fill(out.begin() + static_cast<std::ptrdiff_t>(given), out.end(), last);
}

template <typename T, typename Field>
void FillNumbers(const Field& field, Tensor* tensor) {
  FillFrom<T>(
      field.size(), [&](int i) { return static_cast<T>(field.Get(i)); }, tensor);
}

template <typename T, typename Field>
void FillComplex(const Field& field, Tensor* tensor) {
  FillFrom<T>(
      field.size() / 2, [&](int i) { return T(field.Get(2 * i), field.Get(2 * i + 1)); }, tensor);
}

template <typename T, typename Stored>
void FillStored(const proto::TensorProto& from, Tensor* tensor) {
  FillFrom<T>(
      from.int_val_size(), [&](int i) { return T{static_cast<Stored>(from.int_val(i))}; }, tensor);
}

template <typename T>
void FillHalves(const proto::TensorProto& from, Tensor* tensor) {
  FillFrom<T>(
      from.half_val_size(),
      [&](int i) { return T::FromBits(static_cast<uint16_t>(from.half_val(i))); }, tensor);
}

absl::Status FillHandles(const proto::TensorProto& from, Tensor* tensor) {
  std::vector<ResourceHandle> handles;
  const int64_t given = std::min<int64_t>(from.resource_handle_val_size(), tensor->num_elements());
  for (int i = 0; i < given; ++i) {
    SLUICE_ASSIGN(ResourceHandle handle, DecodeHandle(from.resource_handle_val(i)));
    handles.push_back(std::move(handle));
  }
  FillFrom<ResourceHandle>(
      static_cast<int>(given), [&](int i) { return handles[static_cast<size_t>(i)]; }, tensor);
  return absl::OkStatus();
}

// Missing objects are empty.
absl::Status FillVariants(const proto::TensorProto& from, int depth, Tensor* tensor) {
  const int64_t given = std::min<int64_t>(from.variant_val_size(), tensor->num_elements());
  for (int i = 0; i < given; ++i) {
    SLUICE_ASSIGN(tensor->mutable_data<Variant>()[i], DecodeVariant(from.variant_val(i), depth));
  }
  return absl::OkStatus();
}

absl::Status FillTyped(const proto::TensorProto& from, int depth, Tensor* to) {
  switch (to->dtype()) {
    case kFloat:
      FillNumbers<float>(from.float_val(), to);
      break;
    case kDouble:
      FillNumbers<double>(from.double_val(), to);
      break;
    case kInt32:
      FillNumbers<int32_t>(from.int_val(), to);
      break;
    case kUint8:
      FillNumbers<uint8_t>(from.int_val(), to);
      break;
    case kInt16:
      FillNumbers<int16_t>(from.int_val(), to);
      break;
    case kInt8:
      FillNumbers<int8_t>(from.int_val(), to);
      break;
    case kUint16:
      FillNumbers<uint16_t>(from.int_val(), to);
      break;
    case kQint8:
      FillStored<Qint8, int8_t>(from, to);
      break;
    case kQuint8:
      FillStored<Quint8, uint8_t>(from, to);
      break;
    case kQint16:
      FillStored<Qint16, int16_t>(from, to);
      break;
    case kQuint16:
      FillStored<Quint16, uint16_t>(from, to);
      break;
    case kQint32:
      FillStored<Qint32, int32_t>(from, to);
      break;
    case kString:
      FillNumbers<std::string>(from.string_val(), to);
      break;
    case kComplex64:
      FillComplex<Complex64>(from.scomplex_val(), to);
      break;
    case kComplex128:
      FillComplex<Complex128>(from.dcomplex_val(), to);
      break;
    case kInt64:
      FillNumbers<int64_t>(from.int64_val(), to);
      break;
    case kBool:
      FillNumbers<bool>(from.bool_val(), to);
      break;
    case kHalf:
      FillHalves<Half>(from, to);
      break;
    case kBfloat16:
      FillHalves<Bfloat16>(from, to);
      break;
    case kUint32:
      FillNumbers<uint32_t>(from.uint32_val(), to);
      break;
    case kUint64:
      FillNumbers<uint64_t>(from.uint64_val(), to);
      break;
    case kResource:
      return FillHandles(from, to);
    case kVariant:
      return FillVariants(from, depth, to);
    case kInvalid:
      break;
  }
  return absl::OkStatus();
}

// True for equal plain elements with more bytes than the short form needs.
bool IsOneValue(const Tensor& tensor) {
  constexpr size_t kLarge = 1 << 16;
  if (!IsPlain(tensor.dtype()) || tensor.bytes() < kLarge) return false;
  const size_t size = SizeOf(tensor.dtype());
  const char* data = tensor.data<char>();
  return std::memcmp(data, data + size, tensor.bytes() - size) == 0;
}

// ---- whole tensors
// --------------------------------------------------------------------------------------------------

absl::StatusOr<Tensor> Decode(const proto::TensorProto& from, int depth) {
  if (depth > kMaxDepth) return InvalidArgument("tensors nest deeper than ", kMaxDepth);
  SLUICE_ASSIGN(const DType dtype, DecodeValueType(from.dtype()));
  SLUICE_ASSIGN(const Shape shape, DecodeShape(from.tensor_shape()));
  if (shape.num_elements() == 0 || !from.tensor_content().empty()) {
    return DecodeContentAt(dtype, shape, from.tensor_content(), depth);
  }
  SLUICE_RETURN_IF_ERROR(CheckExpanded(dtype, shape));
  SLUICE_ASSIGN(Tensor tensor, Tensor::Allocate(CpuAllocator(), dtype, shape));
  SLUICE_RETURN_IF_ERROR(FillTyped(from, depth, &tensor));
  return tensor;
}

// `typed`: strings and objects are in fields of their own, not framed in the content.
absl::Status Encode(const Tensor& from, proto::TensorProto* to, bool typed, int depth) {
  to->Clear();
  if (depth > kMaxDepth) return InvalidArgument("tensors nest deeper than ", kMaxDepth);
  if (!IsKnown(from.dtype()))
    return InvalidArgument("a tensor of ", from.dtype(), " has no wire form");
  SLUICE_ASSIGN(const Tensor source, from.Snapshot());
  to->set_dtype(static_cast<proto::DataType>(source.dtype()));
  EncodeShape(source.shape(), to->mutable_tensor_shape());
  if (typed && source.dtype() == kString) {
    int64_t total = 0;
    for (const std::string& value : source.flat<std::string>())
      total += static_cast<int64_t>(value.size()) + 6;
    if (total > kMaxMessage)
      return ResourceExhausted("tensor of ", total, " bytes does not fit a message");
    for (const std::string& value : source.flat<std::string>()) to->add_string_val(value);
    return absl::OkStatus();
  }
  if (typed && source.dtype() == kVariant) {
    for (const Variant& value : source.flat<Variant>())
      SLUICE_RETURN_IF_ERROR(EncodeVariant(value, to->add_variant_val(), depth));
    const auto total = static_cast<int64_t>(to->ByteSizeLong());
    if (total <= kMaxMessage) return absl::OkStatus();
    return ResourceExhausted("tensor of ", total, " bytes does not fit a message");
  }
  if (IsOneValue(source)) {
    Tensor one(source.dtype(), Shape{});
    std::memcpy(one.raw(), source.raw(), SizeOf(source.dtype()));
    return EncodeTypedFields(one, to);
  }
  return EncodeContentAt(source, depth, to->mutable_tensor_content());
}

}  // namespace

OpaqueVariant::OpaqueVariant(std::string type, std::string metadata, std::vector<Tensor> tensors)
    : type_(std::move(type)), metadata_(std::move(metadata)), tensors_(std::move(tensors)) {
  for (const Tensor& tensor : tensors_) depth_ = std::max(depth_, 1 + DepthOf(tensor));
}

absl::Status OpaqueVariant::Encode(std::string* metadata, std::vector<Tensor>* tensors) const {
  *metadata = metadata_;
  *tensors = tensors_;
  return absl::OkStatus();
}

absl::StatusOr<const Variant::Object*> OpaqueVariant::Decoded(
    absl::FunctionRef<absl::StatusOr<RefPtr<Object>>(const OpaqueVariant&)> decode) const {
  absl::MutexLock lock(&mu_);
  if (!decoded_) {
    SLUICE_ASSIGN(decoded_, decode(*this));
  }
  return decoded_.get();
}

absl::StatusOr<DType> DecodeValueType(int number) {
  const DType dtype = static_cast<DType>(number);
  if (IsKnown(dtype)) return dtype;
  return InvalidArgument("a tensor cannot have type number ", number,
                         IsRef(dtype) ? ", a reference" : "");
}

absl::StatusOr<Tensor> DecodeTensor(const proto::TensorProto& from) {
  Count(from.ByteSizeLong());
  return Decode(from, 0);
}

absl::Status EncodeTensor(const Tensor& from, proto::TensorProto* to, TensorForm form) {
  SLUICE_RETURN_IF_ERROR(Encode(from, to, form == TensorForm::kReadable, 0));
  Count(to->ByteSizeLong());
  return absl::OkStatus();
}

absl::StatusOr<Tensor> DecodeContent(DType dtype, const Shape& shape, absl::string_view content) {
  Count(content.size());
  SLUICE_RETURN_IF_ERROR(DecodeValueType(static_cast<int>(dtype)).status());
  return DecodeContentAt(dtype, shape, content, 0);
}

absl::Status EncodeContent(const Tensor& from, std::string* content) {
  SLUICE_ASSIGN(const Tensor source, from.Snapshot());
  SLUICE_RETURN_IF_ERROR(EncodeContentAt(source, 0, content));
  Count(content->size());
  return absl::OkStatus();
}

int64_t CodecBytes() { return codec_bytes.load(std::memory_order_relaxed); }

}  // namespace sluice
