// SPDX-License-Identifier: Apache-2.0
// In each direction 36 planes are multiplied:
//
//   output:            those of the input by those of the filter
//   input's gradient:  those of the output's gradient by those of the filter turned by 180 degrees
//   filter's gradient: those of the input, transposed, by those of the output's gradient
//
// Tiles are computed in blocks of rows of tiles, whose planes stay in the second cache.
#include "kernels/cpu/nn/conv/winograd.h"

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "core/tensor/allocator.h"
#include "kernels/cpu/common/simd.h"
#include "kernels/cpu/common/try_each.h"
#include "kernels/cpu/nn/conv/parts.h"

#pragma GCC diagnostic ignored "-Wpsabi"  // functions of vectors are inlined
#include "kernels/cpu/nn/conv/winograd_planes.h"

namespace sluice::kernels {
namespace {

using namespace winograd;  // NOLINT(google-build-using-namespace): the planes

absl::StatusOr<Tensor> Floats(int64_t count) {
  return Tensor::Allocate(CpuAllocator(), kFloat, Shape{count});
}

class Winograd {
 public:
  Winograd(KernelContext& ctx, ConvDirection direction, const ConvSizes& s)
      : ctx_(ctx), direction_(direction), s_(s) {}

  absl::Status Run(const float* a, const float* b, float* out, const FinishRows* finish) {
    const int64_t above = s_.height.pad_before, left = s_.width.pad_before;
    switch (direction_) {
      case ConvDirection::kForward:
        return ToImages(Source(a), above, left, b, Destination(out), finish);
      case ConvDirection::kBackpropInput:
        return ToImages(Destination(a), kWindow - 1 - above, kWindow - 1 - left, b, Source(out),
                        nullptr);
      default:
        return ToFilter(Source(a), above, left, Destination(b), out);
    }
  }

 private:
  template <typename Element>
  Images<Element> Source(Element* data) const {
    return {data, s_.height.in, s_.width.in, s_.in_channels};
  }
  template <typename Element>
  Images<Element> Destination(Element* data) const {
    return {data, s_.height.out, s_.width.out, s_.out_channels};
  }

  // Cuts rows of tiles into at least `fewest` blocks, if there are as many rows. The planes of a
  // block stay in the cache, unless those of the filter do not, which each block reads.
  static std::vector<Block> Blocks(const Tiles& tiles, int64_t first, int64_t rows,
                                   int64_t channels, int64_t fewest) {
    constexpr int64_t kCached = (768 << 10) / sizeof(float), kWorthTheFilter = 64;
    const int64_t in_block = std::max(kCached / (kPlanes * channels), kWorthTheFilter);
    const int64_t most =
        std::max<int64_t>(std::min(in_block / tiles.in_row(), (rows + fewest - 1) / fewest), 1);
    std::vector<Block> blocks;
    for (int64_t row = first; row < first + rows; row += most) {
      blocks.push_back({row, std::min(most, first + rows - row)});
    }
    return blocks;
  }

  int64_t Threads() const { return ctx_.pool() == nullptr ? 1 : ctx_.pool()->num_threads(); }
  double CostOf(int64_t parts) const { return s_.multiplications() / (150.0 * parts); }

  // The windows of kLanes filters that stand beside each other. Two elements of a window are
  // `window` apart.
  template <int kLanes>
  static void Weights(const float* from, int64_t window, float (&to)[kWindow][kWindow][kLanes]) {
    for (int i = 0; i < kWindow; ++i) {
      for (int j = 0; j < kWindow; ++j, from += window) std::copy_n(from, kLanes, to[i][j]);
    }
  }

  // The same of filters that are `step` apart, turned by 180 degrees.
  template <int kLanes>
  static void TurnedWeights(const float* from, int64_t step, int64_t window,
                            float (&to)[kWindow][kWindow][kLanes]) {
    for (int i = kWindow - 1; i >= 0; --i) {
      for (int j = kWindow - 1; j >= 0; --j, from += window) {
        for (int k = 0; k < kLanes; ++k) to[i][j][k] = from[k * step];
      }
    }
  }

  // The planes of the filter: panels of columns beside each other.
  absl::StatusOr<Tensor> FilterPlanes(const float* filter, int64_t in, int64_t out) const {
    SLUICE_ASSIGN(Tensor planes, Floats(kPlanes * PlaneOf(in, out)));
    float* const to = planes.mutable_data<float>();
    const bool turned = direction_ == ConvDirection::kBackpropInput;
    const int64_t plane = PlaneOf(in, out);
    // So many rows at once read the cache lines of a turned filter, whose rows are its columns.
    constexpr int64_t kRows = 16;
    static_assert(kRows == kChannelStep);
    const double cost = 0.1 * kRows * kPlanes * out;
    ParallelFor(ctx_.pool(), in / kRows, cost, [&](int64_t begin, int64_t end) {
      WithVectorsOfFloats([&](auto lanes) {
        for (int64_t rows = begin * kRows; rows < end * kRows; rows += kRows) {
          for (int64_t column = 0; column < out; column += lanes) {
            const int64_t panel = column / kPanel<lanes> * kPanel<lanes>;
            const int64_t width = std::min(kPanel<lanes>, out - panel);
            for (int64_t row = rows; row < rows + kRows; ++row) {
              float weights[kWindow][kWindow][lanes];
              turned ? TurnedWeights<lanes>(filter + column * in + row, in, in * out, weights)
                     : Weights<lanes>(filter + row * out + column, in * out, weights);
              float* const element = to + panel * in + row * width + column - panel;
              Transform<WeightLine, lanes>([&](int i, int j) { return Load<lanes>(weights[i][j]); },
                                           [&](int i, int j, const auto& v) {
                                             Store<lanes>(element + (i * kPatch + j) * plane, v);
                                           });
            }
          }
        }
      });
    });
    return planes;
  }

