// SPDX-License-Identifier: Apache-2.0
// Pooling over regions whose sizes randomly differ by one (Graham 2014, "Fractional max-pooling").
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <vector>

#include "absl/strings/str_join.h"
#include "core/runtime/kernel_registry.h"
#include "core/threads/cancel_scope.h"
#include "kernels/common/random/node_stream.h"
#include "kernels/cpu/nn/register.h"

namespace sluice::kernels {
namespace {

using FractionalTypes = TypeList<float, double, int32_t, int64_t>;
using Sequence = std::vector<int64_t>;  // beginnings of the regions, and the end of the last one

// Region i of a sequence: inputs [begin, end).
struct Region {
  int64_t begin, end;
  Region(const int64_t* sequence, int64_t i, bool overlapping, int64_t in)
      : begin(sequence[i]), end(std::min(in, sequence[i + 1] + (overlapping ? 1 : 0))) {}
  int64_t size() const { return std::max<int64_t>(0, end - begin); }
};

// `take` returns a number of blocks of random words.
template <typename Take>
Sequence Regions(int64_t in, int64_t out, bool pseudo_random, const Take& take) {
  Sequence sequence(out + 1, 0);
  if (pseudo_random) {
    const double alpha = static_cast<double>(in) / static_cast<double>(out);
    const int64_t k = in / out;
    // Ensures that no region is smaller than k or larger than k + 1.
    const double first = static_cast<double>(k + 2) / alpha - 1;
    const double last = static_cast<double>(in + 1 - k) / alpha - static_cast<double>(out - 1);
    PhiloxWords words(take(1), 0);
    const uint64_t high = words.Next() & 0xFFFFF, low = words.Next();
    const double u = (std::bit_cast<double>(uint64_t{1023} << 52 | high << 32 | low) - 1) *
                     std::min(first, last);
    for (int64_t i = 1; i < out; ++i) {
      sequence[i] = static_cast<int64_t>(std::ceil(alpha * (static_cast<double>(i) + u))) - 1;
    }
    sequence[out] = in;
    return sequence;
  }
  std::vector<int64_t> sizes(out, in / out);
  for (int64_t i = 0; i < in % out; ++i) ++sizes[i];
  PhiloxWords words(take((out + 3) / 4), 0);
  for (int64_t i = 0; i + 1 < out; ++i) std::swap(sizes[i], sizes[i + words.Next() % (out - i)]);
  for (int64_t i = 0; i < out; ++i) sequence[i + 1] = sequence[i] + sizes[i];
  return sequence;
}

// Images, pooled images, and the regions that connect them.
struct Grid {
  int64_t batch, height, width, channels;
  int64_t out_height, out_width;
  const int64_t *rows, *columns;
  bool overlapping;

  // Calls fn(output position, rows, columns) for each pooled pixel; positions count pixels.
  template <typename Fn>
  void ForEachRegion(const Fn& fn) const {
    for (int64_t n = 0; n < batch; ++n) {
      for (int64_t y = 0; y < out_height; ++y) {
        ThrowIfCancelled();
        const Region down(rows, y, overlapping, height);
        for (int64_t x = 0; x < out_width; ++x) {
          fn((n * out_height + y) * out_width + x, n * height, down,
             Region(columns, x, overlapping, width));
        }
      }
    }
  }
  // Calls fn(pixel) for the pixels of a region.
  template <typename Fn>
  void ForEachPixel(int64_t first_row, const Region& down, const Region& across,
                    const Fn& fn) const {
    for (int64_t y = down.begin; y < down.end; ++y) {
      for (int64_t x = across.begin; x < across.end; ++x) fn((first_row + y) * width + x);
    }
  }
};

struct FractionalPool {
  NodeStream stream;
  std::vector<float> ratio;
  bool pseudo_random = false, overlapping = false, deterministic = false, max = false;

  explicit FractionalPool(const NodeSpec& node) : stream(node) {}

