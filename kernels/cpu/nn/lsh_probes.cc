// SPDX-License-Identifier: Apache-2.0
// HyperplaneLSHProbes: the places of hash tables where neighbours of a point may be, the likeliest
// first (Lv et al., "Multi-probe LSH: efficient indexing for high-dimensional similarity search",
// 2007).
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/runtime/kernel_registry.h"
#include "kernels/cpu/nn/register.h"

namespace sluice::kernels {
namespace {

// Places of one point. T is the type of its distances from the hyperplanes.
template <typename T>
class Probing {
 public:
  Probing(int tables, int planes)
      : tables_(tables), planes_(planes), own_(tables), order_(tables, std::vector<int>(planes)) {}

  // Fills `places` and their `tables`. False if there are fewer places.
  bool Run(const T* distances, int64_t count, int32_t* places, int32_t* tables) {
    distances_ = distances;
    for (int t = 0; t < tables_; ++t) {
      own_[t] = 0;
      for (int p = 0; p < planes_; ++p) own_[t] = own_[t] << 1 | (Distance(t, p) >= 0 ? 1 : 0);
    }
    for (int64_t i = 0; i < std::min<int64_t>(count, tables_); ++i) {
      places[i] = own_[i];
      tables[i] = static_cast<int32_t>(i);
    }
    if (count <= tables_) return true;
    Begin();
    for (int64_t i = tables_; i < count; ++i) {
      if (candidates_.empty()) return false;
      const Candidate next = Pop();
      places[i] = own_[next.table] ^ next.flipped;
      tables[i] = next.table;
      if (next.last + 1 < planes_) Extend(next);
    }
    return true;
  }

 private:
  // A place: the bits of some hyperplanes are flipped. `last` is the farthest of them, in order.
  struct Candidate {
    T score;
    int table, flipped, last;
  };
  static bool Later(const Candidate& a, const Candidate& b) { return a.score > b.score; }

  T Distance(int table, int plane) const { return distances_[table * planes_ + plane]; }
  int Bit(int plane) const { return 1 << (planes_ - plane - 1); }
  void Push(const Candidate& candidate) {
    candidates_.push_back(candidate);
    std::push_heap(candidates_.begin(), candidates_.end(), Later);
  }
  Candidate Pop() {
    std::pop_heap(candidates_.begin(), candidates_.end(), Later);
    const Candidate top = candidates_.back();
    candidates_.pop_back();
    return top;
  }
  void Begin() {
    candidates_.clear();
    for (int t = 0; t < tables_; ++t) {
      std::iota(order_[t].begin(), order_[t].end(), 0);
      std::sort(order_[t].begin(), order_[t].end(), [&](int i, int j) {
        const T a = std::abs(Distance(t, i)), b = std::abs(Distance(t, j));
        return a < b || (b != b && a == a);
      });
      const T nearest = Distance(t, order_[t][0]);
      Push({nearest * nearest, t, Bit(order_[t][0]), 0});
    }
  }
  // The next hyperplane is flipped in place of the last one, or as well.
  void Extend(const Candidate& from) {
    const int last = order_[from.table][from.last], next = order_[from.table][from.last + 1];
    const T own = Distance(from.table, last), other = Distance(from.table, next);
    Push({from.score - own * own + other * other, from.table, from.flipped ^ Bit(last) ^ Bit(next),
          from.last + 1});
    Push({from.score + other * other, from.table, from.flipped ^ Bit(next), from.last + 1});
  }

  const int tables_, planes_;
  const T* distances_ = nullptr;
  std::vector<int> own_;                 // each table's place of the point itself
  std::vector<std::vector<int>> order_;  // each table's hyperplanes, the nearest first
  std::vector<Candidate> candidates_;
};

struct HyperplaneLshProbes {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& products = ctx.input(0);
    if (products.rank() != 2) {
      return InvalidArgument("Need a two-dimensional products tensor, got ", products.rank(),
                             " dimensions.");
    }
    SLUICE_ASSIGN(const int tables, Number(ctx, 1, "num_tables", 1000));
    SLUICE_ASSIGN(const int planes, Number(ctx, 2, "num_hyperplanes_per_table", 30));
    SLUICE_ASSIGN(const int probes, Number(ctx, 3, "num_probes", INT32_MAX));
    if (products.dim(1) != tables * planes) {
      return InvalidArgument("Expected number of hyperplanes is ", tables * planes,
                             " but received ", products.dim(1), " inner products per point.");
    }
    SLUICE_ASSIGN(const Shape shape, Shape::Create({products.dim(0), probes}));
    SLUICE_ASSIGN(Tensor * places, ctx.AllocateOutput(0, shape));
    SLUICE_ASSIGN(Tensor * numbers, ctx.AllocateOutput(1, shape));
    return VisitDType(TypeList<float, double>{}, products.dtype(), [&]<typename T>(Type<T>) {
      Probing<T> probing(tables, planes);
      for (int64_t i = 0; i < products.dim(0); ++i) {
        if (probing.Run(products.data<T>() + i * products.dim(1), probes,
                        places->mutable_data<int32_t>() + i * probes,
                        numbers->mutable_data<int32_t>() + i * probes)) {
          continue;
        }
        return absl::InternalError(Cat("Failed to get all probes for point number ", i, "."));
      }
      return absl::OkStatus();
    });
  }

 private:
  static absl::StatusOr<int> Number(const KernelContext& ctx, int input, absl::string_view name,
                                    int most) {
    if (ctx.input(input).rank() != 0) {
      return InvalidArgument("Need a scalar ", name, " tensor, got ", ctx.input(input).rank(),
                             " dimensions.");
    }
    const int32_t number = ctx.input(input).scalar<int32_t>();
    if (number < 1) {
      if (name == "num_probes") return InvalidArgument("num_probes must be at least 1.");
      return InvalidArgument(name, " must be at least 1 but got ", number, ".");
    }
    if (number > most) return InvalidArgument("Need ", name, " <= ", most, ", got ", number);
    return number;
  }
};

}  // namespace

void RegisterLshProbes(KernelRegistry& kernels) {
  kernels.Add<HyperplaneLshProbes>("HyperplaneLSHProbes", kCpu,
                                   {{"CoordinateType", {kFloat, kDouble}}});
}

}  // namespace sluice::kernels
