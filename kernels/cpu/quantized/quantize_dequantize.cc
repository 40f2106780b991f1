// SPDX-License-Identifier: Apache-2.0
// QuantizeAndDequantize: floats are rounded to the levels of an integer; zero is a level.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/runtime/kernel_registry.h"
#include "kernels/common/axis.h"
#include "kernels/common/round_each.h"
#include "kernels/cpu/quantized/register.h"

namespace sluice::kernels {
namespace {

struct Rule {
  bool is_signed, narrow, clamp, half_to_even;
  int64_t bits;
};

// Rounds the elements that ForEach visits, whose range is [min, max].
template <typename T>
struct Rounder {
  T scale, inverse, min, max;
  Rule rule;

  static Rounder Of(T min, T max, const Rule& rule) {
    const int64_t span = int64_t{1} << (rule.bits - (rule.is_signed ? 1 : 0));
    const auto lowest = static_cast<T>(rule.is_signed ? -span + (rule.narrow ? 1 : 0) : 0);
    const auto highest = static_cast<T>(span - 1);
    constexpr T kMost = std::numeric_limits<T>::max();
    const T from_min = lowest * min > 0 ? lowest / min : kMost,
            from_max = highest * max > 0 ? highest / max : kMost;
    // The side with the smaller scale decides, so that neither side overflows.
    if (from_min < from_max) {
      const T inverse = min / lowest;
      return {from_min, inverse, min, highest * inverse, rule};
    }
    const T inverse = max / highest;
    return {from_max, inverse, lowest * inverse, max, rule};
  }
  T operator()(T x) const {
    if (rule.clamp) x = std::max(std::min(x, max), min);
    const T level = rule.half_to_even ? std::nearbyint(x * scale) : std::floor(x * scale + T(0.5));
    return level * inverse;
  }
};

struct QuantizeAndDequantize {
  Rule rule;
  int64_t axis;
  int version;
  float min, max;  // version 1

  static absl::StatusOr<QuantizeAndDequantize> Create(const NodeSpec& node) {
    QuantizeAndDequantize made{};
    made.version = static_cast<int>(node.input_types.size()) - 1;
    if (made.version == 0) made.version = 1;
    SLUICE_ASSIGN(made.rule.is_signed, node.Get<bool>("signed_input"));
    SLUICE_ASSIGN(made.rule.clamp, node.Get<bool>("range_given"));
    made.rule.narrow = GetAttrOr(node.attrs, "narrow_range", false);
    made.rule.half_to_even =
        GetAttrOr(node.attrs, "round_mode", std::string("HALF_TO_EVEN")) == "HALF_TO_EVEN";
    made.rule.bits = GetAttrOr<int64_t>(node.attrs, "num_bits", 8);
    made.axis = GetAttrOr<int64_t>(node.attrs, "axis", -1);
    made.min = GetAttrOr(node.attrs, "input_min", 0.0f);
    made.max = GetAttrOr(node.attrs, "input_max", 0.0f);
    SLUICE_RETURN_IF_ERROR(CheckBits(made.rule));
    if (made.version == 1 && made.rule.clamp && !(made.min <= made.max))
      return InvalidArgument("Invalid range: input_min ", made.min, " > input_max ", made.max);
    if (made.axis < -1) return InvalidArgument("Axis should be at least -1, got ", made.axis);
    return made;
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& x = ctx.input(0);
    Rule now = rule;
    if (version == 3) {
      if (ctx.input(3).rank() != 0) {
        return InvalidArgument("Invalid shape. The `num_bits` tensor should be a scalar. ",
                               "Got dimensions: ", ctx.input(3).rank());
      }
      SLUICE_ASSIGN(now.bits, IntScalar(ctx.input(3)));
      SLUICE_RETURN_IF_ERROR(CheckBits(now));
    }
    if (axis >= x.rank())
      return InvalidArgument("Axis should be less than the rank, got ", axis, " for ", x.shape());
    AxisView view(Shape{1, x.num_elements()}, 0);
    if (axis >= 0) view = AxisView(x.shape(), static_cast<int>(axis));
    for (int i = 1; version > 1 && rule.clamp && i <= 2; ++i) {
      if (axis >= 0 && ctx.input(i).rank() != 1) {
        return InvalidArgument("Shape must be rank 1 for input_", i == 1 ? "min" : "max",
                               "_tensor when the axis is specified");
      }
      if (ctx.input(i).num_elements() != view.size)
        return InvalidArgument("the range must have ", view.size, " elements, got shape ",
                               ctx.input(i).shape());
    }
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, x.shape()));
    // A common range is checked even if there is nothing to round.
    if (x.num_elements() == 0 && axis >= 0) return absl::OkStatus();
    return VisitDType(TypeList<float, double>{}, x.dtype(), [&]<typename T>(Type<T>) {
      for (int64_t k = 0; k < view.size; ++k) {
        T low = min, high = max;
        if (!rule.clamp) {
          UsedRange(x.data<T>(), view, k, low, high);
        } else if (version > 1) {
          low = ctx.input(1).data<T>()[k];
          high = ctx.input(2).data<T>()[k];
          if (!(low <= high))
            return InvalidArgument("Invalid range: input_min ", low, " > input_max ", high);
        }
        Round(ctx.pool(), Rounder<T>::Of(low, high, now), view, k, x.data<T>(),
              out->mutable_data<T>());
      }
      return absl::OkStatus();
    });
  }

