// SPDX-License-Identifier: Apache-2.0
#include "core/io/checkpoint/checkpoint_v1.h"

#include <algorithm>

#include "core/codec/codec.h"
#include "core/io/file.h"
#include "proto/checkpoint.pb.h"

namespace sluice {
namespace {

constexpr int kVersion = 1;

// The maximal number of bytes of an element in a message: negative numbers take ten.
int64_t WorstBytes(DType dtype) {
  switch (dtype) {
    case kBool:
      return 1;
    case kUint8:
    case kQuint8:
      return 2;
    case kHalf:
    case kBfloat16:
    case kUint16:
    case kQuint16:
      return 3;
    case kFloat:
    case kDouble:
    case kComplex64:
    case kComplex128:
      return static_cast<int64_t>(SizeOf(dtype));
    default:
      return 10;
  }
}

// INVALID_ARGUMENT, before the program makes a message that Protobuf cannot hold.
absl::Status CheckFits(const std::string& name, const Tensor& tensor) {
  constexpr int64_t kHeader = 1 << 10, kMost = int64_t{1} << 31;
  const int64_t bytes = kHeader + static_cast<int64_t>(name.size()) +
                        WorstBytes(tensor.dtype()) * tensor.num_elements();
  if (!IsPlain(tensor.dtype()) || bytes <= kMost) return absl::OkStatus();
  return InvalidArgument("Tensor slice is too large to serialize (conservative estimate: ", bytes,
                         " bytes): ", name, ": the older checkpoint format holds 2 GiB at most");
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
  SLUICE_RETURN_IF_ERROR(CheckFits(name, tensor));
  proto::SavedTensorSlices message;
  message.mutable_data()->set_name(name);
  part.slice.Encode(message.mutable_data()->mutable_slice());
  const absl::Status filled = EncodeTypedFields(tensor, message.mutable_data()->mutable_data());
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
  absl::StatusOr<std::unique_ptr<Table>> opened = Table::Open(path);
  if (absl::IsDataLoss(opened.status())) {
    return DataLoss("Unable to open table file ", path, ": ", opened.status(),
                    ": perhaps your file is in a different file format and you need to use a "
                    "different restore operator?");
  }
  SLUICE_ASSIGN(std::unique_ptr<Table> table, std::move(opened));
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
