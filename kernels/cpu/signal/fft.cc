// SPDX-License-Identifier: Apache-2.0
// Fourier transforms of the last one, two or three dimensions, of complex and of real numbers.
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/cpu/signal/fourier.h"
#include "kernels/cpu/signal/register.h"

namespace sluice::kernels {
namespace {

int64_t Product(absl::Span<const int64_t> sizes) {
  int64_t product = 1;
  for (int64_t size : sizes) product *= size;
  return product;
}

// Transforms dimension `axis` of the array x of sizes `dims`, in place.
template <typename F>
void TransformAxis(WorkQueue* pool, std::complex<F>* x, absl::Span<const int64_t> dims, int axis,
                   bool inverse) {
  const int64_t n = dims[axis], inner = Product(dims.subspan(axis + 1));
  if (n <= 1) return;
  const Fourier<F> fourier(n, inverse);
  const double cost = 2 * static_cast<double>(n) * (std::log2(static_cast<double>(n)) + 1);
  ParallelFor(pool, Product(dims) / n, cost, [&](int64_t begin, int64_t end) {
    std::vector<std::complex<F>> line(static_cast<size_t>(2 * n + fourier.scratch_size()));
    std::complex<F>* to = line.data() + n;
    for (int64_t i = begin; i < end; ++i) {
      std::complex<F>* first = x + i / inner * inner * n + i % inner;
      for (int64_t k = 0; k < n; ++k) line[k] = first[k * inner];
      fourier.Run(line.data(), to, to + n);
      for (int64_t k = 0; k < n; ++k) first[k * inner] = to[k];
    }
  });
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
    const F* from = ctx.input(0).data<F>();
    const int batch = static_cast<int>(all.size()) - rank;
    const int64_t inner_lines = Product(all.subspan(batch)) / to_row;
    const int64_t from_lines = Product(input_dims.subspan(batch)) / from_row;
    const Fourier<F> fourier(n, false);
    const double cost = 3 * static_cast<double>(n) * (std::log2(static_cast<double>(n)) + 1);
    ParallelFor(ctx.pool(), Product(all) / to_row, cost, [&](int64_t begin, int64_t end) {
      std::vector<std::complex<F>> x(static_cast<size_t>(2 * n + fourier.scratch_size()));
      for (int64_t i = begin; i < end; ++i) {
        int64_t line = i % inner_lines, at = 0, stride = 1;
        for (int d = static_cast<int>(all.size()) - 2; d >= batch; --d) {
          at += line % all[d] * stride;
          line /= all[d];
          stride *= input_dims[d];
        }
        std::copy_n(from + (i / inner_lines * from_lines + at) * from_row, n, x.begin());
        fourier.Run(x.data(), x.data() + n, x.data() + 2 * n);
        std::copy_n(x.begin() + n, to_row, to + i * to_row);
      }
    });
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
    const Fourier<F> fourier(n, true);
    const double cost = 3 * static_cast<double>(n) * (std::log2(static_cast<double>(n)) + 1);
    ParallelFor(ctx.pool(), Product(all) / row, cost, [&](int64_t begin, int64_t end) {
      std::vector<C> x(static_cast<size_t>(2 * n + fourier.scratch_size()));
      for (int64_t i = begin; i < end; ++i) {
        std::copy_n(corner.data<C>() + i * row, std::min(row, n), x.begin());
        for (int64_t k = row; k < n; ++k) x[k] = std::conj(x[n - k]);
        fourier.Run(x.data(), x.data() + n, x.data() + 2 * n);
        for (int64_t k = 0; k < n; ++k) out.mutable_data<F>()[i * n + k] = x[n + k].real();
      }
    });
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