 private:
  static absl::Status CheckBits(const Rule& rule) {
    if (rule.bits > 0 && rule.bits < (rule.is_signed ? 62 : 63)) return absl::OkStatus();
    return InvalidArgument("num_bits is out of range: ", rule.bits, " with signed_input_ ",
                           int{rule.is_signed});
  }

  template <typename T>
  static void UsedRange(const T* x, const AxisView& view, int64_t k, T& low, T& high) {
    low = std::numeric_limits<T>::infinity();
    high = -low;
    for (int64_t o = 0; o < view.outer; ++o) {
      const T* from = x + (o * view.size + k) * view.inner;
      for (int64_t i = 0; i < view.inner; ++i) {
        low = from[i] < low ? from[i] : low;
        high = from[i] > high ? from[i] : high;
      }
    }
  }
  template <typename T>
  static void Round(WorkQueue* pool, const Rounder<T>& round, const AxisView& view, int64_t k,
                    const T* x, T* out) {
    for (int64_t o = 0; o < view.outer; ++o) {
      const int64_t offset = (o * view.size + k) * view.inner;
      ParallelFor(pool, view.inner, 2, [&](int64_t begin, int64_t end) {
        for (int64_t i = offset + begin; i < offset + end; ++i) out[i] = round(x[i]);
      });
    }
  }
};

// The gradient of V4: it passes where the input is in the range. None flows to the range, as in
// TensorFlow.
struct QuantizeAndDequantizeGrad {
  int64_t axis;

  static absl::StatusOr<QuantizeAndDequantizeGrad> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const int64_t axis, node.Get<int64_t>("axis"));
    if (axis < -1) return InvalidArgument("Axis must be at least -1. Found ", axis);
    return QuantizeAndDequantizeGrad{axis};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor &gradient = ctx.input(0), &x = ctx.input(1);
    if (gradient.shape() != x.shape())
      return InvalidArgument("gradient and input must be the same size");
    if (axis >= x.rank()) {
      return InvalidArgument("Axis should be -1 or 0 or a positive value less than ", x.rank(),
                             " but given axis value was ", axis);
    }
    AxisView view(Shape{1, x.num_elements()}, 0);
    if (axis >= 0) view = AxisView(x.shape(), static_cast<int>(axis));
    for (int i = 2; i < 4; ++i) {
      SLUICE_RETURN_IF_ERROR(CheckEnd(ctx.input(i), i == 2 ? "min" : "max", view.size));
      SLUICE_ASSIGN(Tensor * end, ctx.AllocateOutput(i - 1, ctx.input(i).shape()));
      std::memset(end->raw(), 0, end->bytes());
    }
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, x.shape()));
    if (x.num_elements() == 0) return absl::OkStatus();
    return VisitDType(TypeList<float, double>{}, x.dtype(), [&]<typename T>(Type<T>) {
      for (int64_t i = 0; i < x.num_elements(); ++i) {
        const int64_t k = i / view.inner % view.size;
        const T value = x.data<T>()[i];
        const bool within =
            value >= ctx.input(2).data<T>()[k] && value <= ctx.input(3).data<T>()[k];
        out->mutable_data<T>()[i] = within ? gradient.data<T>()[i] : T(0);
      }
      return absl::OkStatus();
    });
  }

 private:
  absl::Status CheckEnd(const Tensor& end, absl::string_view name, int64_t size) const {
    if (end.rank() > 1) {
      return InvalidArgument("Input ", name, " tensor must have dimension 0 or 1. Received ",
                             end.rank(), ".");
    }
    if (axis < 0 && end.rank() != 0)
      return InvalidArgument("input_", name, " must be a scalar if axis is unspecified");
    if (end.num_elements() == size) return absl::OkStatus();
    return InvalidArgument(name, " has incorrect size, expected ", size, " was ",
                           end.num_elements());
  }
};

}  // namespace

void RegisterQuantizeAndDequantize(KernelRegistry& kernels) {
  for (const char* op : {"QuantizeAndDequantize", "QuantizeAndDequantizeV2",
                         "QuantizeAndDequantizeV3", "QuantizeAndDequantizeV4"})
    kernels.Add<QuantizeAndDequantize>(op, kCpu, {{"T", {kFloat, kDouble}}});
  kernels.Add<QuantizeAndDequantizeGrad>("QuantizeAndDequantizeV4Grad", kCpu,
                                         {{"T", {kFloat, kDouble}}});
}

}  // namespace sluice::kernels
