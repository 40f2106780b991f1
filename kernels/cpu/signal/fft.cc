// SPDX-License-Identifier: Apache-2.0
// Fourier transforms of the last one, two or three dimensions, of complex and of real numbers.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <memory>

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/cpu/signal/fourier_plan.h"
#include "kernels/cpu/signal/register.h"

namespace sluice::kernels {
namespace {

int64_t Product(absl::Span<const int64_t> sizes) {
  int64_t product = 1;
  for (int64_t size : sizes) product *= size;
  return product;
}

// Lines that are transformed together fit into the first level of cache.
constexpr int64_t kMostTogether = 512;

// Lines that fill a vector register.
template <typename F>
constexpr int64_t kTogether = 32 / static_cast<int64_t>(sizeof(F));

// Nanoseconds for a line of n numbers.
double CostOf(int64_t n) {
  return static_cast<double>(n) * (0.4 * std::log2(static_cast<double>(n) + 1) + 2);
}

// Transforms `count` lines. get(first, lanes, planes) reads some of them, put(first, lanes, planes)
// writes their transforms. `adjacent`: elements of one index of neighbouring lines lie side by side.
template <typename F, typename Get, typename Put>
void TransformLines(WorkQueue* pool, const FourierPlan<F>& plan, int64_t count, bool adjacent,
                    bool inverse, const Get& get, const Put& put) {
  const Fourier<F>& fourier = plan.fourier;
  int64_t together = kTogether<F>;
  if (count < together / 2 || (!adjacent && fourier.size() > kMostTogether)) together = 1;
  const int64_t groups = (count + together - 1) / together;
  const double cost = CostOf(plan.n) * static_cast<double>(together);
  ParallelFor(pool, groups, cost, [&](int64_t begin, int64_t end) {
    const int64_t plane = fourier.memory_size() * together;
    const auto memory = std::make_unique_for_overwrite<F[]>(static_cast<size_t>(4 * plane));
    F* const planes = memory.get();
    for (int64_t group = begin; group < end; ++group) {
      const int64_t first = group * together, lanes = std::min(together, count - first);
      const Planes<F> x{planes, planes + plane}, other{planes + 2 * plane, planes + 3 * plane};
      get(first, lanes, x);
      const Planes<F> y = inverse ? fourier.Run(lanes, x.Swapped(), other.Swapped()).Swapped()
                                  : fourier.Run(lanes, x, other);
      put(first, lanes, y);
    }
  });
}

// Transforms dimension `axis` of the array x of sizes `dims`, in place.
template <typename F>
void TransformAxis(WorkQueue* pool, std::complex<F>* x, absl::Span<const int64_t> dims, int axis,
                   bool inverse) {
  const int64_t n = dims[axis], inner = Product(dims.subspan(axis + 1));
  if (n <= 1) return;
  const auto plan = FourierPlan<F>::Get(n, false);
  const F scale = inverse ? F(1) / static_cast<F>(n) : F(1);
  // Calls visit(element, its position in the planes).
  const auto each = [=](int64_t first, int64_t lanes, const auto& visit) {
    std::complex<F>* lines[kTogether<F>];
    for (int64_t v = 0; v < lanes; ++v)
      lines[v] = x + (first + v) / inner * inner * n + (first + v) % inner;
    if (lanes == 1 && inner == 1) {
      for (int64_t k = 0; k < n; ++k) visit(lines[0][k], k);
    } else if (lanes == kTogether<F>) {  // a constant, for the compiler
      for (int64_t k = 0; k < n; ++k) {
        for (int64_t v = 0; v < kTogether<F>; ++v) visit(lines[v][k * inner], k * kTogether<F> + v);
      }
    } else {
      for (int64_t k = 0; k < n; ++k) {
        for (int64_t v = 0; v < lanes; ++v) visit(lines[v][k * inner], k * lanes + v);
      }
    }
  };
  const auto get = [&](int64_t first, int64_t lanes, Planes<F> to) {
    each(first, lanes, [to](const std::complex<F>& from, int64_t at) {
      to.re[at] = from.real();
      to.im[at] = from.imag();
    });
  };
  const auto put = [&](int64_t first, int64_t lanes, Planes<F> from) {
    each(first, lanes, [from, scale](std::complex<F>& to, int64_t at) {
      to = {from.re[at] * scale, from.im[at] * scale};
    });
  };
  TransformLines(pool, *plan, Product(dims) / n, inner > 1, inverse, get, put);
}

// The transform of n real numbers from that of n / 2 complex ones, which are pairs of them: lane v
// of `from`. Writes n / 2 + 1 numbers.
template <typename F>
void Unfold(const FourierPlan<F>& plan, Planes<F> from, int64_t lanes, int64_t v,
            std::complex<F>* to) {
  const int64_t half = plan.n / 2;
  for (int64_t k = 0; k <= half; ++k) {
    const int64_t a = (k == half ? 0 : k) * lanes + v, b = (k == 0 ? 0 : half - k) * lanes + v;
    const F even_re = (from.re[a] + from.re[b]) / 2, even_im = (from.im[a] - from.im[b]) / 2;
    const F odd_re = (from.im[a] + from.im[b]) / 2, odd_im = (from.re[b] - from.re[a]) / 2;
    const F c = plan.cosines[k], s = plan.sines[k];
    to[k] = {even_re + c * odd_re - s * odd_im, even_im + c * odd_im + s * odd_re};
  }
}

// The reverse, times 2: n / 2 complex numbers, whose inverse transform has pairs of real ones.
template <typename F>
void Fold(const FourierPlan<F>& plan, const std::complex<F>* from, Planes<F> to, int64_t lanes,
          int64_t v) {
  const int64_t half = plan.n / 2;
  // The first and the last number are real.
  const auto imag = [=](int64_t k) { return k == 0 || k == half ? F(0) : from[k].imag(); };
  for (int64_t k = 0; k < half; ++k) {
    const F a_re = from[k].real(), a_im = imag(k);
    const F b_re = from[half - k].real(), b_im = imag(half - k);
    const F c = plan.cosines[k], s = plan.sines[k];
    const F d_re = a_re - b_re, d_im = a_im + b_im;
    const F odd_re = c * d_re + s * d_im, odd_im = c * d_im - s * d_re;
    to.re[k * lanes + v] = a_re + b_re - odd_im;
    to.im[k * lanes + v] = a_im - b_im + odd_re;
  }
}

// Copies the corner that arrays of sizes `from_dims` and `to_dims` have in common; the rest of `to`
// is 0.
template <typename From, typename To>
void CopyCorner(const From* from, absl::Span<const int64_t> from_dims, To* to,
                absl::Span<const int64_t> to_dims) {
  if (from_dims.size() == 1) {
    const int64_t n = std::min(from_dims[0], to_dims[0]);
    std::copy_n(from, n, to);
    std::fill(to + n, to + to_dims[0], To(0));
    return;
  }
  const int64_t from_row = Product(from_dims.subspan(1)), to_row = Product(to_dims.subspan(1));
  const int64_t shared = std::min(from_dims[0], to_dims[0]);
  for (int64_t i = 0; i < shared; ++i)
    CopyCorner(from + i * from_row, from_dims.subspan(1), to + i * to_row, to_dims.subspan(1));
  std::fill(to + shared * to_row, to + to_dims[0] * to_row, To(0));
}

struct Dimensions {
  int rank;
  bool inverse;

