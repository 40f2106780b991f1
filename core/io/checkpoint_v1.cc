#include "core/io/checkpoint_v1.h"

#include <algorithm>

#include "core/codec.h"
#include "core/io/file.h"
#include "proto/checkpoint.pb.h"

namespace sluice {
namespace {

constexpr int kVersion = 1;

// Values go to the typed field of their dtype.
absl::Status FillTyped(const Tensor& tensor, proto::TensorProto* to) {
  auto each = [&]<typename T>(Type<T>) {
    for (const T& value : tensor.flat<T>()) {
      if constexpr (std::is_same_v<T, float>) {
        to->add_float_val(value);
      } else if constexpr (std::is_same_v<T, double>) {
        to->add_double_val(value);
      } else if constexpr (std::is_same_v<T, std::string>) {
        to->add_string_val(value);
      } else if constexpr (std::is_same_v<T, Complex64>) {
        to->add_scomplex_val(value.real());
        to->add_scomplex_val(value.imag());
      } else if constexpr (std::is_same_v<T, Complex128>) {
        to->add_dcomplex_val(value.real());
        to->add_dcomplex_val(value.imag());
      } else if constexpr (std::is_same_v<T, int64_t>) {
        to->add_int64_val(value);
      } else if constexpr (std::is_same_v<T, bool>) {
        to->add_bool_val(value);
      } else if constexpr (std::is_same_v<T, uint32_t>) {
        to->add_uint32_val(value);
      } else if constexpr (std::is_same_v<T, uint64_t>) {
        to->add_uint64_val(value);
      } else {
        to->add_int_val(static_cast<int32_t>(value));
      }
    }
    return absl::OkStatus();
  };
  auto bits = [&](auto convert) {
    for (int64_t i = 0; i < tensor.num_elements(); ++i) convert(i);
    return absl::OkStatus();
  };
  switch (tensor.dtype()) {
    case kHalf:
    case kBfloat16:
      return bits([&](int64_t i) { to->add_half_val(tensor.data<uint16_t>()[i]); });
    case kQint8:
      return bits([&](int64_t i) { to->add_int_val(tensor.data<int8_t>()[i]); });
    case kQuint8:
      return bits([&](int64_t i) { to->add_int_val(tensor.data<uint8_t>()[i]); });
    case kQint16:
      return bits([&](int64_t i) { to->add_int_val(tensor.data<int16_t>()[i]); });
    case kQuint16:
      return bits([&](int64_t i) { to->add_int_val(tensor.data<uint16_t>()[i]); });
    case kQint32:
      return bits([&](int64_t i) { to->add_int_val(tensor.data<int32_t>()[i]); });
    default:
      return VisitDType(
          Join<TypeList<float, double, Complex64, Complex128, bool, std::string>, IntegerTypes>{},
          tensor.dtype(), each);
  }
}

int64_t CountTyped(DType dtype, const proto::TensorProto& from) {
  switch (dtype) {
    case kFloat:
      return from.float_val_size();
    case kDouble:
      return from.double_val_size();
    case kString:
      return from.string_val_size();
    case kComplex64:
      return from.scomplex_val_size() / 2;
    case kComplex128:
      return from.dcomplex_val_size() / 2;
    case kInt64:
      return from.int64_val_size();
    case kBool:
      return from.bool_val_size();
    case kHalf:
    case kBfloat16:
      return from.half_val_size();
    case kUint32:
      return from.uint32_val_size();
    case kUint64:
      return from.uint64_val_size();
    default:
      return from.int_val_size();
  }
}

}  // namespace

absl::Status V1Writer::AddSlice(const std::string& name, const ShapeAndSlice& part,
                                const Tensor& tensor) {
  const auto [at, added] = tensors_.try_emplace(name, Saved{tensor.dtype(), part.shape, {}});
  Saved& saved = at->second;
  if (!added && (saved.dtype != tensor.dtype() || !(saved.shape == part.shape))) {
    return InvalidArgument("slices of ", name, " are of ", saved.dtype, " ", saved.shape, " and ",
                           tensor.dtype(), " ", part.shape);
  }
  proto::SavedTensorSlices message;
  message.mutable_data()->set_name(name);
  part.slice.Encode(message.mutable_data()->mutable_slice());
  const absl::Status filled = FillTyped(tensor, message.mutable_data()->mutable_data());
  if (!filled.ok()) {
    return InvalidArgument(name, ": a tensor of type ", tensor.dtype(), " cannot be saved");
  }
  if (message.ByteSizeLong() > INT32_MAX) {
    return InvalidArgument("Tensor slice is too large to serialize: ", name,
                           ": the older checkpoint format holds 2 GiB at most");
  }
  if (!slices_.emplace(part.slice.KeyOf(name), message.SerializeAsString()).second) {
    return InvalidArgument("Adding duplicate key: ", name);
  }
  saved.slices.push_back(part.slice);
  return absl::OkStatus();
}

absl::Status V1Writer::Commit() {
  SLUICE_ASSIGN(std::unique_ptr<AtomicFile> file, AtomicFile::Create(path_));
  TableWriter table(std::move(file));
  proto::SavedTensorSlices head;
  head.mutable_meta()->mutable_versions()->set_producer(kVersion);
  for (const auto& [name, saved] : tensors_) {
    auto* tensor = head.mutable_meta()->add_tensor();
    tensor->set_name(name);
    EncodeShape(saved.shape, tensor->mutable_shape());
    tensor->set_type(static_cast<proto::DataType>(saved.dtype));
    for (const TensorSlice& slice : saved.slices) slice.Encode(tensor->add_slice());
  }
  SLUICE_RETURN_IF_ERROR(table.Add("", head.SerializeAsString()));
  for (const auto& [key, slice] : slices_) SLUICE_RETURN_IF_ERROR(table.Add(key, slice));
  return table.Commit();
}

absl::StatusOr<std::unique_ptr<V1Reader>> V1Reader::Open(const std::string& pattern) {
  SLUICE_ASSIGN(const std::vector<std::string> paths, MatchingFiles(pattern));
  std::unique_ptr<V1Reader> reader(new V1Reader(pattern));
  if (paths.empty()) {
    return NotFound(
        "Unsuccessful TensorSliceReader constructor: Failed to find any matching files for ",
        pattern);
  }
  for (const std::string& path : paths) SLUICE_RETURN_IF_ERROR(reader->AddFile(path));
  return reader;
}

absl::Status V1Reader::AddFile(const std::string& path) {
  SLUICE_ASSIGN(std::unique_ptr<Table> table, Table::Open(path));
  Table::Cursor cursor(*table);
  SLUICE_RETURN_IF_ERROR(cursor.Seek(""));
  proto::SavedTensorSlices head;
  if (!cursor.valid() || !cursor.key().empty() ||
      !head.ParseFromArray(cursor.value().data(), static_cast<int>(cursor.value().size()))) {
    return DataLoss(path, " has no list of what it holds");
  }
  if (head.meta().versions().min_consumer() > kVersion) {
    return InvalidArgument(path, " wants a reader of version ",
                           head.meta().versions().min_consumer());
  }
  for (const auto& tensor : head.meta().tensor()) {
    Stored& stored = tensors_[tensor.name()];
    SLUICE_ASSIGN(const DType dtype, DecodeValueType(tensor.type()));
    SLUICE_ASSIGN(const Shape shape, DecodeShape(tensor.shape()));
    if (stored.dtype != kInvalid && (stored.dtype != dtype || !(stored.shape == shape))) {
      return InvalidArgument(path, ": ", tensor.name(), " has another type or shape elsewhere");
    }
    stored.dtype = dtype;
    stored.shape = shape;
    for (const auto& part : tensor.slice()) {
      SLUICE_ASSIGN(TensorSlice slice, TensorSlice::Decode(part));
      SLUICE_RETURN_IF_ERROR(slice.Within(shape).status());
      stored.slices.push_back(std::move(slice));
      stored.files.push_back(table.get());
    }
  }
  files_.push_back(std::move(table));
  return absl::OkStatus();
}

absl::StatusOr<const V1Reader::Stored*> V1Reader::Find(const std::string& name) const {
  const auto found = tensors_.find(name);
  if (found != tensors_.end()) return &found->second;
  return NotFound("Tensor name \"", name, "\" not found in checkpoint files ", pattern_);
}

absl::StatusOr<Tensor> V1Reader::ReadSlice(const std::string& name, const Stored& stored,
                                           const TensorSlice& slice) const {
  auto read = [&](const TensorSlice& piece) -> absl::StatusOr<Tensor> {
    const size_t i =
        std::find(stored.slices.begin(), stored.slices.end(), piece) - stored.slices.begin();
    const Table& table = *stored.files[i];
    Table::Cursor cursor(table);
    const std::string key = piece.KeyOf(name);
    SLUICE_RETURN_IF_ERROR(cursor.Seek(key));
    proto::SavedTensorSlices message;
    if (!cursor.valid() || cursor.key() != key ||
        !message.ParseFromArray(cursor.value().data(), static_cast<int>(cursor.value().size()))) {
      return DataLoss(table.path(), " lacks slice ", piece, " of ", name);
    }
    SLUICE_ASSIGN(const Shape shape, piece.Within(stored.shape));
    proto::TensorProto* data = message.mutable_data()->mutable_data();
    if (CountTyped(stored.dtype, *data) != shape.num_elements()) {
      return DataLoss(table.path(), ": slice ", piece, " of ", name, " has ",
                      CountTyped(stored.dtype, *data), " values, not ", shape.num_elements());
    }
    data->clear_tensor_content();
    data->set_dtype(static_cast<proto::DataType>(stored.dtype));
    EncodeShape(shape, data->mutable_tensor_shape());
    return DecodeTensor(*data);
  };
  absl::StatusOr<Tensor> tensor = Assemble(stored.dtype, stored.shape, stored.slices, slice, read);
  return tensor.ok() ? std::move(tensor)
                     : Annotate(tensor.status(), Cat("tensor_name = ", name, " in ", pattern_));
}

}  // namespace sluice
