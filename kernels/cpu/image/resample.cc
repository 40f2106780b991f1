// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/image/resample.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "kernels/common/round_each.h"

namespace sluice::kernels {

void Filter::Add(int64_t start, absl::Span<const float> weights) {
  const auto clamped = [&](int64_t i) { return std::clamp<int64_t>(i, 0, inputs_ - 1); };
  const int64_t count = static_cast<int64_t>(weights.size());
  starts_.push_back(count == 0 ? 0 : clamped(start));
  const int64_t size = count == 0 ? 0 : clamped(start + count - 1) - starts_.back() + 1;
  const auto begin = static_cast<int64_t>(weights_.size());
  weights_.resize(begin + size);
  for (int64_t i = 0; i < count; ++i) {
    weights_[begin + clamped(start + i) - starts_.back()] += weights[i];
  }
  offsets_.push_back(begin + size);
  widest_ = std::max(widest_, size);
}

Filter Filter::Transposed() const {
  struct Range {
    int64_t begin = std::numeric_limits<int64_t>::max(), end = 0;
  };
  std::vector<Range> ranges(inputs_);
  for (int64_t o = 0; o < outputs(); ++o) {
    const Span s = span(o);
    for (int64_t i = s.start; i < s.start + s.size; ++i) {
      ranges[i] = {std::min(ranges[i].begin, o), o + 1};
    }
  }
  Filter back(outputs());
  std::vector<float> weights;
  for (int64_t i = 0; i < inputs_; ++i) {
    weights.clear();
    for (int64_t o = ranges[i].begin; o < ranges[i].end; ++o) {
      const Span s = span(o);
      const bool reads = i >= s.start && i < s.start + s.size;
      weights.push_back(reads ? s.weights[i - s.start] : 0.0F);
    }
    back.Add(weights.empty() ? 0 : ranges[i].begin, weights);
  }
  return back;
}

Filter BilinearFilter(int64_t in, int64_t out, const ResizeScale& scale) {
  Filter filter(in);
  for (int64_t i = 0; i < out; ++i) {
    const float at = scale(i), below = std::floor(at), part = at - below;
    if (part == 0) {
      filter.Add(static_cast<int64_t>(below), {1.0F});
    } else {
      filter.Add(static_cast<int64_t>(below), {1 - part, part});
    }
  }
  return filter;
}

namespace {

constexpr int64_t kSteps = 1024;  // positions between pixels are rounded to 1 / kSteps

// The cubic kernel at distance x < 1, and at 1 + x.
float Near(float a, float x) { return ((a + 2) * x - (a + 3)) * x * x + 1; }
float Far(float a, float x) {
  x += 1;
  return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
}

}  // namespace

Filter BicubicFilter(int64_t in, int64_t out, const ResizeScale& scale) {
  const float a = scale.half_pixel_centers ? -0.5F : -0.75F;
  Filter filter(in);
  for (int64_t i = 0; i < out; ++i) {
    const float at = scale(i), below = std::floor(at);
    const float x = static_cast<float>(std::lrint((at - below) * kSteps)) / kSteps;
    std::array<float, 4> weights = {Far(a, x), Near(a, x), Near(a, 1 - x), Far(a, 1 - x)};
    const int64_t start = static_cast<int64_t>(below) - 1;
    if (scale.half_pixel_centers) {
      float sum = 0;
      for (int k = 0; k < 4; ++k) {
        if (start + k < 0 || start + k >= in) weights[k] = 0;
        sum += weights[k];
      }
      if (std::abs(sum) >= 1000 * std::numeric_limits<float>::min()) {
        for (float& w : weights) w *= 1 / sum;
      }
    }
    filter.Add(start, weights);
  }
  return filter;
}

Filter AreaFilter(int64_t in, int64_t out, const ResizeScale& scale) {
  Filter filter(in);
  std::vector<float> weights;
  for (int64_t i = 0; i < out; ++i) {
    const float begin = static_cast<float>(i) * scale.scale;
    const float end = static_cast<float>(i + 1) * scale.scale;
    const auto first = static_cast<int64_t>(std::floor(begin));
    weights.clear();
    if (scale.scale == 0) weights.push_back(1);  // one pixel, with aligned corners
    for (int64_t j = first; j < static_cast<int64_t>(std::ceil(end)); ++j) {
      const auto left = static_cast<float>(j), right = static_cast<float>(j + 1);
      const float covered = left < begin ? (right > end ? scale.scale : right - begin)
                                         : (right > end ? end - left : 1.0F);
      weights.push_back(covered / scale.scale);
    }
    filter.Add(first, weights);
  }
  return filter;
}

namespace {

using ReadFloats = void (*)(const void* from, int64_t offset, int64_t n, float* to);

template <typename T>
void ReadAs(const void* from, int64_t offset, int64_t n, float* to) {
  const T* values = static_cast<const T*>(from) + offset;
  for (int64_t i = 0; i < n; ++i) to[i] = static_cast<float>(values[i]);
}

// A filter for short pixels, with one entry for each number of the result: tap t of number j reads
// numbers[at[t * size + j]].
struct Taps {
  int64_t size = 0, count = 0;
  std::vector<int32_t> at;
  std::vector<float> weights;

  static constexpr int64_t kMaxChannels = 7, kMaxSize = 1 << 16, kMaxTaps = 6;

