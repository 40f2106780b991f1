// SPDX-License-Identifier: Apache-2.0
// Special functions and related ops, all computed in double.
#include "core/runtime/kernel_registry.h"
#include "kernels/cpu/common/loops.h"
#include "kernels/cpu/math/register.h"
#include "kernels/cpu/math/special.h"

namespace sluice::kernels {
namespace {

using Both = TypeList<float, double>;
using WithHalf = TypeList<float, double, Half>;
constexpr double kSlow = 200;  // ns

// A function of doubles as a function of T.
template <double (*kFunction)(double)>
constexpr auto kOne = []<typename T>(T x) { return static_cast<T>(kFunction(x)); };
template <double (*kFunction)(double, double)>
constexpr auto kTwo = []<typename T>(T a, T b) { return static_cast<T>(kFunction(a, b)); };

constexpr auto kUnary = std::tuple{
    Unary{"BesselI0", WithHalf{}, kOne<BesselI0>, kSlow},
    Unary{"BesselI0e", WithHalf{}, kOne<BesselI0e>, kSlow},
    Unary{"BesselI1", WithHalf{}, kOne<BesselI1>, kSlow},
    Unary{"BesselI1e", WithHalf{}, kOne<BesselI1e>, kSlow},
    Unary{"Erfinv", Both{}, kOne<Erfinv>, kSlow},
    Unary{"Ndtri", Both{}, kOne<Ndtri>, kSlow},
};

constexpr auto kBinary = std::tuple{
    Binary{"Igamma", Both{}, kTwo<Igamma>, kSlow},
    Binary{"Igammac", Both{}, kTwo<Igammac>, kSlow},
    Binary{"IgammaGradA", Both{}, kTwo<IgammaGradA>, kSlow},
    Binary{"Zeta", Both{}, kTwo<Zeta>, kSlow},
    Binary{"Polygamma", Both{}, kTwo<Polygamma>, kSlow},
    Binary{"NextAfter", Both{}, []<typename T>(T a, T b) { return std::nextafter(a, b); }, 5},
};

// Operands of one shape, or scalars.
struct BetaIncomplete {
  absl::Status Run(KernelContext& ctx) const {
    constexpr const char* kNames[] = {"a", "b", "x"};
    Shape shape;
    int first = 0;  // of this shape
    for (int i = 0; i < 3; ++i) {
      const Shape& own = ctx.input(i).shape();
      if (own.rank() == 0) continue;
      if (shape.rank() != 0 && own != shape) {
        return InvalidArgument("Shapes of ", kNames[first], " and ", kNames[i],
                               " are inconsistent: ", shape, " vs. ", own);
      }
      if (shape.rank() == 0) first = i;
      shape = own;
    }
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    return VisitDType(Both{}, out->dtype(), [&]<typename T>(Type<T>) {
      const auto at = [&](int i, int64_t k) {
        const Tensor& x = ctx.input(i);
        return static_cast<double>(x.data<T>()[x.rank() == 0 ? 0 : k]);
      };
      ParallelFor(ctx.pool(), shape.num_elements(), kSlow, [&](int64_t begin, int64_t end) {
        for (int64_t k = begin; k < end; ++k)
          out->mutable_data<T>()[k] = static_cast<T>(Betainc(at(0, k), at(1, k), at(2, k)));
      });
      return absl::OkStatus();
    });
  }
};

struct Cross {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor &a = ctx.input(0), &b = ctx.input(1);
    if (a.shape() != b.shape())
      return InvalidArgument("Both inputs must be of same shape: ", a.shape(), " vs. ", b.shape());
    if (a.rank() < 1) return InvalidArgument("Input must be at least 1D, got ", a.shape());
    if (a.dim(a.rank() - 1) != 3) {
      return FailedPrecondition("Cross-products are only defined for 3-element vectors, got ",
                                a.shape());
    }
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, a.shape()));
    return VisitDType(RealTypes{}, a.dtype(), [&]<typename T>(Type<T>) {
      using W = StepType<T>;
      ParallelFor(ctx.pool(), a.num_elements() / 3, 3, [&](int64_t begin, int64_t end) {
        for (int64_t i = 3 * begin; i < 3 * end; i += 3) {
          const auto u = [&](int k) { return static_cast<W>(a.data<T>()[i + k]); };
          const auto v = [&](int k) { return static_cast<W>(b.data<T>()[i + k]); };
          T* w = out->mutable_data<T>() + i;
          for (int k = 0; k < 3; ++k) {
            const int next = (k + 1) % 3, last = (k + 2) % 3;
            if constexpr (std::is_integral_v<T>) {  // wraps
              using U = uint64_t;
              w[k] = static_cast<T>(U(u(next)) * U(v(last)) - U(u(last)) * U(v(next)));
            } else {
              w[k] = static_cast<T>(u(next) * v(last) - u(last) * v(next));
            }
          }
        }
      });
      return absl::OkStatus();
    });
  }
};

}  // namespace

void RegisterSpecial(KernelRegistry& kernels) {
  AddUnaryTable(kernels, kUnary);
  AddBinaryTable(kernels, kBinary);
  kernels.Add<BetaIncomplete>("Betainc", kCpu, {{"T", SetOf(Both{})}});
  kernels.Add<Cross>("Cross", kCpu, {{"T", kReal}});
}

}  // namespace sluice::kernels
