// What stands around functions and branches: truth of any value, and stand-ins for values that the
// branch taken does not have.
#include "core/kernel_registry.h"
#include "kernels/register.h"

namespace sluice::kernels {
namespace {

// A scalar is true when it is not zero or empty, another tensor when it has elements.
struct ToBool {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& input = ctx.input(0);
    bool truth = input.num_elements() > 0;
    if (input.rank() == 0) {
      SLUICE_ASSIGN(truth, OfScalar(input));
    }
    ctx.SetOutput(0, Tensor::Scalar<bool>(truth));
    return absl::OkStatus();
  }

  static absl::StatusOr<bool> OfScalar(const Tensor& input) {
    if (input.dtype() == kString) return !input.scalar<std::string>().empty();
    bool truth = false;
    SLUICE_RETURN_IF_ERROR(
        VisitDType(Join<NumericTypes, TypeList<bool>>{}, input.dtype(), [&]<typename T>(Type<T>) {
          truth = input.scalar<T>() != T(0);
          return absl::OkStatus();
        }));
    return truth;
  }
};

// What one branch of a conditional returns for a value that only the other has. Nobody reads it.
struct FakeParam {
  Shape shape;

  static absl::StatusOr<FakeParam> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const PartialShape partial, node.Get<PartialShape>("shape"));
    Shape::Dims dims;
    for (int i = 0; i < partial.rank(); ++i) dims.push_back(std::max<int64_t>(0, partial.dim(i)));
    SLUICE_ASSIGN(Shape shape, Shape::Create(dims));
    return FakeParam{std::move(shape)};
  }

  absl::Status Run(KernelContext& ctx) const { return ctx.AllocateOutput(0, shape).status(); }
};

}  // namespace

void RegisterCalls(KernelRegistry& kernels) {
  kernels.Add<ToBool>("ToBool", kCpu, {}, kCheap);
  kernels.Add<FakeParam>("FakeParam", kCpu, {}, kCheap);
}

}  // namespace sluice::kernels
