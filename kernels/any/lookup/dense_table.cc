// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <limits>

#include "core/tensor/allocator.h"
#include "core/tensor/variant.h"
#include "kernels/any/lookup/tables.h"
#include "kernels/common/string_hash.h"

namespace sluice::kernels {
namespace {

uint64_t HashOf(const std::string& key) { return MurmurHash64(key); }
uint64_t HashOf(int64_t key) { return static_cast<uint64_t>(key); }

uint64_t Combined(uint64_t a, uint64_t b) {
  return a ^ (b + 0x9e3779b97f4a7800ULL + (a << 10) + (a >> 4));
}

// A DenseTable keeps keys and values in buckets, which are rows of two tensors. A key is in the
// first bucket, of the sequence that begins with its hash, that was free. Hashes and sequences are
// TensorFlow's: an export is all buckets, and TensorFlow restores it as it is. TensorFlow can
// insert a key a second time, before the bucket that has it; here a key is in one bucket.
template <typename K>
class DenseTable final : public Table {
 public:
  DenseTable(const PairType& type, const DenseOptions& options)
      : Table(type),
        key_width_(type.key_shape.num_elements()),
        value_width_(type.value_shape.num_elements()),
        empty_key_(options.empty_key),
        deleted_key_(options.deleted_key),
        max_load_(options.max_load) {}

  absl::Status Allocate(int64_t buckets) {
    absl::MutexLock lock(&mu_);
    SLUICE_ASSIGN(now_, NewBuckets(buckets));
    return absl::OkStatus();
  }

  std::string ToString() const override { return "a MutableDenseHashTable"; }
  int64_t size() const override {
    absl::ReaderMutexLock lock(&mu_);
    return now_.entries;
  }

  absl::Status Export(KernelContext& ctx) const override {
    absl::ReaderMutexLock lock(&mu_);
    SLUICE_ASSIGN(Tensor * keys, ctx.AllocateOutput(0, now_.keys.shape()));
    SLUICE_ASSIGN(Tensor * values, ctx.AllocateOutput(1, now_.values.shape()));
    CopyRow(now_.keys, 0, *keys, 0, now_.keys.num_elements());
    CopyRow(now_.values, 0, *values, 0, now_.values.num_elements());
    return absl::OkStatus();
  }

 protected:
  absl::Status FindChecked(const Tensor& keys, const Tensor& defaults,
                           Tensor& values) const override {
    SLUICE_ASSIGN(const int64_t count, CountOf(keys));
    const bool one_default = defaults.shape() == type().value_shape;
    absl::ReaderMutexLock lock(&mu_);
    for (int64_t i = 0; i < count; ++i) {
      const K* key = KeyAt(keys, i);
      SLUICE_RETURN_IF_ERROR(CheckKey(key));
      if (const Place place = PlaceOf(now_, key); place.found)
        CopyRow(now_.values, place.bucket, values, i, value_width_);
      else
        CopyRow(defaults, one_default ? 0 : i, values, i, value_width_);
    }
    return absl::OkStatus();
  }

  absl::Status InsertChecked(const Tensor& keys, const Tensor& values) override {
    SLUICE_ASSIGN(const int64_t count, CountOf(keys));
    absl::MutexLock lock(&mu_);
    // As in TensorFlow, every key counts as a new one.
    SLUICE_RETURN_IF_ERROR(GrowFor(now_.entries + count));
    for (int64_t i = 0; i < count; ++i) {
      SLUICE_RETURN_IF_ERROR(CheckKey(KeyAt(keys, i)));
      SLUICE_RETURN_IF_ERROR(Put(now_, keys, values, i));
    }
    return absl::OkStatus();
  }

  absl::Status RemoveChecked(const Tensor& keys) override {
    SLUICE_ASSIGN(const int64_t count, CountOf(keys));
    absl::MutexLock lock(&mu_);
    for (int64_t i = 0; i < count; ++i) {
      const K* key = KeyAt(keys, i);
      SLUICE_RETURN_IF_ERROR(CheckKey(key));
      const Place place = PlaceOf(now_, key);
      if (!place.found) continue;
      if (!deleted_key_.valid()) return Unimplemented("the table has no deleted_key");
      Delete(now_, place.bucket);
      --now_.entries;
    }
    return absl::OkStatus();
  }

