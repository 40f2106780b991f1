// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/nn/conv/parts.h"

#include <algorithm>

namespace sluice::kernels {
namespace {

// Rows [begin, end) of the output, as a convolution of the rows that they cover. Its window's `in`
// is not above 0 if they cover only padding.
Window BandOf(const Window& w, int64_t begin, int64_t end, int64_t* first_row) {
  const int64_t from = w.begin(begin), to = w.begin(end - 1) + (w.kernel - 1) * w.dilation + 1;
  Window band = w;
  *first_row = std::max<int64_t>(from, 0);
  band.in = std::min(to, w.in) - *first_row;
  band.pad_before = *first_row - from;
  band.pad_after = std::max<int64_t>(to - w.in, 0);
  band.out = end - begin;
  return band;
}

// The bands of one image, or of the planes of one volume; empty if there can be none. Rows are
// contiguous in memory: channels are last.
std::vector<ConvPart> Bands(const ConvSizes& s, int64_t count) {
  std::vector<ConvPart> bands;
  Window ConvSizes::*const cut = s.volume ? &ConvSizes::planes : &ConvSizes::height;
  const Window& rows = s.*cut;
  const int64_t in_row = s.width.in * s.in_channels * (s.volume ? s.height.in : 1);
  const int64_t out_row = s.width.out * s.out_channels * (s.volume ? s.height.out : 1);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t begin = rows.out * i / count, end = rows.out * (i + 1) / count;
    if (begin == end) continue;
    ConvPart band{.sizes = s, .is_band = true};
    band.sizes.batch = 1;
    int64_t first_row;
    band.sizes.*cut = BandOf(rows, begin, end, &first_row);
    if ((band.sizes.*cut).in <= 0) return {};
    band.source = first_row * in_row;
    band.destination = begin * out_row;
    bands.push_back(std::move(band));
  }
  return bands;
}

}  // namespace

int64_t ConvPartsWorth(const WorkQueue* pool, const ConvSizes& s) {
  constexpr double kPerPart = 50.0 * 20000;  // multiplications in 20 us
  constexpr double kLongest = 50.0 * 200e6;  // in 200 ms: a cancelled step ends between parts
  constexpr double kMost = 1000;
  const int64_t threads = pool == nullptr ? 1 : pool->num_threads();
  const double all = s.multiplications();
  return std::max(std::clamp<int64_t>(static_cast<int64_t>(all / kPerPart), 1, threads),
                  static_cast<int64_t>(std::min(all / kLongest, kMost)));
}

std::vector<ConvPart> CutConv(const ConvSizes& s, int64_t parts) {
  std::vector<ConvPart> cut;
  if (parts > s.batch && !s.channels_first) {
    const std::vector<ConvPart> bands = Bands(s, (parts + s.batch - 1) / s.batch);
    for (int64_t image = 0; image < s.batch && bands.size() > 1; ++image) {
      for (ConvPart band : bands) {
        band.source += image * s.source_size();
        band.destination += image * s.destination_size();
        cut.push_back(std::move(band));
      }
    }
    if (!cut.empty()) return cut;
  }
  parts = std::min(parts, s.batch);
  const int64_t most = (s.batch + parts - 1) / parts;
  for (int64_t image = 0; image < s.batch; image += most) {
    ConvPart part{
        .sizes = s, .source = image * s.source_size(), .destination = image * s.destination_size()};
    part.sizes.batch = std::min(most, s.batch - image);
    cut.push_back(std::move(part));
  }
  return cut;
}

}  // namespace sluice::kernels
