// SPDX-License-Identifier: Apache-2.0
// CompressElement and UncompressElement: an element as one variant, and back. The bytes stay as
// they are: within a task a tensor moves by reference, and a copy would only cost time.
#include "core/runtime/kernel_registry.h"
#include "kernels/any/dataset/opaque_scalar.h"
#include "kernels/any/dataset/register.h"
#include "kernels/common/dataset/data_set.h"

namespace sluice::kernels {
namespace {

constexpr absl::string_view kCompressedElement = "tensorflow::data::CompressedElement";

struct CompressElement {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Element element, KeptInputs(ctx, {0, ctx.num_inputs()}));
    ctx.SetOutput(0, Tensor::Scalar<Variant>(Variant(MakeRefCounted<OpaqueVariant>(
                         std::string(kCompressedElement), "", std::move(element)))));
    return absl::OkStatus();
  }
};

struct UncompressElement {
  ElementSpec spec;

  static absl::StatusOr<UncompressElement> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    return UncompressElement{std::move(spec)};
  }
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& input = ctx.input(0);
    const OpaqueVariant* kept = OpaqueIn(input, kCompressedElement);
    if (kept == nullptr) {
      return InvalidArgument("Input does not contain a compressed element. Instead got tensor ",
                             input.ToString());
    }
    return SetElement(ctx, spec, kept->tensors());
  }
};

}  // namespace

void RegisterCompressedElements(KernelRegistry& kernels) {
  kernels.Add<CompressElement>("CompressElement", kCpu, {}, kCheap);
  kernels.Add<UncompressElement>("UncompressElement", kCpu, {}, kCheap);
}

}  // namespace sluice::kernels