  PairType exported_type() const override {
    return {type().key, type().value, Shape{key_width_}, Shape{value_width_}};
  }
  // An export's buckets become the table's if each key is where a lookup finds it. If not, the keys
  // are inserted.
  absl::Status ImportChecked(const Tensor& keys, const Tensor& values) override {
    SLUICE_ASSIGN(const int64_t count, CountOf(keys));
    Buckets imported;
    bool placed = false;
    if (count >= kFewest && (count & (count - 1)) == 0) {
      SLUICE_ASSIGN(imported, NewBuckets(count));
      CopyRow(keys, 0, imported.keys, 0, keys.num_elements());
      CopyRow(values, 0, imported.values, 0, values.num_elements());
      placed = CountAndTidy(imported);
    }
    if (!placed) {
      SLUICE_ASSIGN(const int64_t buckets, EnoughFor(count, kFewest));
      SLUICE_ASSIGN(imported, NewBuckets(buckets));
      SLUICE_RETURN_IF_ERROR(PutAll(imported, keys, values, count));
    }
    absl::MutexLock lock(&mu_);
    now_ = std::move(imported);
    return absl::OkStatus();
  }

 private:
  static constexpr int64_t kFewest = 4;

  struct Buckets {
    Tensor keys, values;  // a row for each bucket
    int64_t entries = 0;
    int64_t deleted = 0;  // buckets with the deleted_key
    int64_t count() const { return keys.dim(0); }
  };

  // Where a key is, or may be put. No bucket (-1) if all have other keys.
  struct Place {
    int64_t bucket = -1;
    bool found = false;
  };

  const K* KeyAt(const Tensor& keys, int64_t i) const { return keys.data<K>() + i * key_width_; }
  bool IsKey(const Tensor& keys, int64_t row, const K* key) const {
    return std::equal(key, key + key_width_, KeyAt(keys, row));
  }
  bool IsEmpty(const Tensor& keys, int64_t row) const {
    return IsKey(keys, row, KeyAt(empty_key_, 0));
  }
  bool IsDeleted(const K* key) const { return deleted_key_.valid() && IsKey(deleted_key_, 0, key); }
  bool IsFree(const Tensor& keys, int64_t row) const {
    return IsEmpty(keys, row) || IsDeleted(KeyAt(keys, row));
  }
  uint64_t Hash(const K* key) const {
    if (key_width_ == 1) return HashOf(*key);
    uint64_t hash = 0;
    for (int64_t i = 0; i < key_width_; ++i) hash = Combined(hash, HashOf(key[i]));
    return hash;
  }

  absl::Status CheckKey(const K* key) const {
    if (IsKey(empty_key_, 0, key))
      return InvalidArgument("Using the empty_key as a table key is not allowed");
    if (IsDeleted(key))
      return InvalidArgument("Using the deleted_key as a table key is not allowed");
    return absl::OkStatus();
  }

  // Keys are one key, or a vector of keys.
  absl::StatusOr<int64_t> CountOf(const Tensor& keys) const {
    const int64_t count = keys.rank() == 0 ? 1 : keys.dim(0);
    Shape expected = type().key_shape;
    int64_t elements = 0;
    if (!MulFits(count, key_width_, &elements) || keys.num_elements() != elements) {
      if (expected.num_elements() > 0) expected.InsertDim(0, count);
      return InvalidArgument("Expected key shape ", expected, " got ", keys.shape());
    }
    return count;
  }

  absl::StatusOr<Buckets> NewBuckets(int64_t count) const {
    if (count < kFewest || (count & (count - 1)) != 0) {
      return InvalidArgument("Number of buckets must be at least 4 and a power of 2, got: ", count);
    }
    SLUICE_ASSIGN(const Shape key_rows, Shape::Create({count, key_width_}));
    SLUICE_ASSIGN(const Shape value_rows, Shape::Create({count, value_width_}));
    Buckets made;
    SLUICE_ASSIGN(made.keys, Tensor::Allocate(CpuAllocator(), type().key, key_rows));
    SLUICE_ASSIGN(made.values, Tensor::Allocate(CpuAllocator(), type().value, value_rows));
    for (int64_t i = 0; i < count; ++i) CopyRow(empty_key_, 0, made.keys, i, key_width_);
    if (IsPlain(type().value)) std::memset(made.values.raw(), 0, made.values.bytes());
    return made;
  }

  Place PlaceOf(const Buckets& in, const K* key) const {
    const auto mask = static_cast<uint64_t>(in.count() - 1);
    uint64_t bucket = Hash(key) & mask;
    Place free;
    for (int64_t probe = 1; probe <= in.count(); ++probe) {  // visits each bucket
      const auto at = static_cast<int64_t>(bucket);
      if (IsKey(in.keys, at, key)) return {at, true};
      const bool empty = IsEmpty(in.keys, at);
      if (free.bucket < 0 && (empty || IsDeleted(KeyAt(in.keys, at)))) free.bucket = at;
      if (empty) break;
      bucket = (bucket + static_cast<uint64_t>(probe)) & mask;
    }
    return free;
  }

