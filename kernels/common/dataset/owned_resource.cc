// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/dataset/owned_resource.h"

#include <atomic>
#include <utility>
#include <vector>

#include "core/tensor/variant.h"

namespace sluice::kernels {
namespace {

class Deleter final : public Variant::Object {
 public:
  explicit Deleter(RefPtr<Resource> resource) : resource_(std::move(resource)) {}
  absl::string_view type_name() const override { return "ResourceDeleter"; }
  absl::Status Encode(std::string*, std::vector<Tensor>*) const override {
    return Unimplemented("the deleter of a resource cannot leave its process");
  }

 private:
  const RefPtr<Resource> resource_;
};

class Dummy final : public Resource {
 public:
  std::string ToString() const override { return "nothing"; }
  absl::string_view type_name() const override { return "DummyResource"; }
};

}  // namespace

void SetOwned(KernelContext& ctx, const std::string& device, absl::string_view prefix,
              RefPtr<Resource> resource) {
  static std::atomic<int64_t> count{0};
  ResourceHandle handle;
  handle.device = device;
  handle.container = std::string(ResourceStore::kDefaultContainer);
  handle.name = Cat(prefix, count.fetch_add(1));
  handle.type_name = std::string(resource->type_name());
  if (ctx.num_outputs() > 1) {
    ctx.SetOutput(1, Tensor::Scalar<Variant>(Variant(MakeRefCounted<Deleter>(resource))));
  }
  handle.object = std::move(resource);
  ctx.SetOutput(0, Tensor::Scalar<ResourceHandle>(std::move(handle)));
}

absl::Status MakeDummy::Run(KernelContext& ctx) const {
  SetOwned(ctx, device, "Dummy", MakeRefCounted<Dummy>());
  return absl::OkStatus();
}

bool IsDummy(const KernelContext& ctx, int input) {
  const Tensor& handle = ctx.input(input);
  if (handle.num_elements() != 1) return false;
  return dynamic_cast<const Dummy*>(handle.flat<ResourceHandle>()[0].object.get()) != nullptr;
}

}  // namespace sluice::kernels