  static absl::StatusOr<std::unique_ptr<FractionalPool>> Create(const NodeSpec& node) {
    auto pool = std::make_unique<FractionalPool>(node);
    pool->max = node.op == "FractionalMaxPool";
    SLUICE_ASSIGN(pool->ratio, node.Get<std::vector<float>>("pooling_ratio"));
    SLUICE_ASSIGN(pool->pseudo_random, node.Get<bool>("pseudo_random"));
    SLUICE_ASSIGN(pool->overlapping, node.Get<bool>("overlapping"));
    SLUICE_ASSIGN(pool->deterministic, node.Get<bool>("deterministic"));
    if (!pool->deterministic && (GetAttrOr<int64_t>(node.attrs, "seed", 0) != 0 ||
                                 GetAttrOr<int64_t>(node.attrs, "seed2", 0) != 0)) {
      return InvalidArgument("Both seed and seed2 should be 0 if deterministic is false.");
    }
    if (pool->ratio.size() != 4) {
      return InvalidArgument("pooling_ratio field must specify 4 dimensions");
    }
    for (float ratio : pool->ratio) {
      if (!(ratio >= 1)) {
        return InvalidArgument("pooling_ratio cannot be smaller than 1, got: ", ratio);
      }
    }
    if (pool->ratio[0] != 1 || pool->ratio[3] != 1) {
      return Unimplemented("Fractional ", pool->max ? "max" : "average",
                           " pooling is not yet supported on the batch nor channel dimension.");
    }
    return pool;
  }

  struct Sequences {
    Sequence rows, columns;
  };
  // With `deterministic`, every run uses the same numbers.
  Sequences Draw(int64_t height, int64_t out_height, int64_t width, int64_t out_width) const {
    Philox next = stream.Peek();
    const auto take = [&](uint64_t blocks) {
      if (!deterministic) return stream.Take(blocks);
      const Philox now = next;
      next.Skip(blocks);
      return now;
    };
    Sequence rows = Regions(height, out_height, pseudo_random, take);
    return {std::move(rows), Regions(width, out_width, pseudo_random, take)};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& in = ctx.input(0);
    if (in.rank() != 4) return InvalidArgument("tensor_in must be 4-dimensional");
    int64_t out_size[2];
    for (int d = 0; d < 2; ++d) {
      if (in.dim(d + 1) > std::numeric_limits<int32_t>::max()) {
        return InvalidArgument("size out of range: ", in.dim(d + 1));
      }
      out_size[d] =
          static_cast<int64_t>(std::floor(static_cast<float>(in.dim(d + 1)) / ratio[d + 1]));
      if (out_size[d] < 1)
        return InvalidArgument("Pooling ratio is higher than input dimension size for dimension ",
                               d + 1, ". Input dim size: ", in.dim(d + 1),
                               " pooling ratio: ", ratio[d + 1]);
    }
    const Sequences drawn = Draw(in.dim(1), out_size[0], in.dim(2), out_size[1]);
    SLUICE_ASSIGN(const Shape shape,
                  Shape::Create({in.dim(0), out_size[0], out_size[1], in.dim(3)}));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    ctx.SetOutput(1, Tensor::Vector<int64_t>(drawn.rows));
    ctx.SetOutput(2, Tensor::Vector<int64_t>(drawn.columns));
    const Grid grid{in.dim(0),   in.dim(1),   in.dim(2),         in.dim(3),
                    out_size[0], out_size[1], drawn.rows.data(), drawn.columns.data(),
                    overlapping};
    return VisitDType(FractionalTypes{}, in.dtype(), [&]<typename T>(Type<T>) {
      grid.ForEachRegion([&](int64_t at, int64_t row, const Region& down, const Region& across) {
        T* const to = out->mutable_data<T>() + at * grid.channels;
        std::fill_n(to, grid.channels, max ? std::numeric_limits<T>::lowest() : T(0));
        grid.ForEachPixel(row, down, across, [&](int64_t pixel) {
          const T* from = in.data<T>() + pixel * grid.channels;
          for (int64_t c = 0; c < grid.channels; ++c) {
            to[c] = max ? std::max(to[c], from[c]) : Sum(to[c], from[c]);
          }
        });
        if (max) return;
        const auto count = static_cast<T>(std::max<int64_t>(1, down.size() * across.size()));
        for (int64_t c = 0; c < grid.channels; ++c) to[c] /= count;
      });
      return absl::OkStatus();
    });
  }

  template <typename T>
  static T Sum(T a, T b) {
    if constexpr (std::is_integral_v<T>) {  // wraps
      using U = std::make_unsigned_t<T>;
      return static_cast<T>(static_cast<U>(a) + static_cast<U>(b));
    } else {
      return a + b;
    }
  }
};

struct FractionalPoolGrad {
  bool max, overlapping;

  static absl::StatusOr<FractionalPoolGrad> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const bool overlapping, node.Get<bool>("overlapping"));
    return FractionalPoolGrad{node.op == "FractionalMaxPoolGrad", overlapping};
  }