  absl::Status Put(Buckets& to, const Tensor& keys, const Tensor& values, int64_t i) const {
    const Place place = PlaceOf(to, KeyAt(keys, i));
    if (place.bucket < 0) return Internal("Internal error in MutableDenseHashTable insert");
    if (!place.found) {
      if (!IsEmpty(to.keys, place.bucket)) --to.deleted;
      CopyRow(keys, i, to.keys, place.bucket, key_width_);
      ++to.entries;
    }
    CopyRow(values, i, to.values, place.bucket, value_width_);
    return absl::OkStatus();
  }
  absl::Status PutAll(Buckets& to, const Tensor& keys, const Tensor& values, int64_t count) const {
    for (int64_t i = 0; i < count; ++i) {
      if (!IsFree(keys, i)) SLUICE_RETURN_IF_ERROR(Put(to, keys, values, i));
    }
    return absl::OkStatus();
  }
  void Delete(Buckets& in, int64_t bucket) const {
    CopyRow(deleted_key_, 0, in.keys, bucket, key_width_);
    ++in.deleted;
  }

  // Counts the keys. Deletes those that TensorFlow inserted twice. Returns false if a lookup does
  // not find a key, or if no bucket is free.
  bool CountAndTidy(Buckets& buckets) const {
    for (int64_t i = 0; i < buckets.count(); ++i) {
      if (IsEmpty(buckets.keys, i)) continue;
      if (IsDeleted(KeyAt(buckets.keys, i))) {
        ++buckets.deleted;
        continue;
      }
      const Place place = PlaceOf(buckets, KeyAt(buckets.keys, i));
      if (!place.found) return false;
      if (place.bucket == i)
        ++buckets.entries;
      else if (deleted_key_.valid())
        Delete(buckets, i);
      else
        return false;
    }
    return buckets.entries < buckets.count();
  }

  // `buckets`, doubled until it is enough.
  absl::StatusOr<int64_t> EnoughFor(int64_t entries, int64_t buckets) const {
    while (static_cast<float>(entries) > static_cast<float>(buckets) * max_load_) {
      if (buckets > std::numeric_limits<int64_t>::max() / 2) {
        return ResourceExhausted("a table of ", entries, " keys with max_load_factor ", max_load_,
                                 " would have more than 2**62 buckets");
      }
      buckets *= 2;
    }
    return buckets;
  }

  // Also makes the buckets anew if most free ones have the deleted_key: they make lookups slow.
  absl::Status GrowFor(int64_t entries) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    SLUICE_ASSIGN(const int64_t buckets, EnoughFor(entries, now_.count()));
    const bool slow = now_.deleted > (now_.count() - now_.entries) / 2;
    if (buckets == now_.count() && !slow) return absl::OkStatus();
    SLUICE_ASSIGN(Buckets grown, NewBuckets(buckets));
    SLUICE_RETURN_IF_ERROR(PutAll(grown, now_.keys, now_.values, now_.count()));
    now_ = std::move(grown);
    return absl::OkStatus();
  }

  const int64_t key_width_, value_width_;  // elements
  const Tensor empty_key_, deleted_key_;
  const float max_load_;
  mutable absl::Mutex mu_;
  Buckets now_ ABSL_GUARDED_BY(mu_);
};

absl::Status CheckOptions(const PairType& type, const DenseOptions& options) {
  if (!(options.max_load > 0 && options.max_load < 1)) {
    return InvalidArgument("max_load_factor must be between 0 and 1, got: ", options.max_load);
  }
  if (type.value_shape.rank() > 1) {
    return InvalidArgument("Empty value must be a scalar or a vector, got shape ",
                           type.value_shape);
  }
  if (type.key_shape.rank() > 1) {
    return InvalidArgument("Empty key must be a scalar or a vector, got shape ", type.key_shape);
  }
  if (options.deleted_key.valid() && options.deleted_key.shape() != type.key_shape) {
    return InvalidArgument("Empty and deleted keys must have same shape, got shapes: ",
                           type.key_shape, " and ", options.deleted_key.shape());
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<RefPtr<Table>> MakeDenseTable(PairType type, const DenseOptions& options) {
  type.key_shape = options.empty_key.shape();
  SLUICE_RETURN_IF_ERROR(CheckOptions(type, options));
  RefPtr<Table> made;
  SLUICE_RETURN_IF_ERROR(VisitDType(KeyTypes{}, type.key, [&]<typename K>(Type<K>) {
    const auto empty = options.empty_key.flat<K>();
    if (options.deleted_key.valid() &&
        std::equal(empty.begin(), empty.end(), options.deleted_key.data<K>())) {
      return InvalidArgument("Empty and deleted keys cannot be equal");
    }
    auto table = MakeRefCounted<DenseTable<K>>(type, options);
    made = table;
    return table->Allocate(options.buckets);
  }));
  return made;
}

}  // namespace sluice::kernels
