// SPDX-License-Identifier: Apache-2.0
// Non-maximum suppression: of overlapping boxes, the one with the best score is kept.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>
#include <vector>

#include "core/op/producer_version.h"
#include "core/runtime/kernel_registry.h"
#include "core/threads/cancel_scope.h"
#include "kernels/cpu/image/register.h"

namespace sluice::kernels {
namespace {

// Intersection over union of boxes (y1, x1, y2, x2), given by any two opposite corners. The result
// is rounded to T step by step. Boxes without area overlap nothing.
template <typename T>
float Overlap(const T* a, const T* b) {
  const auto round = [](float x) { return static_cast<float>(T(x)); };
  struct Box {
    float y1, x1, y2, x2;
    explicit Box(const T* p)
        : y1(std::min<float>(p[0], p[2])),
          x1(std::min<float>(p[1], p[3])),
          y2(std::max<float>(p[0], p[2])),
          x2(std::max<float>(p[1], p[3])) {}
  };
  const Box i(a), j(b);
  const float area_i = round(round(i.y2 - i.y1) * round(i.x2 - i.x1));
  const float area_j = round(round(j.y2 - j.y1) * round(j.x2 - j.x1));
  if (area_i <= 0 || area_j <= 0) return 0;
  const float height = std::max(0.0F, round(std::min(i.y2, j.y2) - std::max(i.y1, j.y1)));
  const float width = std::max(0.0F, round(std::min(i.x2, j.x2) - std::max(i.x1, j.x1)));
  const float common = round(height * width);
  // This must not be fused: it decides for scores at the threshold.
  const float both = __builtin_assoc_barrier(round(area_i + area_j)) - common;
  return round(common / round(both));
}

struct Limits {
  int64_t count = 0;  // number of boxes to select
  float overlap = 0, score = std::numeric_limits<float>::lowest();
  float sigma = 0;    // > 0: overlapping boxes lose score instead (Bodla et al. 2017)
  bool drop = false;  // boxes beyond `overlap` are dropped even so
};

struct Selected {
  std::vector<int32_t> boxes;
  std::vector<float> scores;
};

using Similarity = std::function<float(int64_t, int64_t)>;

// Selects boxes by falling score; for equal scores, the first one.
Selected Select(absl::Span<const float> scores, const Limits& limits,
                const Similarity& similarity) {
  struct Candidate {
    float score;
    int32_t box;
    size_t begin;  // selected boxes before this one are already compared
    bool operator<(const Candidate& other) const {
      return score != other.score ? score < other.score : box > other.box;
    }
  };
  std::priority_queue<Candidate> queue;
  for (size_t i = 0; i < scores.size(); ++i) {
    if (scores[i] > limits.score) queue.push({scores[i], static_cast<int32_t>(i), 0});
  }
  const bool soft = limits.sigma > 0;
  Selected selected;
  CancelPoints points(1 << 16);
  while (static_cast<int64_t>(selected.boxes.size()) < limits.count && !queue.empty()) {
    points.Pass(1 + static_cast<int64_t>(selected.boxes.size()));
    Candidate next = queue.top();
    queue.pop();
    const float before = next.score;
    bool dropped = false;
    for (size_t j = selected.boxes.size(); j-- > next.begin;) {
      const float alike = similarity(next.box, selected.boxes[j]);
      if (!soft || limits.drop) dropped = alike > limits.overlap;
      if (soft && !dropped) next.score *= std::exp(-0.5F / limits.sigma * alike * alike);
      if (dropped || next.score <= limits.score) break;
    }
    if (dropped) continue;
    next.begin = selected.boxes.size();
    if (next.score == before) {
      selected.boxes.push_back(next.box);
      selected.scores.push_back(next.score);
    } else if (next.score > limits.score) {
      queue.push(next);
    }
  }
  return selected;
}

absl::StatusOr<float> FloatScalar(const char* name, const Tensor& t) {
  if (t.rank() != 0) return InvalidArgument(name, " must be 0-D, got shape ", t.shape());
  float value = 0;
  SLUICE_RETURN_IF_ERROR(VisitDType(FloatingTypes{}, t.dtype(), [&]<typename T>(Type<T>) {
    value = static_cast<float>(t.scalar<T>());
    return absl::OkStatus();
  }));
  return value;
}

absl::StatusOr<int64_t> Int32Scalar(const char* name, const Tensor& t) {
  if (t.rank() != 0) return InvalidArgument(name, " must be 0-D, got shape ", t.shape());
  return t.scalar<int32_t>();
}

absl::StatusOr<int64_t> Count(const char* name, const Tensor& t) {
  SLUICE_ASSIGN(const int64_t count, Int32Scalar(name, t));
  if (count < 0) return InvalidArgument(name, " must be non-negative, but is ", count);
  return count;
}

absl::Status CheckOverlap(float threshold) {
  if (threshold >= 0 && threshold <= 1) return absl::OkStatus();
  return InvalidArgument("iou_threshold must be in [0, 1]");
}

std::vector<float> Floats(const Tensor& t) {
  std::vector<float> values(t.num_elements());
  (void)VisitDType(FloatingTypes{}, t.dtype(), [&]<typename T>(Type<T>) {
    std::transform(t.data<T>(), t.data<T>() + values.size(), values.begin(),
                   [](T v) { return static_cast<float>(v); });
    return absl::OkStatus();
  });
  return values;
}

// Inputs: boxes (or a matrix of overlaps), scores, max_output_size, then the thresholds of the
// version.
struct NonMaxSuppression {
  float attr_threshold = 0;
  bool threshold_is_attr = false, overlaps = false, pad = false, as_in_1x = false;