  static absl::Status CheckSequence(absl::string_view name, const Tensor& sequence, int64_t in,
                                    int64_t out) {
    if (sequence.rank() != 1 || sequence.dim(0) != out + 1) {
      return InvalidArgument("a pooling sequence for ", out, " regions must have ", out + 1,
                             " entries, but has shape ", sequence.shape());
    }
    for (int64_t i = 0; i <= out; ++i) {
      const int64_t at = sequence.data<int64_t>()[i];
      if (at < 0) {
        return InvalidArgument(name, " sequence tensor values must not be negative, got ",
                               absl::StrJoin(sequence.flat<int64_t>(), " "));
      }
      if (at > in || (i > 0 && at < sequence.data<int64_t>()[i - 1])) {
        return InvalidArgument("pooling sequence[", i, "] = ", at,
                               " is out of order or outside [0, ", in, "]");
      }
    }
    return absl::OkStatus();
  }

  absl::Status Run(KernelContext& ctx) const {
    Shape shape = ctx.input(0).shape();
    if (!max) {
      if (shape.rank() != 1 || shape.dim(0) != 4) {
        return InvalidArgument("original input tensor shape must be 1-dimensional and 4 elements");
      }
      SLUICE_ASSIGN(shape, ShapeFrom(ctx.input(0)));
    }
    if (shape.rank() != 4) return InvalidArgument("orig_input must be 4-dimensional", shape);
    const Tensor& grad = ctx.input(max ? 2 : 1);
    const Tensor &rows = ctx.input(max ? 3 : 2), &columns = ctx.input(max ? 4 : 3);
    if (grad.rank() != 4) return InvalidArgument("out_backprop must be 4-dimensional");
    if (grad.dim(0) != shape.dim(0) || grad.dim(3) != shape.dim(3)) {
      return InvalidArgument("out_backprop has shape ", grad.shape(), " for an input of ", shape);
    }
    if (max && !(ctx.input(1).shape() == grad.shape())) {
      return InvalidArgument("orig_output and out_backprop must have one shape");
    }
    SLUICE_RETURN_IF_ERROR(CheckSequence("Row", rows, shape.dim(1), grad.dim(1)));
    SLUICE_RETURN_IF_ERROR(CheckSequence("Column", columns, shape.dim(2), grad.dim(2)));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    const Grid grid{shape.dim(0), shape.dim(1), shape.dim(2),         shape.dim(3),
                    grad.dim(1),  grad.dim(2),  rows.data<int64_t>(), columns.data<int64_t>(),
                    overlapping};
    return VisitDType(FractionalTypes{}, out->dtype(), [&]<typename T>(Type<T>) {
      if (max) {
        Max(grid, ctx.input(0).data<T>(), grad.data<T>(), *out);
      } else {
        Average(grid, grad.data<T>(), *out);
      }
      return absl::OkStatus();
    });
  }

  template <typename T>
  static void Max(const Grid& grid, const T* in, const T* grad, Tensor& out) {
    T* const to = out.mutable_data<T>();
    std::fill_n(to, out.num_elements(), T(0));
    grid.ForEachRegion([&](int64_t at, int64_t row, const Region& down, const Region& across) {
      for (int64_t c = 0; c < grid.channels; ++c) {
        int64_t best = -1;
        grid.ForEachPixel(row, down, across, [&](int64_t pixel) {
          const int64_t i = pixel * grid.channels + c;
          if (best < 0 || in[best] < in[i]) best = i;
        });
        if (best >= 0) to[best] = FractionalPool::Sum(to[best], grad[at * grid.channels + c]);
      }
    });
  }

  // Parts are added in double, then rounded.
  template <typename T>
  static void Average(const Grid& grid, const T* grad, Tensor& out) {
    std::vector<double> sums(out.num_elements());
    grid.ForEachRegion([&](int64_t at, int64_t row, const Region& down, const Region& across) {
      const auto count = static_cast<double>(down.size() * across.size());
      grid.ForEachPixel(row, down, across, [&](int64_t pixel) {
        for (int64_t c = 0; c < grid.channels; ++c) {
          sums[pixel * grid.channels + c] +=
              static_cast<double>(grad[at * grid.channels + c]) / count;
        }
      });
    });
    std::transform(sums.begin(), sums.end(), out.mutable_data<T>(),
                   [](double sum) { return static_cast<T>(sum); });
  }
};

}  // namespace

void RegisterFractionalPool(KernelRegistry& kernels) {
  const std::vector<TypeConstraint> types{{"T", SetOf(FractionalTypes{})}};
  for (const char* op : {"FractionalAvgPool", "FractionalMaxPool"}) {
    kernels.Add<FractionalPool>(op, kCpu, types);
  }
  for (const char* op : {"FractionalAvgPoolGrad", "FractionalMaxPoolGrad"}) {
    kernels.Add<FractionalPoolGrad>(op, kCpu, types);
  }
}

}  // namespace sluice::kernels