  absl::Status ToImages(const Images<const float>& from, int64_t above, int64_t left,
                        const float* filter, const Images<float>& to, const FinishRows* finish) {
    SLUICE_ASSIGN(const Tensor filter_planes, FilterPlanes(filter, from.channels, to.channels));
    const float* const filters = filter_planes.data<float>();
    const int64_t filter_plane = PlaneOf(from.channels, to.channels);
    const Tiles tiles{s_.batch, to.height, to.width};
    const std::vector<Block> blocks =
        Blocks(tiles, 0, tiles.rows(), from.channels + to.channels, Threads());
    const auto count = static_cast<int64_t>(blocks.size());
    return TryEach(ctx_.pool(), count, CostOf(count), [&](int64_t number) -> absl::Status {
      const Block& block = blocks[number];
      const int64_t in_block = block.rows * tiles.in_row();
      const int64_t in_plane = PlaneOf(in_block, from.channels);
      const int64_t out_plane = PlaneOf(in_block, to.channels);
      const int64_t edge = std::max(from.channels, to.channels);
      SLUICE_ASSIGN(Tensor memory, Floats(kPlanes * (in_plane + out_plane) + edge));
      float* const in = memory.mutable_data<float>();
      float* const out = in + kPlanes * in_plane;
      float* const outside = out + kPlanes * out_plane;
      std::fill_n(outside, edge, 0.0F);
      WithVectorsOfFloats([&](auto lanes) {
        ToPlanes<InputLine, lanes>(tiles, block, from, above, left, outside, in, in_plane);
        for (int p = 0; p < kPlanes; ++p) {
          const Strided a{in + p * in_plane, from.channels, 1};
          for (int64_t panel = 0; panel < to.channels; panel += kPanel<lanes>) {
            const int64_t width = std::min(kPanel<lanes>, to.channels - panel);
            MultiplyPanel<lanes>(in_block, width, from.channels, a,
                                 filters + p * filter_plane + panel * from.channels, width,
                                 out + p * out_plane + panel, to.channels, false);
          }
        }
        FromPlanes<lanes>(tiles, block, out, out_plane, to, outside);
      });
      if (finish != nullptr) Finish(tiles, block, to, *finish);
      return absl::OkStatus();
    });
  }

  static void Finish(const Tiles& tiles, const Block& block, const Images<float>& images,
                     const FinishRows& finish) {
    for (int64_t row = block.first; row < block.first + block.rows; ++row) {
      const int64_t top = row % tiles.rows_of_image() * kTile;
      const int64_t pixels = std::min<int64_t>(kTile, images.height - top) * images.width;
      finish(images.pixel(row / tiles.rows_of_image(), top, 0), pixels);
    }
  }

  // Each part adds its tiles to planes of its own.
  absl::Status ToFilter(const Images<const float>& source, int64_t above, int64_t left,
                        const Images<const float>& grad, float* filter_grad) {
    constexpr int64_t kMostFloats = 16 << 20;
    const int64_t in = source.channels, out = grad.channels, plane = PlaneOf(in, out);
    const Tiles tiles{s_.batch, grad.height, grad.width};
    const int64_t most = std::max(Threads(), kMostFloats / (kPlanes * plane));
    const int64_t parts = std::min({ConvPartsWorth(ctx_.pool(), s_), most, tiles.rows()});
    std::vector<Tensor> sums(parts);
    for (Tensor& sum : sums) {
      SLUICE_ASSIGN(sum, Floats(kPlanes * plane));
    }
    SLUICE_RETURN_IF_ERROR(
        TryEach(ctx_.pool(), parts, CostOf(parts), [&](int64_t part) -> absl::Status {
          const int64_t first = tiles.rows() * part / parts;
          const int64_t rows = tiles.rows() * (part + 1) / parts - first;
          return AddTiles(tiles, Blocks(tiles, first, rows, in + out, 1), source, above, left, grad,
                          sums[part].mutable_data<float>());
        }));
    ParallelFor(ctx_.pool(), in, 0.25 * kPlanes * out * parts, [&](int64_t begin, int64_t end) {
      WithVectorsOfFloats([&](auto lanes) {
        for (int64_t at = begin * out; at < end * out; at += lanes) {
          Transform<WeightGradLine, lanes>(
              [&](int i, int j) {
                const int64_t element = (i * kPatch + j) * plane + at;
                auto sum = Load<lanes>(sums[0].data<float>() + element);
                for (int64_t part = 1; part < parts; ++part) {
                  sum += Load<lanes>(sums[part].data<float>() + element);
                }
                return sum;
              },
              [&](int i, int j, const auto& v) {
                Store<lanes>(filter_grad + (i * kWindow + j) * in * out + at, v);
              });
        }
      });
    });
    return absl::OkStatus();
  }

