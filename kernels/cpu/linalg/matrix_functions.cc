// SPDX-License-Identifier: Apache-2.0
// Functions of square matrices: exponential, logarithm, square root.
#include "kernels/cpu/linalg/matrix_functions.h"

#include <limits>

#include "kernels/cpu/common/try_each.h"
#include "kernels/cpu/linalg/linalg.h"
#include "kernels/cpu/linalg/register.h"
#include "kernels/cpu/linalg/wide.h"

namespace sluice::kernels {
namespace {

struct Exponential {
  using Types = LinalgTypes;
  static void Of(const auto* a, int64_t n, auto* out) { MatrixExponential(a, n, out); }
};
struct Logarithm {
  using Types = ComplexTypes;
  static void Of(const auto* a, int64_t n, auto* out) { MatrixLogarithm(a, n, out); }
};
struct SquareRoot {
  using Types = LinalgTypes;
  static void Of(const auto* a, int64_t n, auto* out) { MatrixSquareRoot(a, n, out); }
};

template <typename Function>
struct MatrixFunction {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Matrices m, SquareMatricesOf(ctx, 0));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, ctx.input(0).shape()));
    if (m.size() == 0) return absl::OkStatus();
    const double cost = 20 * static_cast<double>(m.size()) * static_cast<double>(m.rows) + 500;
    return VisitDType(typename Function::Types{}, out->dtype(), [&]<typename T>(Type<T>) {
      return TryEach(ctx.pool(), m.count, cost, [&](int64_t i) {
        const auto a = Widened(ctx.input(0).data<T>() + i * m.size(), m.size());
        std::vector<Wide<T>> result(m.size(), std::numeric_limits<double>::quiet_NaN());
        // With infinities or NaN the iterations may not end.
        if (AllFinite(a)) Function::Of(a.data(), m.rows, result.data());
        CopyNarrowed(result, out->mutable_data<T>() + i * m.size());
        return absl::OkStatus();
      });
    });
  }
};

}  // namespace

void RegisterMatrixFunctions(KernelRegistry& kernels) {
  kernels.Add<MatrixFunction<Exponential>>("MatrixExponential", kCpu, {{"T", kLinalg}});
  kernels.Add<MatrixFunction<Logarithm>>("MatrixLogarithm", kCpu, {{"T", kComplex}});
  kernels.Add<MatrixFunction<SquareRoot>>("MatrixSquareRoot", kCpu, {{"T", kLinalg}});
}

}  // namespace sluice::kernels
