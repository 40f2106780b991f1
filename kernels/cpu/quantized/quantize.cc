// SPDX-License-Identifier: Apache-2.0
// Converts floats to quantised integers and back.
#include "kernels/cpu/quantized/quantize.h"

#include "core/runtime/kernel_registry.h"
#include "kernels/common/axis.h"
#include "kernels/common/round_each.h"
#include "kernels/cpu/quantized/level_range.h"
#include "kernels/cpu/quantized/register.h"

namespace sluice::kernels {
namespace {

enum class Mode { kMinCombined, kMinFirst, kScaled };

// The attributes common to QuantizeV2 and Dequantize.
struct Options {
  Mode mode;
  bool narrow;
  int64_t axis;  // a range for each index along it; -1: one range

  static absl::StatusOr<Options> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const std::string mode, node.Get<std::string>("mode"));
    const Mode how = mode == "MIN_COMBINED" ? Mode::kMinCombined
                     : mode == "MIN_FIRST"  ? Mode::kMinFirst
                                            : Mode::kScaled;
    const auto axis = GetAttrOr<int64_t>(node.attrs, "axis", -1);
    if (axis < -1) return InvalidArgument("axis must be at least -1, got ", axis);
    return Options{how, GetAttrOr(node.attrs, "narrow_range", false), axis};
  }
  absl::StatusOr<AxisView> View(const Tensor& x, const Tensor& min, const Tensor& max) const {
    if (axis >= x.rank())
      return InvalidArgument("Axis must be less than input dimension, got ", axis, " for ",
                             x.shape());
    AxisView view(Shape{1, x.num_elements()}, 0);
    if (axis >= 0) view = AxisView(x.shape(), static_cast<int>(axis));
    for (const Tensor* t : {&min, &max}) {
      if (t->num_elements() != view.size || t->rank() > 1)
        return InvalidArgument("the range must have ", view.size, " elements, got ", t->shape());
    }
    return view;
  }
};

// Calls fn(range number, offset, n) for the pieces of a tensor that have one range.
template <typename Fn>
void ForEachPiece(const AxisView& view, Fn fn) {
  for (int64_t o = 0; o < view.outer; ++o) {
    for (int64_t k = 0; k < view.size; ++k) fn(k, (o * view.size + k) * view.inner, view.inner);
  }
}

float RoundHalfAway(float x) { return std::round(x); }
float RoundHalfToEven(float x) { return std::nearbyint(x); }

template <typename Q>
struct Quantizer {
  using L = QuantizedLimits<Q>;
  Options options;
  float (*round)(float);

  // Quantises n floats of the range [min, max], which becomes the result's range.
  void Run(const float* x, int64_t n, float& min, float& max, Q* out) const {
    switch (options.mode) {
      case Mode::kMinCombined:
        return MinCombined(x, n, min, max, out);
      case Mode::kMinFirst:
        return MinFirst(x, n, min, max, out);
      case Mode::kScaled:
        return Scaled(x, n, min, max, out);
    }
  }

 private:
  static void MinCombined(const float* x, int64_t n, float min, float max, Q* out) {
    const auto scale = static_cast<float>((L::kHighest - L::kLowest) / (max - min));
    const auto half = static_cast<float>(L::kSigned ? (L::kHighest - L::kLowest + 1) / 2 : 0);
    for (int64_t i = 0; i < n; ++i) {
      const float level = (std::max(std::min(x[i], max), min) - min) * scale;
      out[i] = SaturatedLevel<Q>(L::kSigned ? std::round(level - half) : std::trunc(level + 0.5f));
    }
  }
  static void MinFirst(const float* x, int64_t n, float min, float max, Q* out) {
    const LevelOfFloat<Q> level(min, max);
    for (int64_t i = 0; i < n; ++i) out[i] = level(x[i]);
  }
  void Scaled(const float* x, int64_t n, float& min, float& max, Q* out) const {
    const auto lowest = static_cast<float>(L::kLowest + (options.narrow ? 1 : 0));
    const auto highest = static_cast<float>(L::kHighest);
    constexpr float kMost = std::numeric_limits<float>::max();
    const float scale = std::min(lowest * min > 0 ? lowest / min : kMost,
                                 highest * max > 0 ? highest / max : kMost);
    min = lowest / scale;
    max = highest / scale;
    for (int64_t i = 0; i < n; ++i)
      out[i] = SaturatedLevel<Q>(round(std::max(std::min(x[i], max), min) * scale));
  }
};