  static absl::StatusOr<Dimensions> Create(const NodeSpec& node) {
    const absl::string_view op = node.op;
    const int rank = absl::EndsWith(op, "3D") ? 3 : absl::EndsWith(op, "2D") ? 2 : 1;
    return Dimensions{rank, absl::StrContains(op, "IFFT") || absl::StrContains(op, "IRFFT")};
  }
  absl::Status CheckInput(const Tensor& input) const {
    if (input.rank() >= rank) return absl::OkStatus();
    return InvalidArgument("Input must have rank of at least ", rank, " but got: ", input.shape());
  }
};

struct Fft : Dimensions {
  static absl::StatusOr<Fft> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(Dimensions dimensions, Dimensions::Create(node));
    return Fft{dimensions};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_RETURN_IF_ERROR(CheckInput(ctx.input(0)));
    const Tensor input = ctx.input(0);
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, input.shape()));
    if (input.num_elements() == 0) return absl::OkStatus();
    std::memcpy(out->raw(), input.raw(), input.bytes());
    return VisitDType(ComplexTypes{}, out->dtype(), [&]<typename T>(Type<T>) {
      for (int axis = input.rank() - rank; axis < input.rank(); ++axis) {
        TransformAxis<typename T::value_type>(ctx.pool(), out->mutable_data<T>(),
                                              input.shape().dims(), axis, inverse);
      }
      return absl::OkStatus();
    });
  }
};