  static absl::StatusOr<NonMaxSuppression> Create(const NodeSpec& node) {
    NonMaxSuppression nms;
    nms.overlaps = node.op == "NonMaxSuppressionWithOverlaps";
    nms.pad = GetAttrOr<bool>(node.attrs, "pad_to_max_output_size", false);
    nms.threshold_is_attr = node.op == "NonMaxSuppression";
    nms.as_in_1x = IsFrom1x(node);
    if (nms.threshold_is_attr) {
      SLUICE_ASSIGN(nms.attr_threshold, node.Get<float>("iou_threshold"));
    }
    return nms;
  }

  absl::Status Check(const Tensor& boxes, const Tensor& scores) const {
    const char* name = overlaps ? "overlaps" : "boxes";
    if (boxes.rank() != 2) return InvalidArgument(name, " must be 2-D", boxes.shape());
    if (!overlaps && boxes.dim(1) != 4) return InvalidArgument("boxes must have 4 columns");
    if (overlaps && boxes.dim(1) != boxes.dim(0)) {
      return InvalidArgument("overlaps must be square", boxes.shape());
    }
    if (boxes.dim(0) > std::numeric_limits<int32_t>::max()) {
      return InvalidArgument("too many boxes: ", boxes.dim(0));
    }
    if (scores.rank() != 1) return InvalidArgument("scores must be 1-D", scores.shape());
    if (scores.dim(0) != boxes.dim(0)) return InvalidArgument("scores has incompatible shape");
    return absl::OkStatus();
  }

  absl::StatusOr<Limits> ReadLimits(const KernelContext& ctx) const {
    Limits limits;
    SLUICE_ASSIGN(limits.count, Count("max_output_size", ctx.input(2)));
    limits.overlap = attr_threshold;
    if (!threshold_is_attr) {
      SLUICE_ASSIGN(limits.overlap, FloatScalar("iou_threshold", ctx.input(3)));
    }
    if (ctx.num_inputs() > 4) {
      SLUICE_ASSIGN(limits.score, FloatScalar("score_threshold", ctx.input(4)));
    }
    if (ctx.num_inputs() > 5) {
      SLUICE_ASSIGN(limits.sigma, FloatScalar("soft_nms_sigma", ctx.input(5)));
      if (!(limits.sigma >= 0)) return InvalidArgument("soft_nms_sigma must be >= 0");
      limits.drop = as_in_1x;
    }
    return limits;
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor &boxes = ctx.input(0), &scores = ctx.input(1);
    SLUICE_ASSIGN(const Limits limits, ReadLimits(ctx));
    SLUICE_RETURN_IF_ERROR(Check(boxes, scores));
    if (!overlaps) SLUICE_RETURN_IF_ERROR(CheckOverlap(limits.overlap));
    Selected selected;
    SLUICE_RETURN_IF_ERROR(
        VisitDType(TypeList<float, Half>{}, boxes.dtype(), [&]<typename T>(Type<T>) {
          const T* data = boxes.data<T>();
          const int64_t columns = boxes.dim(1);
          const Similarity similarity = [&, this](int64_t i, int64_t j) {
            if (overlaps) return static_cast<float>(data[i * columns + j]);
            return Overlap(data + 4 * i, data + 4 * j);
          };
          selected = Select(Floats(scores), limits, similarity);
          return absl::OkStatus();
        }));
    return SetOutputs(ctx, std::move(selected), limits.count);
  }