struct QuantizeV2 {
  Options options;
  bool half_to_even;
  float least_range;

  static absl::StatusOr<QuantizeV2> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const Options options, Options::Create(node));
    SLUICE_ASSIGN(const std::string round, node.Get<std::string>("round_mode"));
    const bool to_even = round == "HALF_TO_EVEN";
    if (to_even && options.mode != Mode::kScaled)
      return InvalidArgument("Round mode 'HALF_TO_EVEN' only supported for mode 'SCALED', ",
                             "but mode is '",
                             options.mode == Mode::kMinFirst ? "MIN_FIRST" : "MIN_COMBINED", "'.");
    return QuantizeV2{options, to_even, GetAttrOr(node.attrs, "ensure_minimum_range", 0.01f)};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& x = ctx.input(0);
    SLUICE_ASSIGN(const AxisView view, options.View(x, ctx.input(1), ctx.input(2)));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, x.shape()));
    const Shape ends = options.axis < 0 ? Shape{} : Shape{view.size};
    SLUICE_ASSIGN(Tensor * out_min, ctx.AllocateOutput(1, ends));
    SLUICE_ASSIGN(Tensor * out_max, ctx.AllocateOutput(2, ends));
    std::vector<float> mins(view.size), maxs(view.size);
    for (int64_t k = 0; k < view.size; ++k) {
      const float min = ctx.input(1).data<float>()[k], max = ctx.input(2).data<float>()[k];
      if (!(min <= max))
        return InvalidArgument("input_max_range must be larger than input_min_range.");
      mins[k] = std::min(0.0f, min);
      // The range is widened if levels would be too close to each other.
      const float epsilon = std::max(1.0f, std::max(std::abs(min), std::abs(max))) * least_range;
      maxs[k] = std::max(0.0f, std::max(max, mins[k] + epsilon));
      out_min->mutable_data<float>()[k] = mins[k];
      out_max->mutable_data<float>()[k] = maxs[k];
    }
    return VisitDType(QuantizedTypes{}, out->dtype(), [&]<typename Q>(Type<Q>) {
      const Quantizer<Q> quantizer{options, half_to_even ? &RoundHalfToEven : &RoundHalfAway};
      ForEachPiece(view, [&](int64_t k, int64_t offset, int64_t n) {
        float min = mins[k], max = maxs[k];
        quantizer.Run(x.data<float>() + offset, n, min, max, out->mutable_data<Q>() + offset);
        out_min->mutable_data<float>()[k] = min;
        out_max->mutable_data<float>()[k] = max;
      });
      return absl::OkStatus();
    });
  }
};

struct Dequantize {
  Options options;

