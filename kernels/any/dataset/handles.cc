// SPDX-License-Identifier: Apache-2.0
// Ops on the handles of data sets and iterators: a handle within another, an iterator's device.
#include "core/runtime/kernel_registry.h"
#include "kernels/any/dataset/register.h"
#include "kernels/common/dataset/iterator.h"
#include "kernels/common/resource_handle.h"

namespace sluice::kernels {
namespace {

// A data set in a wrapper, which no device copies.
class WrappedDataSet final : public Variant::Object {
 public:
  explicit WrappedDataSet(RefPtr<const DataSet> set) : set_(std::move(set)) {}
  absl::string_view type_name() const override {
    return "tensorflow::WrappedDatasetVariantWrapper";
  }
  absl::Status Encode(std::string* metadata, std::vector<Tensor>* tensors) const override {
    return set_->Encode(metadata, tensors);
  }
  const RefPtr<const DataSet>& set() const { return set_; }

 private:
  const RefPtr<const DataSet> set_;
};

struct Wrap {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(RefPtr<const DataSet> set, DataSetInput(ctx, 0));
    ctx.SetOutput(0,
                  Tensor::Scalar<Variant>(Variant(MakeRefCounted<WrappedDataSet>(std::move(set)))));
    return absl::OkStatus();
  }
};

struct Unwrap {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& input = ctx.input(0);
    const auto* wrapped =
        input.rank() == 0 ? input.scalar<Variant>().get_if<WrappedDataSet>() : nullptr;
    if (wrapped == nullptr)
      return InvalidArgument("Tensor must be a WrappedDataset variant object.");
    SetDataSet(ctx, wrapped->set());
    return absl::OkStatus();
  }
};

struct GetDevice {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_RETURN_IF_ERROR(ResourceOf<Iterator>(ctx, 0).status());
    ctx.SetOutput(0, Tensor::Scalar<std::string>(ctx.input(0).scalar<ResourceHandle>().device));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterHandles(KernelRegistry& kernels) {
  kernels.Add<Wrap>("WrapDatasetVariant", kCpu, {}, kCheap);
  kernels.Add<Unwrap>("UnwrapDatasetVariant", kCpu, {}, kCheap);
  for (auto op : {"IteratorGetDevice", "ExperimentalIteratorGetDevice"})
    kernels.Add<GetDevice>(op, kCpu, {}, kCheap);
}

}  // namespace sluice::kernels
