// SPDX-License-Identifier: Apache-2.0
#include "core/io/checkpoint/bundle_reader.h"

#include <algorithm>

#include "core/codec/codec.h"
#include "core/io/checkpoint/bundle_writer.h"
#include "core/io/crc32c.h"
#include "proto/checkpoint.pb.h"

namespace sluice {
namespace {

constexpr int kVersion = 1;  // the format version that we read

absl::StatusOr<BundleReader::Stored> Decode(const proto::BundleEntryProto& entry) {
  BundleReader::Stored stored;
  SLUICE_ASSIGN(stored.dtype, DecodeValueType(entry.dtype()));
  SLUICE_ASSIGN(stored.shape, DecodeShape(entry.shape()));
  if (entry.offset() < 0 || entry.size() < 0) return InvalidArgument("its place is negative");
  stored.bytes.offset = static_cast<uint64_t>(entry.offset());
  stored.bytes.size = static_cast<uint64_t>(entry.size());
  stored.bytes.crc = UnmaskCrc(entry.crc32c());
  stored.shard = entry.shard_id();
  for (const auto& slice : entry.slices()) {
    SLUICE_ASSIGN(TensorSlice decoded, TensorSlice::Decode(slice));
    SLUICE_RETURN_IF_ERROR(decoded.Within(stored.shape).status());
    stored.slices.push_back(std::move(decoded));
  }
  return stored;
}

}  // namespace

absl::StatusOr<std::shared_ptr<const proto::BundleHeaderProto>> DecodeBundleHeader(
    const Table::Cursor& cursor) {
  auto header = std::make_shared<proto::BundleHeaderProto>();
  if (!cursor.valid() || !cursor.key().empty() ||
      !header->ParseFromArray(cursor.value().data(), static_cast<int>(cursor.value().size()))) {
    return DataLoss("the index of the checkpoint has no header");
  }
  const auto& bad = header->version().bad_consumers();
  if (header->version().min_consumer() > kVersion ||
      std::find(bad.begin(), bad.end(), kVersion) != bad.end()) {
    return InvalidArgument("the checkpoint wants a reader of version ",
                           header->version().min_consumer(), " of its format, this one is ",
                           kVersion);
  }
  if (header->num_shards() < 1) return DataLoss("the checkpoint has no data file");
  return header;
}

absl::StatusOr<std::unique_ptr<BundleReader>> BundleReader::Open(const std::string& prefix) {
  SLUICE_ASSIGN(std::unique_ptr<Table> index, Table::Open(BundleIndexFile(prefix)));
  std::unique_ptr<BundleReader> reader(new BundleReader(prefix, std::move(index)));
  const absl::Status status = reader->ReadHeader();
  if (!status.ok()) return Annotate(status, BundleIndexFile(prefix));
  return reader;
}

absl::Status BundleReader::ReadHeader() {
  SLUICE_RETURN_IF_ERROR(cursor_.Seek(""));
  SLUICE_ASSIGN(const auto header, DecodeBundleHeader(cursor_));
  num_shards_ = header->num_shards();
  swapped_ = header->endianness() == proto::BundleHeaderProto::BIG;
  return absl::OkStatus();
}

absl::StatusOr<BundleReader::Stored> BundleReader::FindKey(const std::string& key,
                                                           absl::string_view name) {
  SLUICE_RETURN_IF_ERROR(cursor_.Seek(key));
  if (key.empty() || !cursor_.valid() || cursor_.key() != key) {
    return NotFound("Key ", name, " not found in checkpoint ", prefix_);
  }
  proto::BundleEntryProto entry;
  if (!entry.ParseFromArray(cursor_.value().data(), static_cast<int>(cursor_.value().size()))) {
    return DataLoss(index_->path(), ": the entry of ", name, " does not parse");
  }
  absl::StatusOr<Stored> stored = Decode(entry);
  if (!stored.ok()) {
    return DataLoss(index_->path(), ": the entry of ", name, ": ", stored.status().message());
  }
  stored->bytes.swapped = swapped_;
  return stored;
}

absl::StatusOr<BundleReader::Stored> BundleReader::Find(const std::string& name) {
  return FindKey(name, name);
}

absl::StatusOr<const RandomAccessFile*> BundleReader::DataFile(int shard) {
  if (shard < 0 || shard >= num_shards_) {
    return DataLoss(index_->path(), " speaks of data file ", shard, " of ", num_shards_);
  }
  std::unique_ptr<RandomAccessFile>& file = data_[shard];
  if (!file) {
    SLUICE_ASSIGN(file, RandomAccessFile::Open(BundleDataFile(prefix_, shard, num_shards_)));
  }
  return file.get();
}

absl::StatusOr<Tensor> BundleReader::Read(const std::string& name, const Stored& stored) {
  if (!stored.slices.empty()) {
    return ReadSlice(name, stored, TensorSlice::Whole(stored.shape.rank()));
  }
  SLUICE_ASSIGN(const RandomAccessFile* file, DataFile(stored.shard));
  return ReadTensorBytes(*file, stored.bytes, stored.dtype, stored.shape);
}

absl::StatusOr<Tensor> BundleReader::ReadSlice(const std::string& name, const Stored& stored,
                                               const TensorSlice& slice) {
  if (stored.slices.empty()) {
    return Assemble(stored.dtype, stored.shape, {TensorSlice::Whole(stored.shape.rank())}, slice,
                    [&](const TensorSlice&) { return Read(name, stored); });
  }
  auto read = [&](const TensorSlice& piece) -> absl::StatusOr<Tensor> {
    SLUICE_ASSIGN(Stored part, FindKey(piece.KeyOf(name), Cat(name, " (slice ", piece, ")")));
    SLUICE_ASSIGN(part.shape, piece.Within(stored.shape));
    if (part.dtype != stored.dtype || !part.slices.empty()) {
      return DataLoss(index_->path(), ": the slices of ", name, " do not belong together");
    }
    SLUICE_ASSIGN(const RandomAccessFile* file, DataFile(part.shard));
    return ReadTensorBytes(*file, part.bytes, part.dtype, part.shape);
  };
  absl::StatusOr<Tensor> tensor = Assemble(stored.dtype, stored.shape, stored.slices, slice, read);
  return tensor.ok() ? std::move(tensor)
                     : Annotate(tensor.status(), Cat("tensor_name = ", name, " in ", prefix_));
}

}  // namespace sluice