  // Empty if pixels or the filter are long.
  Taps(const Filter& filter, int64_t channels) {
    if (channels > kMaxChannels || filter.widest() > kMaxTaps || filter.widest() == 0) return;
    if (filter.outputs() * channels > kMaxSize || filter.inputs() > kMaxSize) return;
    for (int64_t x = 0; x < filter.outputs(); ++x) {
      if (filter.span(x).size == 0) return;
    }
    size = filter.outputs() * channels;
    count = filter.widest();
    at.resize(count * size);
    weights.resize(count * size);
    for (int64_t x = 0; x < filter.outputs(); ++x) Fill(filter.span(x), x * channels, channels);
  }

  void Run(const float* from, float* to) const {
    const int32_t* index = at.data();
    const float* weight = weights.data();
#pragma GCC ivdep
    for (int64_t j = 0; j < size; ++j) to[j] = weight[j] * from[index[j]];
    for (int64_t t = 1; t < count; ++t) {
      index += size;
      weight += size;
#pragma GCC ivdep
      for (int64_t j = 0; j < size; ++j) to[j] += weight[j] * from[index[j]];
    }
  }

 private:
  // An output with fewer taps spreads the last weight over the missing ones, so that no other input
  // is read.
  void Fill(const Filter::Span& span, int64_t first, int64_t channels) {
    float left = span.weights[span.size - 1];
    for (int64_t t = 0; t < count; ++t) {
      const int64_t i = std::min(t, span.size - 1);
      float weight = span.weights[i];
      if (i == span.size - 1) {
        weight = t == count - 1 ? left : left / 2;
        left -= weight;
      }
      for (int64_t c = 0; c < channels; ++c) {
        at[t * size + first + c] = static_cast<int32_t>((span.start + i) * channels + c);
        weights[t * size + first + c] = weight;
      }
    }
  }
};

// Filters rows one by one, and keeps those that the next rows of the result read again.
class RowCache {
 public:
  RowCache(const Tensor& images, ReadFloats read, const Filter& columns, const Taps& taps,
           int64_t rows)
      : images_(images),
        read_(read),
        columns_(columns),
        taps_(taps),
        channels_(images.dim(3)),
        kept_(rows, -1),
        rows_(rows * columns.outputs() * channels_),
        plain_(images.dim(2) * channels_) {}

  // `row` counts the rows of all images.
  const float* Get(int64_t row) {
    const int64_t slot = row % static_cast<int64_t>(kept_.size());
    const int64_t size = columns_.outputs() * channels_;
    float* const to = rows_.data() + slot * size;
    if (kept_[slot] != row) Fill(row, to);
    kept_[slot] = row;
    return to;
  }

 private:
  void Fill(int64_t row, float* to) {
    const int64_t size = images_.dim(2) * channels_;
    read_(images_.raw(), row * size, size, plain_.data());
    if (taps_.count > 0) return taps_.Run(plain_.data(), to);
    for (int64_t x = 0; x < columns_.outputs(); ++x, to += channels_) {
      const Filter::Span span = columns_.span(x);
      std::fill_n(to, channels_, 0.0F);
      const float* from = plain_.data() + span.start * channels_;
      for (int64_t i = 0; i < span.size; ++i, from += channels_) {
        for (int64_t c = 0; c < channels_; ++c) to[c] += span.weights[i] * from[c];
      }
    }
  }

  const Tensor& images_;
  const ReadFloats read_;
  const Filter& columns_;
  const Taps& taps_;
  const int64_t channels_;
  std::vector<int64_t> kept_;
  std::vector<float> rows_, plain_;
};

}  // namespace

absl::Status Resample(KernelContext& ctx, const Tensor& images, const Filter& rows,
                      const Filter& columns, Tensor& out) {
  if (out.num_elements() == 0) return absl::OkStatus();
  ReadFloats read = nullptr;
  SLUICE_RETURN_IF_ERROR(VisitDType(RealTypes{}, images.dtype(), [&]<typename T>(Type<T>) {
    read = &ReadAs<T>;
    return absl::OkStatus();
  }));
  const int64_t size = columns.outputs() * images.dim(3);
  auto* const to = out.mutable_data<float>();
  // If windows are high and rows long, some rows are filtered again.
  constexpr int64_t kMaxCached = 1 << 24;
  const int64_t slots = std::clamp<int64_t>(rows.widest(), 1, 1 + kMaxCached / (1 + size));
  const double cost = 1.0 * size * static_cast<double>(rows.widest() + columns.widest());
  const Taps taps(columns, images.dim(3));
  ParallelFor(ctx.pool(), images.dim(0) * rows.outputs(), cost, [&](int64_t begin, int64_t end) {
    RowCache cache(images, read, columns, taps, slots);
    for (int64_t unit = begin; unit < end; ++unit) {
      const int64_t image = unit / rows.outputs();
      const Filter::Span span = rows.span(unit % rows.outputs());
      float* const row = to + unit * size;
      if (span.size == 0) std::fill_n(row, size, 0.0F);
      for (int64_t i = 0; i < span.size; ++i) {
        const float* from = cache.Get(image * rows.inputs() + span.start + i);
        const float weight = span.weights[i];
        if (i == 0) {
#pragma GCC ivdep
          for (int64_t x = 0; x < size; ++x) row[x] = weight * from[x];
        } else {
#pragma GCC ivdep
          for (int64_t x = 0; x < size; ++x) row[x] += weight * from[x];
        }
      }
    }
  });
  return absl::OkStatus();
}

}  // namespace sluice::kernels
