// SPDX-License-Identifier: Apache-2.0
// Sparse tensors stored under numbers, so that queues can carry the numbers.
#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/common/resource_handle.h"
#include "kernels/common/variables.h"
#include "kernels/cpu/sparse/register.h"
#include "kernels/cpu/sparse/sparse_batch.h"

namespace sluice::kernels {
namespace {

// Numbers count from 0. A tensor is removed when it is taken.
class SparseMap final : public Resource {
 public:
  static constexpr absl::string_view kTypeName = "N10tensorflow16SparseTensorsMapE";
  std::string ToString() const override { return "SparseTensorsMap"; }
  absl::string_view type_name() const override { return kTypeName; }

  int64_t Add(SparseTensor tensor) {
    absl::MutexLock lock(&mu_);
    tensors_.emplace(next_, std::move(tensor));
    return next_++;
  }
  // Takes all of them, or none (INVALID_ARGUMENT). A number may not repeat.
  absl::StatusOr<std::vector<SparseTensor>> Take(absl::Span<const int64_t> numbers,
                                                 absl::string_view map_name) {
    absl::MutexLock lock(&mu_);
    std::vector<SparseTensor> taken;
    for (int64_t number : numbers) {
      auto found = tensors_.find(number);
      if (found == tensors_.end()) {
        for (size_t i = 0; i < taken.size(); ++i) tensors_.emplace(numbers[i], taken[i]);
        return InvalidArgument("Unable to find SparseTensor: ", number, " in map: ", map_name);
      }
      taken.push_back(std::move(found->second));
      tensors_.erase(found);
    }
    return taken;
  }

 private:
  absl::Mutex mu_;
  int64_t next_ ABSL_GUARDED_BY(mu_) = 0;
  absl::flat_hash_map<int64_t, SparseTensor> tensors_ ABSL_GUARDED_BY(mu_);
};

// The map of a node. It is shared by name; the default is the node's own name.
struct MapOfNode {
  ResourcePlace place;
  CachedResource<SparseMap> cached;

  absl::StatusOr<RefPtr<SparseMap>> Get(KernelContext& ctx) const {
    return cached.Get([&] {
      return ctx.resources().LookupOrCreate<SparseMap>(
          place.container, place.name,
          []() -> absl::StatusOr<RefPtr<SparseMap>> { return MakeRefCounted<SparseMap>(); });
    });
  }
};

template <bool kMany>
struct AddToMap {
  MapOfNode map;

  static absl::StatusOr<std::unique_ptr<AddToMap>> Create(const NodeSpec& node) {
    auto made = std::make_unique<AddToMap>();
    SLUICE_ASSIGN(made->map.place, ResourcePlace::Create(node, true));
    return made;
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(SparseTensor x, SparseTensor::At(ctx, 0));
    SLUICE_ASSIGN(const RefPtr<SparseMap> kept, map.Get(ctx));
    if constexpr (!kMany) {
      ctx.SetOutput(0, Tensor::Scalar<int64_t>(kept->Add(std::move(x))));
    } else {
      SLUICE_ASSIGN(std::vector<SparseTensor> parts, Unstacked(x));
      std::vector<int64_t> numbers;
      for (SparseTensor& part : parts) numbers.push_back(kept->Add(std::move(part)));
      ctx.SetOutput(0, Tensor::Vector<int64_t>(numbers));
    }
    return absl::OkStatus();
  }
};

struct TakeMany {
  MapOfNode map;

  static absl::StatusOr<std::unique_ptr<TakeMany>> Create(const NodeSpec& node) {
    auto made = std::make_unique<TakeMany>();
    SLUICE_ASSIGN(made->map.place, ResourcePlace::Create(node, true));
    return made;
  }
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& numbers = ctx.input(0);
    if (numbers.rank() != 1)
      return InvalidArgument("sparse_handles should be a vector but received shape ",
                             numbers.shape());
    SLUICE_ASSIGN(const RefPtr<SparseMap> kept, map.Get(ctx));
    SLUICE_ASSIGN(const std::vector<SparseTensor> parts,
                  kept->Take(numbers.flat<int64_t>(), map.place.name));
    for (size_t i = 1; i < parts.size(); ++i) {  // ranks after all parts are joined
      if (parts[i].rank() == parts[0].rank()) continue;
      return InvalidArgument("Inconsistent rank across SparseTensors: rank prior to SparseTensor[",
                             i, "] was: ", parts[0].rank() + 1, " but rank of SparseTensor[", i,
                             "] is: ", parts[i].rank() + 1);
    }
    return SetStacked(ctx, 0, parts, numbers.shape().dims());
  }
};

}  // namespace

void RegisterSparseMaps(KernelRegistry& kernels) {
  kernels.Add<AddToMap<false>>("AddSparseToTensorsMap", kCpu);
  kernels.Add<AddToMap<true>>("AddManySparseToTensorsMap", kCpu, {{"T", kAnyType}});
  kernels.Add<TakeMany>("TakeManySparseFromTensorsMap", kCpu, {{"dtype", kAnyType}});
}

}  // namespace sluice::kernels