  static absl::Status AddTiles(const Tiles& tiles, const std::vector<Block>& blocks,
                               const Images<const float>& source, int64_t above, int64_t left,
                               const Images<const float>& grad, float* sums) {
    const int64_t in = source.channels, out = grad.channels, plane = PlaneOf(in, out);
    const int64_t most = blocks[0].rows * tiles.in_row(), edge = std::max(in, out);
    const int64_t in_plane = PlaneOf(most, in), out_plane = PlaneOf(most, out);
    SLUICE_ASSIGN(Tensor memory, Floats(kPlanes * (in_plane + out_plane) + edge));
    float* const in_planes = memory.mutable_data<float>();
    float* const out_planes = in_planes + kPlanes * in_plane;
    float* const zeros = out_planes + kPlanes * out_plane;
    std::fill_n(zeros, edge, 0.0F);
    for (const Block& block : blocks) {
      const int64_t in_block = block.rows * tiles.in_row();
      WithVectorsOfFloats([&](auto lanes) {
        ToPlanes<InputLine, lanes>(tiles, block, source, above, left, zeros, in_planes, in_plane);
        ToPlanes<OutputGradLine, lanes>(tiles, block, grad, 0, 0, zeros, out_planes, out_plane);
        for (int p = 0; p < kPlanes; ++p) {
          const Strided a{in_planes + p * in_plane, 1, in};
          for (int64_t panel = 0; panel < out; panel += kPanel<lanes>) {
            MultiplyPanel<lanes>(in, std::min(kPanel<lanes>, out - panel), in_block, a,
                                 out_planes + p * out_plane + panel, out, sums + p * plane + panel,
                                 out, &block != &blocks[0]);
          }
        }
      });
    }
    return absl::OkStatus();
  }

  KernelContext& ctx_;
  const ConvDirection direction_;
  const ConvSizes& s_;
};

bool IsEnabled() {
  static const bool enabled = [] {
    const char* variable = std::getenv("TF_ENABLE_WINOGRAD_NONFUSED");
    const absl::string_view value = variable == nullptr ? "1" : variable;
    return value != "0" && !absl::EqualsIgnoreCase(value, "false");
  }();
  return enabled;
}

}  // namespace

// Times of DnnlConv over ours, for the output and both gradients, two threads of a Xeon. With
// AVX-512: 64 channels of 56 x 56 pixels 1.9, 2.2, 2.0; 128 of 28 x 28 1.6, 1.8, 2.0; 256 of
// 14 x 14 1.2, 1.2, 1.6. With AVX2: 2.4, 2.0, 2.6; 2.0, 1.7, 2.3; 1.5, 1.3, 2.1. With 16 channels
// 0.9 to 1.1.
bool WinogradIsFaster(ConvDirection direction, const ConvSizes& s) {
  constexpr int64_t kFewestChannels = 32, kMostInRow = 128, kFewestTiles = 48;
  constexpr int64_t kFiltersForTile = 2048;  // each tile pays for the transform of so many
  constexpr double kMostWaste = 1.5;         // outputs of all tiles for one that counts
  if (s.volume || s.groups != 1 || s.channels_first) return false;
  for (const Window* w : {&s.height, &s.width}) {
    if (w->kernel != kWindow || w->stride != 1 || w->dilation != 1) return false;
  }
  for (int64_t channels : {s.in_channels, s.out_channels}) {
    if (channels < kFewestChannels || channels % kChannelStep != 0) return false;
  }
  const bool to_source = direction == ConvDirection::kBackpropInput;
  const Tiles tiles{s.batch, to_source ? s.height.in : s.height.out,
                    to_source ? s.width.in : s.width.out};
  const int64_t count = tiles.rows() * tiles.in_row();
  return count >= kFewestTiles && count * kFiltersForTile >= s.in_channels * s.out_channels &&
         tiles.in_row() <= kMostInRow &&
         1.0 * count * kTile * kTile <= kMostWaste * s.batch * tiles.height * tiles.width &&
         IsEnabled();
}

absl::Status WinogradConv(KernelContext& ctx, ConvDirection direction, const ConvSizes& sizes,
                          const float* a, const float* b, float* out, const FinishRows* finish) {
  return Winograd(ctx, direction, sizes).Run(a, b, out, finish);
}

}  // namespace sluice::kernels
