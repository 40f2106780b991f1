// Functions of square matrices: exponential, logarithm, square root.
#include <Eigen/LU>
#include <unsupported/Eigen/MatrixFunctions>

#include "kernels/cpu/linalg.h"
#include "kernels/register.h"

namespace sluice::kernels {
namespace {

template <typename T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <typename T>
using MatrixIn = Eigen::Map<const Matrix<T>>;
template <typename T>
using MatrixOut = Eigen::Map<Matrix<T>>;

struct Exponential {
  using Types = LinalgTypes;
  template <typename T>
  static void Of(const MatrixIn<T>& a, MatrixOut<T> out) {
    out = a.exp();
  }
};
struct Logarithm {
  using Types = ComplexTypes;
  template <typename T>
  static void Of(const MatrixIn<T>& a, MatrixOut<T> out) {
    out = a.log();
  }
};
struct SquareRoot {
  using Types = LinalgTypes;
  template <typename T>
  static void Of(const MatrixIn<T>& a, MatrixOut<T> out) {
    out = a.sqrt();
  }
};

template <typename Function>
struct MatrixFunction {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Matrices m, SquareMatricesOf(ctx, 0));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, ctx.input(0).shape()));
    if (m.size() == 0) return absl::OkStatus();
    const double cost = 20 * static_cast<double>(m.size()) * static_cast<double>(m.rows) + 500;
    return VisitDType(typename Function::Types{}, out->dtype(), [&]<typename T>(Type<T>) {
      return EachMatrix(ctx.pool(), m.count, cost, [&](int64_t i) {
        const MatrixIn<T> a(ctx.input(0).data<T>() + i * m.size(), m.rows, m.rows);
        MatrixOut<T> to(out->mutable_data<T>() + i * m.size(), m.rows, m.rows);
        if (a.allFinite())
          Function::Of(a, to);
        else  // the iterations need not end
          to.fill(T(std::numeric_limits<double>::quiet_NaN()));
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