  absl::Status SetOutputs(KernelContext& ctx, Selected selected, int64_t count) const {
    const auto valid = static_cast<int32_t>(selected.boxes.size());
    const Shape shape{pad ? count : valid};
    SLUICE_ASSIGN(Tensor * indices, ctx.AllocateOutput(0, shape));
    auto* const to = indices->mutable_data<int32_t>();
    std::fill(std::copy_n(selected.boxes.data(), valid, to), to + shape.dim(0), 0);
    if (ctx.num_outputs() == 3) {
      SLUICE_ASSIGN(Tensor * scores, ctx.AllocateOutput(1, shape));
      SLUICE_RETURN_IF_ERROR(
          VisitDType(TypeList<float, Half>{}, scores->dtype(), [&]<typename T>(Type<T>) {
            T* at = scores->mutable_data<T>();
            for (int64_t i = 0; i < shape.dim(0); ++i) {
              at[i] = T(i < valid ? selected.scores[i] : 0.0F);
            }
            return absl::OkStatus();
          }));
    }
    const int last = ctx.num_outputs() - 1;
    if (last > 0) ctx.SetOutput(last, Tensor::Scalar<int32_t>(valid));
    return absl::OkStatus();
  }
};

// Selects per class for each image of a batch, then the best of all classes.
struct CombinedNonMaxSuppression {
  bool pad_per_class, clip_boxes;

  static absl::StatusOr<CombinedNonMaxSuppression> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const bool pad_per_class, node.Get<bool>("pad_per_class"));
    SLUICE_ASSIGN(const bool clip_boxes, node.Get<bool>("clip_boxes"));
    return CombinedNonMaxSuppression{pad_per_class, clip_boxes};
  }

  struct Found {
    float score;
    int32_t of_class;
    std::array<float, 4> box;
  };

