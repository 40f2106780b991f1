// SPDX-License-Identifier: Apache-2.0
#include <atomic>

#include "kernels/any/lookup/pair_sources.h"
#include "kernels/any/lookup/row_map.h"
#include "kernels/any/lookup/tables.h"

namespace sluice::kernels {
namespace {

using StaticValueTypes = TypeList<bool, float, double, int32_t, int64_t, std::string>;

template <typename T>
std::string Text(const T& value) {
  if constexpr (std::is_same_v<T, bool>) return value ? "1" : "0";
  return Cat(value);
}

// A StaticTable gets its content once. Lookups then read it without a lock.
template <typename K>
class StaticTable final : public Table {
 public:
  explicit StaticTable(const PairType& type) : Table(type), map_(type.value, 1) {}

  std::string ToString() const override { return "a HashTable"; }
  int64_t size() const override { return initialized() ? map_.size() : 0; }
  bool initializable() const override { return true; }
  bool initialized() const override { return initialized_.load(std::memory_order_acquire); }

  absl::Status Initialize(PairSource& source) override {
    absl::MutexLock lock(&mu_);
    if (initialized()) {
      if (source.size() == map_.size()) return absl::OkStatus();
      return FailedPrecondition("Table was already initialized with different data.");
    }
    while (true) {
      SLUICE_ASSIGN(const bool more, source.Next());
      if (!more) break;
      SLUICE_RETURN_IF_ERROR(Add(source.keys(), source.values()));
    }
    initialized_.store(true, std::memory_order_release);
    return absl::OkStatus();
  }

  absl::Status Export(KernelContext& ctx) const override {
    if (!initialized()) return Aborted("HashTable is not initialized.");
    SLUICE_ASSIGN(Tensor * keys, ctx.AllocateOutput(0, Shape{map_.size()}));
    SLUICE_ASSIGN(Tensor * values, ctx.AllocateOutput(1, Shape{map_.size()}));
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
    if (!initialized()) return FailedPrecondition("Table not initialized.");
    const K* key = keys.data<K>();
    return VisitWidth(type().value, [&]<typename V>(Type<V>) {
      const V* found = map_.values().template data<V>();
      const V* missing = defaults.data<V>();  // as in TensorFlow, the first one for all keys
      V* to = values.mutable_data<V>();
      for (int64_t i = 0; i < keys.num_elements(); ++i) {
        const int64_t row = map_.Find(key[i]);
        to[i] = row >= 0 ? found[row] : *missing;
      }
      return absl::OkStatus();
    });
  }
  absl::Status InsertChecked(const Tensor&, const Tensor&) override {
    return Unimplemented("Insert not supported by InitializableLookupTable implementations");
  }
  absl::Status RemoveChecked(const Tensor&) override {
    return Unimplemented("Remove not supported by InitializableLookupTable implementations");
  }
  absl::Status ImportChecked(const Tensor& keys, const Tensor& values) override {
    SLUICE_ASSIGN(const auto pairs, PairsOfTensors(keys, values));
    return Initialize(*pairs);
  }

 private:
  absl::Status Add(const Tensor& keys, const Tensor& values) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    const K* key = keys.data<K>();
    return VisitDType(StaticValueTypes{}, type().value, [&]<typename V>(Type<V>) -> absl::Status {
      for (int64_t i = 0; i < keys.num_elements(); ++i) {
        SLUICE_ASSIGN(const auto place, map_.FindOrAdd(key[i]));
        const auto [row, added] = place;
        if (added) {
          map_.Set(row, values, i);
          continue;
        }
        const V& had = map_.values().template data<V>()[row];
        const V& wanted = values.data<V>()[i];
        if (had == wanted) continue;
        return FailedPrecondition("HashTable has different value for same key. Key ", key[i],
                                  " has ", Text(had), " and trying to add value ", Text(wanted));
      }
      return absl::OkStatus();
    });
  }

  absl::Mutex mu_;  // held while the content is set
  std::atomic<bool> initialized_{false};
  RowMap<K> map_;  // constant once initialized_ is true
};

}  // namespace

absl::StatusOr<RefPtr<Table>> MakeStaticTable(const PairType& type) {
  RefPtr<Table> table;
  SLUICE_RETURN_IF_ERROR(VisitDType(KeyTypes{}, type.key, [&]<typename K>(Type<K>) {
    table = MakeRefCounted<StaticTable<K>>(type);
    return absl::OkStatus();
  }));
  return table;
}

}  // namespace sluice::kernels
