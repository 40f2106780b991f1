// AddN and AccumulateNV2: the sum of many tensors of one shape.
#include "absl/strings/str_cat.h"
#include "kernels/cpu/elementwise.h"
#include "kernels/register.h"

namespace sluice::kernels {
namespace {

constexpr int64_t kBlock =
    2048;  // elements that stay in the cache while all inputs are added to them

struct AddN {
  BinaryLoop add;
  std::string label;  // for errors

  static absl::StatusOr<AddN> Create(const NodeSpec& node) {
    return AddN{AddLoop(RemoveRef(node.input_types[0])),
                absl::StrCat(node.name, " of type ", node.op)};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Shape shape = ctx.input(0).shape();
    const int count = ctx.num_inputs();
    std::vector<const void*> inputs(count);
    for (int i = 0; i < count; ++i) {
      if (!(ctx.input(i).shape() == shape)) {
        return InvalidArgument("Inputs to operation ", label,
                               " must have the same size and shape.  ", "Input 0: ", shape,
                               " != input ", i, ": ", ctx.input(i).shape());
      }
      inputs[i] = ctx.input(i).raw();
    }
    if (count == 1) {
      ctx.ForwardSlot(0, 0);
      return absl::OkStatus();
    }
    SLUICE_ASSIGN(Tensor * sum, ctx.ForwardOrAllocate({0}, 0, shape));
    void* out = sum->raw();
    const size_t size = SizeOf(add.in);
    ParallelFor(ctx.pool(), shape.num_elements(), 0.3 * count, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; i += kBlock) {
        const int64_t n = std::min(kBlock, end - i);
        add.Run(At(inputs[0], i, size), At(inputs[1], i, size), At(out, i, size), n);
        for (int k = 2; k < count; ++k) {
          add.Run(At(out, i, size), At(inputs[k], i, size), At(out, i, size), n);
        }
      }
    });
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterAddN(KernelRegistry& kernels) {
  kernels.Add<AddN>("AddN", kCpu, {{"T", kNumeric}});
  kernels.Add<AddN>("AccumulateNV2", kCpu, {{"T", kNumeric}});
}

}  // namespace sluice::kernels
