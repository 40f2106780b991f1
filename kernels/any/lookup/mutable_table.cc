// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/lookup/row_map.h"
#include "kernels/any/lookup/tables.h"

namespace sluice::kernels {
namespace {

// A MutableTable maps scalar keys to values of one shape.
template <typename K>
class MutableTable final : public Table {
 public:
  explicit MutableTable(const PairType& type)
      : Table(type), width_(type.value_shape.num_elements()), map_(type.value, width_) {}

  std::string ToString() const override { return "a MutableHashTable"; }
  int64_t size() const override {
    absl::ReaderMutexLock lock(&mu_);
    return map_.size();
  }

  absl::Status Export(KernelContext& ctx) const override {
    absl::ReaderMutexLock lock(&mu_);
    const Shape count{map_.size()};
    SLUICE_ASSIGN(const Shape shape, type().ValuesShape(count));
    SLUICE_ASSIGN(Tensor * keys, ctx.AllocateOutput(0, count));
    SLUICE_ASSIGN(Tensor * values, ctx.AllocateOutput(1, shape));
    int64_t i = 0;
    map_.ForEach([&](const K& key, int64_t row) {
      keys->mutable_data<K>()[i] = key;
      map_.Get(row, *values, i++);
    });
    return absl::OkStatus();
  }

 protected:
  absl::Status FindChecked(const Tensor& keys, const Tensor& defaults,
                           Tensor& values) const override {
    const K* key = keys.data<K>();
    const bool one_default = defaults.num_elements() == width_;
    absl::ReaderMutexLock lock(&mu_);
    for (int64_t i = 0; i < keys.num_elements(); ++i) {
      if (const int64_t row = map_.Find(key[i]); row >= 0)
        map_.Get(row, values, i);
      else
        CopyRow(defaults, one_default ? 0 : i, values, i, width_);
    }
    return absl::OkStatus();
  }
  absl::Status InsertChecked(const Tensor& keys, const Tensor& values) override {
    absl::MutexLock lock(&mu_);
    return Add(map_, keys, values);
  }
  absl::Status RemoveChecked(const Tensor& keys) override {
    const K* key = keys.data<K>();
    absl::MutexLock lock(&mu_);
    for (int64_t i = 0; i < keys.num_elements(); ++i) map_.Remove(key[i]);
    return absl::OkStatus();
  }
  absl::Status ImportChecked(const Tensor& keys, const Tensor& values) override {
    RowMap<K> imported(type().value, width_);
    SLUICE_RETURN_IF_ERROR(Add(imported, keys, values));
    absl::MutexLock lock(&mu_);
    std::swap(map_, imported);
    return absl::OkStatus();
  }

 private:
  static absl::Status Add(RowMap<K>& map, const Tensor& keys, const Tensor& values) {
    const K* key = keys.data<K>();
    for (int64_t i = 0; i < keys.num_elements(); ++i) {
      SLUICE_ASSIGN(const auto row, map.FindOrAdd(key[i]));
      map.Set(row.first, values, i);
    }
    return absl::OkStatus();
  }

  const int64_t width_;
  mutable absl::Mutex mu_;
  RowMap<K> map_ ABSL_GUARDED_BY(mu_);
};

}  // namespace

absl::StatusOr<RefPtr<Table>> MakeMutableTable(const PairType& type) {
  RefPtr<Table> table;
  SLUICE_RETURN_IF_ERROR(VisitDType(KeyTypes{}, type.key, [&]<typename K>(Type<K>) {
    table = MakeRefCounted<MutableTable<K>>(type);
    return absl::OkStatus();
  }));
  return table;
}

}  // namespace sluice::kernels