  static absl::StatusOr<Dequantize> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const Options options, Options::Create(node));
    if (GetAttrOr(node.attrs, "dtype", kFloat) == kBfloat16 && options.mode != Mode::kMinCombined) {
      return InvalidArgument("When output type is bfloat16, Mode string must be 'MIN_COMBINED', ",
                             "is '", options.mode == Mode::kMinFirst ? "MIN_FIRST" : "SCALED", "'");
    }
    return Dequantize{options};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& x = ctx.input(0);
    SLUICE_ASSIGN(const AxisView view, options.View(x, ctx.input(1), ctx.input(2)));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, x.shape()));
    return VisitDType(QuantizedTypes{}, x.dtype(), [&]<typename Q>(Type<Q>) {
      return VisitDType(TypeList<float, Bfloat16>{}, out->dtype(), [&]<typename T>(Type<T>) {
        ForEachPiece(view, [&](int64_t k, int64_t offset, int64_t n) {
          const Line line = LineOf<Q>(ctx.input(1).data<float>()[k], ctx.input(2).data<float>()[k]);
          for (int64_t i = offset; i < offset + n; ++i) {
            const auto level = static_cast<float>(x.data<Q>()[i].value);
            out->mutable_data<T>()[i] = T((level + line.shift) * line.scale + line.offset);
          }
        });
        return absl::OkStatus();
      });
    });
  }

 private:
  // (level + shift) * scale + offset
  struct Line {
    float shift, scale, offset;
  };

  template <typename Q>
  Line LineOf(float min, float max) const {
    using L = QuantizedLimits<Q>;
    if (options.mode == Mode::kMinCombined) {
      const auto half = static_cast<float>(L::kSigned ? (L::kHighest - L::kLowest + 1) / 2 : 0);
      return {half, (max - min) / static_cast<float>(L::kHighest - L::kLowest), min};
    }
    if (options.mode == Mode::kMinFirst) {
      const FloatOfLevel<Q> value(min, max);
      return {0, value.scale, value.offset};
    }
    const auto least = static_cast<float>(L::kLowest + (options.narrow ? 1 : 0));
    const float from_max = max / static_cast<float>(L::kHighest);
    return {0, least == 0 ? from_max : std::max(min / least, from_max), 0};
  }
};

// Reads one number of a range input.
absl::StatusOr<float> RangeEnd(const KernelContext& ctx, int input) {
  static constexpr const char* kNames[] = {"input", "input_min", "input_max",
                                           "requested_output_min", "requested_output_max"};
  if (ctx.input(input).rank() != 0)
    return InvalidArgument("`", kNames[input], "` must be rank 0 but is rank ",
                           ctx.input(input).rank());
  return *ctx.input(input).data<float>();
}

// The range that the levels of a tensor really use, extended to zero.
struct UsedRange {
  float min, max;

  template <typename Q>
  static UsedRange Of(absl::Span<const Q> levels, float min, float max) {
    if (levels.empty()) return {0, 0};
    const auto [low, high] = std::minmax_element(levels.begin(), levels.end(),
                                                 [](Q a, Q b) { return a.value < b.value; });
    return {std::min(0.0f, LevelToFloat(*low, min, max)), LevelToFloat(*high, min, max)};
  }
};

// Computes quint8 levels from 32-bit levels in fixed point, as TensorFlow does.
void RequantizeFixedPoint(absl::Span<const Qint32> x, float min, float max, float out_min,
                          float out_max, Quint8* out) {
  constexpr int kShift = 16;
  constexpr double kOne = 1 << kShift;
  const float in_range = max - min, out_range = out_max - out_min;
  const auto fixed = [&](double value) {
    return out_range == 0 || !(std::abs(value) < 2e18) ? 0 : static_cast<int64_t>(value);
  };
  const int64_t scale = fixed(255.0 * kOne * in_range / out_range);
  const float middle = static_cast<float>((min + max) / 2.0);
  const float per_unit = out_range == 0 ? 0.0f : static_cast<float>(255.0 / out_range);
  const int64_t in_offset = fixed(middle * per_unit * static_cast<float>(kOne));
  const int64_t out_offset = fixed(kOne * (out_min * 255.0) / out_range);
  for (size_t i = 0; i < x.size(); ++i) {
    const auto product = static_cast<__int128>(x[i].value) * scale;
    const int64_t level = static_cast<int64_t>(product >> 32) + in_offset - out_offset;
    out[i] = Quint8{static_cast<uint8_t>(
        std::clamp<int64_t>((level + (int64_t{1} << (kShift - 1))) >> kShift, 0, 255))};
  }
}

