// SPDX-License-Identifier: Apache-2.0
#include "core/io/checkpoint/bundle_writer.h"

#include "absl/strings/str_format.h"
#include "core/codec/codec.h"
#include "core/io/checkpoint/table.h"
#include "core/io/crc32c.h"
#include "core/io/file.h"
#include "core/io/tensor_bytes.h"
#include "proto/checkpoint.pb.h"

namespace sluice {

std::string BundleIndexFile(absl::string_view prefix) { return absl::StrCat(prefix, ".index"); }

std::string BundleDataFile(absl::string_view prefix, int64_t shard, int64_t shards) {
  return absl::StrFormat("%s.data-%05d-of-%05d", prefix, shard, shards);
}

absl::StatusOr<std::unique_ptr<BundleWriter>> BundleWriter::Create(const std::string& prefix) {
  SLUICE_RETURN_IF_ERROR(MakeFolderOf(prefix));
  SLUICE_ASSIGN(std::unique_ptr<AtomicFile> data, AtomicFile::Create(BundleDataFile(prefix, 0, 1)));
  return std::unique_ptr<BundleWriter>(new BundleWriter(prefix, std::move(data)));
}

absl::Status BundleWriter::Add(const std::string& name, const Tensor& tensor) {
  if (name.empty()) return InvalidArgument("a tensor without a name cannot be saved");
  const auto [at, added] = entries_.try_emplace(name);
  if (!added) return InvalidArgument("Adding duplicate key: ", name);
  Entry& entry = at->second;
  entry.dtype = tensor.dtype();
  entry.shape = tensor.shape();
  entry.offset = data_->size();
  SLUICE_RETURN_IF_ERROR(WriteTensorBytes(tensor, data_.get(), &entry.crc));
  entry.crc = MaskCrc(entry.crc);
  entry.size = data_->size() - entry.offset;
  return absl::OkStatus();
}

absl::Status BundleWriter::AddSlice(const std::string& name, const ShapeAndSlice& part,
                                    const Tensor& tensor) {
  if (part.slice_shape == part.shape) return Add(name, tensor);
  if (name.empty()) return InvalidArgument("a tensor without a name cannot be saved");
  const auto [at, added] = entries_.try_emplace(name);
  Entry& whole = at->second;
  if (added) {
    whole.dtype = tensor.dtype();
    whole.shape = part.shape;
  } else if (whole.slices.empty()) {
    return InvalidArgument("Adding duplicate key: ", name);
  } else if (whole.dtype != tensor.dtype() || !(whole.shape == part.shape)) {
    return InvalidArgument("slices of ", name, " are of ", whole.dtype, " ", whole.shape, " and ",
                           tensor.dtype(), " ", part.shape);
  }
  whole.slices.push_back(part.slice);
  return Add(part.slice.KeyOf(name), tensor);
}

std::string BundleWriter::Encoded(const Entry& entry) const {
  proto::BundleEntryProto message;
  message.set_dtype(static_cast<proto::DataType>(entry.dtype));
  EncodeShape(entry.shape, message.mutable_shape());
  message.set_offset(static_cast<int64_t>(entry.offset));
  message.set_size(static_cast<int64_t>(entry.size));
  message.set_crc32c(entry.crc);
  for (const TensorSlice& slice : entry.slices) slice.Encode(message.add_slices());
  return message.SerializeAsString();
}

absl::Status BundleWriter::Commit() {
  SLUICE_RETURN_IF_ERROR(data_->Commit());
  SLUICE_ASSIGN(std::unique_ptr<AtomicFile> file, AtomicFile::Create(BundleIndexFile(prefix_)));
  TableWriter index(std::move(file));
  proto::BundleHeaderProto header;
  header.set_num_shards(1);
  header.mutable_version()->set_producer(1);
  SLUICE_RETURN_IF_ERROR(index.Add("", header.SerializeAsString()));
  for (const auto& [key, entry] : entries_) SLUICE_RETURN_IF_ERROR(index.Add(key, Encoded(entry)));
  return index.Commit();
}

}  // namespace sluice