// For real numbers, half of the transform is enough: of n elements, the last dimension keeps n / 2
// + 1, or 0 if n is 0.
struct RealFft : Dimensions {
  static absl::StatusOr<RealFft> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(Dimensions dimensions, Dimensions::Create(node));
    return RealFft{dimensions};
  }

  // The sizes of the real array.
  absl::StatusOr<Shape::Dims> Lengths(const KernelContext& ctx) const {
    const Tensor& lengths = ctx.input(1);
    if (lengths.rank() != 1 || lengths.dim(0) != rank)
      return InvalidArgument("fft_length must have shape [", rank, "]");
    SLUICE_ASSIGN(Shape::Dims sizes, IntVector(lengths));
    const Tensor& input = ctx.input(0);
    for (int i = 0; i < rank; ++i) {
      if (sizes[i] < 0)
        return InvalidArgument("fft_length[", i, "] must >= 0, but got: ", sizes[i]);
      const bool half = inverse && i == rank - 1;
      const int64_t needed = half ? sizes[i] / 2 + 1 : sizes[i];
      const int64_t found = input.dim(input.rank() - rank + i);
      if (found > 0 && found < needed) {  // TensorFlow checks no length if the array is empty
        return InvalidArgument("Input dimension ", input.rank() - rank + i,
                               " must have length of at least ", needed, " but got: ", found);
      }
    }
    return sizes;
  }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_RETURN_IF_ERROR(CheckInput(ctx.input(0)));
    SLUICE_ASSIGN(const Shape::Dims lengths, Lengths(ctx));
    const auto input_dims = ctx.input(0).shape().dims();
    Shape::Dims dims(input_dims.begin(), input_dims.end() - rank);
    dims.insert(dims.end(), lengths.begin(), lengths.end());
    Shape::Dims half = dims;
    if (half.back() > 0) half.back() = half.back() / 2 + 1;
    SLUICE_ASSIGN(const Shape shape, Shape::Create(inverse ? dims : half));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    if (shape.num_elements() == 0) return absl::OkStatus();
    const DType complex = inverse ? ctx.input(0).dtype() : out->dtype();
    return VisitDType(ComplexTypes{}, complex, [&]<typename T>(Type<T>) -> absl::Status {
      using F = typename T::value_type;
      if ((inverse ? out->dtype() : ctx.input(0).dtype()) != kDTypeOf<F>)
        return InvalidArgument("Treal must be the real type of ", complex);
      if (ctx.input(0).num_elements() == 0 || Product(dims) == 0) {
        std::memset(out->raw(), 0, out->bytes());
        return absl::OkStatus();
      }
      return inverse ? ToReal<F>(ctx, dims, half, *out) : ToComplex<F>(ctx, dims, half, *out);
    });
  }

 private:
  template <typename F>
  absl::Status ToComplex(KernelContext& ctx, const Shape::Dims& dims, const Shape::Dims& half,
                         Tensor& out) const {
    const auto all = absl::MakeConstSpan(half);
    const auto input_dims = ctx.input(0).shape().dims();
    const int64_t n = dims.back(), to_row = half.back(), from_row = input_dims.back();
    // Transforms the lines of the input's corner.
    std::complex<F>* to = out.mutable_data<std::complex<F>>();
    const int batch = static_cast<int>(all.size()) - rank;
    const int64_t inner_lines = Product(all.subspan(batch)) / to_row;
    const int64_t from_lines = Product(input_dims.subspan(batch)) / from_row;
    const auto line_of = [&](int64_t i) {
      int64_t line = i % inner_lines, at = 0, stride = 1;
      for (int d = static_cast<int>(all.size()) - 2; d >= batch; --d) {
        at += line % all[d] * stride;
        line /= all[d];
        stride *= input_dims[d];
      }
      return ctx.input(0).data<F>() + (i / inner_lines * from_lines + at) * from_row;
    };
    const auto plan = FourierPlan<F>::Get(n, true);
    const auto get = [&](int64_t first, int64_t lanes, Planes<F> x) {
      for (int64_t v = 0; v < lanes; ++v) {
        const F* from = line_of(first + v);
        for (int64_t k = 0; k < plan->fourier.size(); ++k) {
          x.re[k * lanes + v] = plan->halved() ? from[2 * k] : from[k];
          x.im[k * lanes + v] = plan->halved() ? from[2 * k + 1] : F(0);
        }
      }
    };
    const auto put = [&](int64_t first, int64_t lanes, Planes<F> y) {
      for (int64_t v = 0; v < lanes; ++v) {
        std::complex<F>* line = to + (first + v) * to_row;
        if (plan->halved()) {
          Unfold(*plan, y, lanes, v, line);
        } else {
          for (int64_t k = 0; k < to_row; ++k) line[k] = {y.re[k * lanes + v], y.im[k * lanes + v]};
        }
      }
    };
    TransformLines(ctx.pool(), *plan, Product(all) / to_row, false, false, get, put);
    for (int axis = batch; axis + 1 < static_cast<int>(all.size()); ++axis)
      TransformAxis<F>(ctx.pool(), to, all, axis, false);
    return absl::OkStatus();
  }

  template <typename F>
  absl::Status ToReal(KernelContext& ctx, const Shape::Dims& dims, const Shape::Dims& half,
                      Tensor& out) const {
    using C = std::complex<F>;
    const auto all = absl::MakeConstSpan(half);
    const int batch = static_cast<int>(all.size()) - rank;
    SLUICE_ASSIGN(const Shape corner_shape, Shape::Create(half));
    SLUICE_ASSIGN(Tensor corner, ctx.AllocateTemporary(kDTypeOf<C>, corner_shape));
    const auto inner = all.subspan(batch);
    const auto from_inner = ctx.input(0).shape().dims().subspan(batch);
    for (int64_t i = 0; i < Product(all.first(batch)); ++i) {
      CopyCorner(ctx.input(0).data<C>() + i * Product(from_inner), from_inner,
                 corner.mutable_data<C>() + i * Product(inner), inner);
    }
    for (int axis = batch; axis + 1 < static_cast<int>(all.size()); ++axis)
      TransformAxis<F>(ctx.pool(), corner.mutable_data<C>(), all, axis, true);
    const int64_t n = dims.back(), row = half.back();
    const F scale = F(1) / static_cast<F>(n);
    const auto plan = FourierPlan<F>::Get(n, true);
    const auto get = [&](int64_t first, int64_t lanes, Planes<F> x) {
      for (int64_t v = 0; v < lanes; ++v) {
        const C* from = corner.data<C>() + (first + v) * row;
        if (plan->halved()) {
          Fold(*plan, from, x, lanes, v);
          continue;
        }
        for (int64_t k = 0; k < n; ++k) {
          const C number = k < row ? from[k] : std::conj(from[n - k]);
          x.re[k * lanes + v] = number.real();
          x.im[k * lanes + v] = number.imag();
        }
      }
    };
    const auto put = [&](int64_t first, int64_t lanes, Planes<F> y) {
      for (int64_t v = 0; v < lanes; ++v) {
        F* to = out.mutable_data<F>() + (first + v) * n;
        for (int64_t k = 0; k < plan->fourier.size(); ++k) {
          if (plan->halved()) {
            to[2 * k] = y.re[k * lanes + v] * scale;
            to[2 * k + 1] = y.im[k * lanes + v] * scale;
          } else {
            to[k] = y.re[k * lanes + v] * scale;
          }
        }
      }
    };
    TransformLines(ctx.pool(), *plan, Product(all) / row, false, true, get, put);
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterFft(KernelRegistry& kernels) {
  for (const char* op : {"FFT", "FFT2D", "FFT3D", "IFFT", "IFFT2D", "IFFT3D", "BatchFFT",
                         "BatchFFT2D", "BatchFFT3D", "BatchIFFT", "BatchIFFT2D", "BatchIFFT3D"})
    kernels.Add<Fft>(op, kCpu);
  for (const char* op : {"RFFT", "RFFT2D", "RFFT3D", "IRFFT", "IRFFT2D", "IRFFT3D"})
    kernels.Add<RealFft>(op, kCpu);
}

}  // namespace sluice::kernels