absl::Status RequantizeInto(const Tensor& x, float min, float max, float out_min, float out_max,
                            Tensor& out) {
  return VisitDType(QuantizedTypes{}, x.dtype(), [&]<typename From>(Type<From>) {
    return VisitDType(QuantizedTypes{}, out.dtype(), [&]<typename To>(Type<To>) {
      if constexpr (std::is_same_v<From, Qint32> && std::is_same_v<To, Quint8>) {
        RequantizeFixedPoint(x.flat<From>(), min, max, out_min, out_max, out.mutable_data<To>());
      } else {
        To* to = out.mutable_data<To>();
        for (From level : x.flat<From>())
          *to++ = FloatToLevel<To>(LevelToFloat(level, min, max), out_min, out_max);
      }
      return absl::OkStatus();
    });
  });
}

struct RequantizationRange {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const LevelRange range, LevelRange::Read(ctx, 1));
    return VisitDType(QuantizedTypes{}, ctx.input(0).dtype(), [&]<typename Q>(Type<Q>) {
      const UsedRange used = UsedRange::Of(ctx.input(0).flat<Q>(), range.min, range.max);
      ctx.SetOutput(0, Tensor::Scalar(used.min));
      ctx.SetOutput(1, Tensor::Scalar(used.max));
      return absl::OkStatus();
    });
  }
};

struct QuantizeDownAndShrinkRange {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& x = ctx.input(0);
    SLUICE_ASSIGN(const float min, RangeEnd(ctx, 1));
    SLUICE_ASSIGN(const float max, RangeEnd(ctx, 2));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, x.shape()));
    UsedRange used{};
    SLUICE_RETURN_IF_ERROR(VisitDType(QuantizedTypes{}, x.dtype(), [&]<typename Q>(Type<Q>) {
      used = UsedRange::Of(x.flat<Q>(), min, max);
      return absl::OkStatus();
    }));
    ctx.SetOutput(1, Tensor::Scalar(used.min));
    ctx.SetOutput(2, Tensor::Scalar(used.max));
    return RequantizeInto(x, min, max, used.min, used.max, *out);
  }
};

struct Requantize {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const float min, RangeEnd(ctx, 1));
    SLUICE_ASSIGN(const float max, RangeEnd(ctx, 2));
    SLUICE_ASSIGN(const float out_min, RangeEnd(ctx, 3));
    SLUICE_ASSIGN(const float out_max, RangeEnd(ctx, 4));
    if (!(out_min <= 0.0f))
      return InvalidArgument("requested_output_min must be <= 0, but got ", out_min);
    if (!(out_max >= out_min)) {
      return InvalidArgument("requested_output_max must be >= requested_output_min, but got ",
                             out_max, " and ", out_min);
    }
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, ctx.input(0).shape()));
    ctx.SetOutput(1, Tensor::Scalar(out_min));
    ctx.SetOutput(2, Tensor::Scalar(out_max));
    return RequantizeInto(ctx.input(0), min, max, out_min, out_max, *out);
  }
};

}  // namespace

void RegisterQuantize(KernelRegistry& kernels) {
  kernels.Add<QuantizeV2>("QuantizeV2", kCpu, {{"T", kQuantized}});
  kernels.Add<Dequantize>("Dequantize", kCpu, {{"T", kQuantized}, {"dtype", {kFloat, kBfloat16}}});
  kernels.Add<RequantizationRange>("RequantizationRange", kCpu, {{"Tinput", kQuantized}});
  const std::vector<TypeConstraint> narrower{{"Tinput", kQuantized}, {"out_type", kQuantized}};
  kernels.Add<QuantizeDownAndShrinkRange>("QuantizeDownAndShrinkRange", kCpu, narrower);
  kernels.Add<Requantize>("Requantize", kCpu, narrower);
}

}  // namespace sluice::kernels