  static absl::Status Check(const Tensor& boxes, const Tensor& scores) {
    if (boxes.rank() != 4) return InvalidArgument("boxes must be 4-D", boxes.shape());
    if (scores.rank() != 3) return InvalidArgument("scores must be 3-D", scores.shape());
    if (boxes.dim(2) != 1 && boxes.dim(2) != scores.dim(2)) {
      return InvalidArgument("third dimension of boxes must be either 1 or num classes");
    }
    if (boxes.dim(3) != 4) return InvalidArgument("boxes must have 4 columns");
    if (scores.dim(0) != boxes.dim(0) || scores.dim(1) != boxes.dim(1)) {
      return InvalidArgument("scores has incompatible shape");
    }
    if (boxes.dim(1) > std::numeric_limits<int32_t>::max()) {
      return InvalidArgument("too many boxes: ", boxes.dim(1));
    }
    return absl::OkStatus();
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor &boxes = ctx.input(0), &scores = ctx.input(1);
    Limits limits;
    SLUICE_ASSIGN(limits.count, Int32Scalar("max_size_per_class", ctx.input(2)));
    SLUICE_ASSIGN(int64_t total, Int32Scalar("max_total_size", ctx.input(3)));
    if (limits.count <= 0) return InvalidArgument("max_size_per_class must be positive");
    if (total <= 0) return InvalidArgument("max_total_size must be > 0");
    SLUICE_ASSIGN(limits.overlap, FloatScalar("iou_threshold", ctx.input(4)));
    SLUICE_RETURN_IF_ERROR(CheckOverlap(limits.overlap));
    SLUICE_ASSIGN(limits.score, FloatScalar("score_threshold", ctx.input(5)));
    SLUICE_RETURN_IF_ERROR(Check(boxes, scores));
    const int64_t batch = boxes.dim(0);
    int64_t all;
    if (pad_per_class && MulFits(limits.count, scores.dim(2), &all)) total = std::min(total, all);
    SLUICE_ASSIGN(const Shape box_shape, Shape::Create({batch, total, 4}));
    SLUICE_ASSIGN(Tensor * out_boxes, ctx.AllocateOutput(0, box_shape));
    SLUICE_ASSIGN(Tensor * out_scores, ctx.AllocateOutput(1, Shape{batch, total}));
    SLUICE_ASSIGN(Tensor * out_classes, ctx.AllocateOutput(2, Shape{batch, total}));
    SLUICE_ASSIGN(Tensor * valid, ctx.AllocateOutput(3, Shape{batch}));
    for (Tensor* t : {out_boxes, out_scores, out_classes}) {
      std::fill_n(t->mutable_data<float>(), t->num_elements(), 0.0F);
    }
    const double cost = 10.0 * scores.dim(1) * scores.dim(2);
    ParallelFor(ctx.pool(), batch, cost, [&](int64_t begin, int64_t end) {
      for (int64_t n = begin; n < end; ++n) {
        const std::vector<Found> found = Best(boxes, scores, n, limits);
        const int64_t count = std::min<int64_t>(total, static_cast<int64_t>(found.size()));
        valid->mutable_data<int32_t>()[n] = static_cast<int32_t>(count);
        for (int64_t i = 0; i < count; ++i) {
          const int64_t at = n * total + i;
          out_scores->mutable_data<float>()[at] = found[i].score;
          out_classes->mutable_data<float>()[at] = static_cast<float>(found[i].of_class);
          for (int k = 0; k < 4; ++k) {
            const float v = found[i].box[k];
            out_boxes->mutable_data<float>()[4 * at + k] =
                clip_boxes ? std::max(std::min(v, 1.0F), 0.0F) : v;
          }
        }
      }
    });
    return absl::OkStatus();
  }

  static std::vector<Found> Best(const Tensor& boxes, const Tensor& scores, int64_t n,
                                 const Limits& limits) {
    const int64_t count = boxes.dim(1), sets = boxes.dim(2), classes = scores.dim(2);
    const float* box = boxes.data<float>() + n * count * sets * 4;
    const float* score = scores.data<float>() + n * count * classes;
    std::vector<float> of_class(count);
    std::vector<Found> found;
    for (int64_t k = 0; k < classes; ++k) {
      for (int64_t i = 0; i < count; ++i) of_class[i] = score[i * classes + k];
      const auto at = [&](int64_t i) { return box + (i * sets + (sets > 1 ? k : 0)) * 4; };
      const Selected selected =
          Select(of_class, limits, [&](int64_t i, int64_t j) { return Overlap(at(i), at(j)); });
      for (size_t i = 0; i < selected.boxes.size(); ++i) {
        Found next{selected.scores[i], static_cast<int32_t>(k), {}};
        std::copy_n(at(selected.boxes[i]), 4, next.box.begin());
        found.push_back(next);
      }
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Found& a, const Found& b) { return a.score > b.score; });
    return found;
  }
};

}  // namespace

void RegisterNonMaxSuppression(KernelRegistry& kernels) {
  const DTypeSet types{kHalf, kFloat};
  kernels.Add<NonMaxSuppression>("NonMaxSuppression", kCpu);
  kernels.Add<NonMaxSuppression>("NonMaxSuppressionWithOverlaps", kCpu);
  for (const char* op : {"NonMaxSuppressionV2", "NonMaxSuppressionV3", "NonMaxSuppressionV4"}) {
    kernels.Add<NonMaxSuppression>(op, kCpu, {{"T", types}, {"T_threshold", types}});
  }
  kernels.Add<NonMaxSuppression>("NonMaxSuppressionV5", kCpu, {{"T", types}});
  kernels.Add<CombinedNonMaxSuppression>("CombinedNonMaxSuppression", kCpu);
}

}  // namespace sluice::kernels
