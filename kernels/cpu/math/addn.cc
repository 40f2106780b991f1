// SPDX-License-Identifier: Apache-2.0
// AddN and AccumulateNV2: the sum of many tensors of one shape.
#include "kernels/common/elementwise.h"
#include "kernels/common/math_plan.h"
#include "kernels/cpu/math/register.h"

namespace sluice::kernels {
namespace {

constexpr int64_t kBlock = 2048;  // a block stays in the cache while all inputs are added to it

// Adds four inputs at a time while there are many, so that memory is read and written once.
template <typename T>
void AddFour(const void* a, const void* b, const void* c, const void* d, void* out, int64_t n) {
  const auto *w = static_cast<const T*>(a), *x = static_cast<const T*>(b);
  const auto *y = static_cast<const T*>(c), *z = static_cast<const T*>(d);
  auto* sum = static_cast<T*>(out);
#pragma GCC ivdep
  for (int64_t i = 0; i < n; ++i) sum[i] = w[i] + x[i] + y[i] + z[i];
}
using FourFn = void (*)(const void* a, const void* b, const void* c, const void* d, void* out,
                        int64_t n);
FourFn FourOf(DType dtype) {
  if (dtype == kFloat) return &AddFour<float>;
  if (dtype == kDouble) return &AddFour<double>;
  return nullptr;
}

bool IsNarrow(DType dtype) { return dtype == kHalf || dtype == kBfloat16; }

struct AddN {
  BinaryLoop add;
  FourFn four;
  std::string label;  // for errors

  static absl::StatusOr<AddN> Create(const NodeSpec& node) {
    const DType dtype = RemoveRef(node.input_types[0]);
    return AddN{AddLoop(dtype), FourOf(dtype), NodeLabel(node)};
  }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_RETURN_IF_ERROR(CheckSameShapes(label, ctx));
    const Shape shape = ctx.input(0).shape();
    const int count = ctx.num_inputs();
    std::vector<const void*> inputs(count);
    for (int i = 0; i < count; ++i) inputs[i] = ctx.input(i).raw();
    if (count == 1) {
      ctx.ForwardSlot(0, 0);
      return absl::OkStatus();
    }
    SLUICE_ASSIGN(Tensor * sum, ctx.ForwardOrAllocate({0}, 0, shape));
    void* out = sum->raw();
    ParallelFor(ctx.pool(), shape.num_elements(), 0.3 * count, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; i += kBlock) {
        AddBlock(inputs, i, std::min(kBlock, end - i), out);
      }
    });
    return absl::OkStatus();
  }

  // Elements [at, at + n), from the first input to the last.
  void AddBlock(const std::vector<const void*>& inputs, int64_t at, int64_t n, void* out) const {
    const size_t size = SizeOf(add.in);
    const auto of = [&](size_t k) { return At(inputs[k], at, size); };
    void* const sum = At(out, at, size);
    size_t k = 2;
    if (IsNarrow(add.in)) return AddNarrowBlock(inputs, at, n, out);
    if (four != nullptr && inputs.size() >= 4) {
      four(of(0), of(1), of(2), of(3), sum, n);
      for (k = 4; k + 3 <= inputs.size(); k += 3) four(sum, of(k), of(k + 1), of(k + 2), sum, n);
    } else {
      add.Run(of(0), of(1), sum, n);
    }
    for (; k < inputs.size(); ++k) add.Run(sum, of(k), sum, n);
  }

  // Each addition rounds, so the order matters. TensorFlow first adds 2 to 9 inputs, then 8 at a
  // time.
  void AddNarrowBlock(const std::vector<const void*>& inputs, int64_t at, int64_t n,
                      void* out) const {
    const auto of = [&](size_t k) { return At(inputs[k], at, sizeof(Half)); };
    const auto sum_of = [&](size_t from, size_t to, void* sum) {
      add.Run(of(from), of(from + 1), sum, n);
      for (size_t k = from + 2; k < to; ++k) add.Run(sum, of(k), sum, n);
    };
    void* const sum = At(out, at, sizeof(Half));
    size_t k = inputs.size() % 8;
    if (k < 2) k += 8;
    sum_of(0, k, sum);
    for (; k < inputs.size(); k += 8) {
      Half part[kBlock];
      sum_of(k, k + 8, part);
      add.Run(sum, part, sum, n);
    }
  }
};

}  // namespace

void RegisterAddN(KernelRegistry& kernels) {
  kernels.Add<AddN>("AddN", kCpu, {{"T", kNumeric}});
  kernels.Add<AddN>("AccumulateNV2", kCpu, {{"T", kNumeric}});
  for (const char* op : {"AddN", "AccumulateNV2"})
    kernels.Add<AddN>(op, kGpu, {{"T", kInt32}}, HostMemory{"inputs", "sum"});
}

}  // namespace sluice::kernels
