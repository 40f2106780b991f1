// SPDX-License-Identifier: Apache-2.0
// Merges several bundles into one.
#include <map>

#include "absl/container/flat_hash_map.h"
#include "core/io/checkpoint/bundle_reader.h"
#include "core/io/checkpoint/bundle_writer.h"
#include "core/io/checkpoint/table.h"
#include "core/io/file.h"
#include "proto/checkpoint.pb.h"

namespace sluice {
namespace {

struct Merged {
  proto::BundleHeaderProto header;
  bool any = false;
  std::map<std::string, proto::BundleEntryProto> entries;
  // (prefix, shard) of a data file -> its number in the result.
  absl::flat_hash_map<std::string, int> numbers;
  std::vector<std::string> files;

  int NumberOf(const std::string& prefix, int shard, int shards) {
    const std::string file = BundleDataFile(prefix, shard, shards);
    const auto [at, added] = numbers.try_emplace(file, static_cast<int>(files.size()));
    if (added) files.push_back(file);
    return at->second;
  }

  absl::Status AddHeader(const std::string& prefix, const proto::BundleHeaderProto& from) {
    if (any && (header.endianness() != from.endianness() ||
                header.version().producer() != from.version().producer() ||
                header.version().min_consumer() != from.version().min_consumer())) {
      return InvalidArgument("Merging bundles with conflicting endianness or version: ", prefix);
    }
    if (!any) header = from;
    any = true;
    return absl::OkStatus();
  }

  absl::Status AddEntry(const std::string& prefix, int shards, const std::string& key,
                        proto::BundleEntryProto entry) {
    if (entry.slices().empty()) entry.set_shard_id(NumberOf(prefix, entry.shard_id(), shards));
    const auto [at, added] = entries.try_emplace(key, entry);
    if (added) return absl::OkStatus();
    if (at->second.slices().empty() || entry.slices().empty()) {
      return InvalidArgument("Duplicate tensor keyed by ", key,
                             " encountered, when merging prefix: ", prefix);
    }
    at->second.mutable_slices()->MergeFrom(entry.slices());
    return absl::OkStatus();
  }

  absl::Status AddBundle(const std::string& prefix) {
    SLUICE_ASSIGN(const std::unique_ptr<Table> table, Table::Open(BundleIndexFile(prefix)));
    Table::Cursor cursor(*table);
    SLUICE_RETURN_IF_ERROR(cursor.Seek(""));
    SLUICE_ASSIGN(const auto from, DecodeBundleHeader(cursor));
    SLUICE_RETURN_IF_ERROR(AddHeader(prefix, *from));
    SLUICE_RETURN_IF_ERROR(cursor.Next());
    while (cursor.valid()) {
      proto::BundleEntryProto entry;
      if (!entry.ParseFromArray(cursor.value().data(), static_cast<int>(cursor.value().size()))) {
        return DataLoss(table->path(), ": the entry of ", cursor.key(), " does not parse");
      }
      SLUICE_RETURN_IF_ERROR(AddEntry(prefix, from->num_shards(), cursor.key(), std::move(entry)));
      SLUICE_RETURN_IF_ERROR(cursor.Next());
    }
    return absl::OkStatus();
  }

  absl::Status WriteIndex(const std::string& to) {
    SLUICE_ASSIGN(std::unique_ptr<AtomicFile> file, AtomicFile::Create(BundleIndexFile(to)));
    TableWriter index(std::move(file));
    header.set_num_shards(static_cast<int>(files.size()));
    SLUICE_RETURN_IF_ERROR(index.Add("", header.SerializeAsString()));
    for (const auto& [key, entry] : entries) {
      SLUICE_RETURN_IF_ERROR(index.Add(key, entry.SerializeAsString()));
    }
    return index.Commit();
  }
};

}  // namespace

absl::Status MergeBundles(absl::Span<const std::string> prefixes, const std::string& to,
                          bool allow_missing) {
  Merged merged;
  std::vector<std::string> indices;
  for (const std::string& prefix : prefixes) {
    const std::string index = BundleIndexFile(prefix);
    SLUICE_ASSIGN(const bool exists, FileExists(index));
    if (!exists && allow_missing) continue;
    const absl::Status added = merged.AddBundle(prefix);
    if (!exists && absl::IsNotFound(added)) {
      return InvalidArgument("allow_missing_files was set to false and ", prefix,
                             " did not exist: ", index, " not found");
    }
    SLUICE_RETURN_IF_ERROR(added);
    indices.push_back(index);
  }
  if (!merged.any) {
    return InvalidArgument("At least one prefix checkpoint file must exist, but none existed, of ",
                           prefixes.size(), " to be merged into ", to);
  }
  SLUICE_RETURN_IF_ERROR(MakeFolderOf(to));
  for (size_t i = 0; i < merged.files.size(); ++i) {
    SLUICE_RETURN_IF_ERROR(RenameFile(
        merged.files[i],
        BundleDataFile(to, static_cast<int64_t>(i), static_cast<int64_t>(merged.files.size()))));
  }
  SLUICE_RETURN_IF_ERROR(merged.WriteIndex(to));
  const std::string result = BundleIndexFile(to);
  for (const std::string& index : indices) {
    if (index != result) RemoveFile(index).IgnoreError();
  }
  return absl::OkStatus();
}

}  // namespace sluice
