// SPDX-License-Identifier: Apache-2.0
// StringJoin: joins strings of equal shape (scalars repeat) element by element.
// UnsortedSegmentJoin: joins the rows of each segment.
#include "core/runtime/kernel_registry.h"
#include "core/threads/cancel_scope.h"
#include "kernels/any/strings/register.h"

namespace sluice::kernels {
namespace {

struct StringJoin {
  std::string separator;

  static absl::StatusOr<StringJoin> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(std::string separator, node.Get<std::string>("separator"));
    return StringJoin{std::move(separator)};
  }

  absl::Status Run(KernelContext& ctx) const {
    Shape shape;
    for (int i = 0; i < ctx.num_inputs(); ++i) {
      const Shape& next = ctx.input(i).shape();
      if (next.rank() == 0) continue;
      if (shape.rank() != 0 && !(shape == next)) {
        return InvalidArgument("Input shapes do not match: ", shape, " vs. ", next);
      }
      shape = next;
    }
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    for (const int64_t e : Cancellable(shape.num_elements())) {
      size_t bytes = 0;
      for (int i = 0; i < ctx.num_inputs(); ++i)
        bytes += Piece(ctx, i, e).size() + separator.size();
      std::string& joined = out->mutable_data<std::string>()[e];
      joined.reserve(bytes);  // written once: large strings are not filled with zeros first
      for (int i = 0; i < ctx.num_inputs(); ++i) {
        if (i > 0) joined += separator;
        joined += Piece(ctx, i, e);
      }
    }
    return absl::OkStatus();
  }

 private:
  static const std::string& Piece(KernelContext& ctx, int input, int64_t element) {
    const Tensor& pieces = ctx.input(input);
    return pieces.data<std::string>()[pieces.rank() == 0 ? 0 : element];
  }
};

// inputs, segment_ids, num_segments: an id for each row, of any rank.
struct UnsortedSegmentJoin {
  std::string separator;

  static absl::StatusOr<UnsortedSegmentJoin> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(std::string separator, node.Get<std::string>("separator"));
    return UnsortedSegmentJoin{std::move(separator)};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& input = ctx.input(0);
    const Tensor& ids = ctx.input(1);
    if (ctx.input(2).num_elements() != 1) {
      return InvalidArgument("Number of segments must be a scalar, got ", ctx.input(2).shape());
    }
    SLUICE_ASSIGN(const int64_t segments, IntScalar(ctx.input(2)));
    if (segments < 0) return InvalidArgument("num_segments must not be negative, got ", segments);
    SLUICE_RETURN_IF_ERROR(CheckIds(ids.shape(), input.shape()));
    SLUICE_ASSIGN(const Shape::Dims segment_of, IntVector(ids));
    Shape::Dims dims{segments};
    for (int i = ids.rank(); i < input.rank(); ++i) dims.push_back(input.dim(i));
    SLUICE_ASSIGN(const Shape shape, Shape::Create(dims));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    const auto rows = static_cast<int64_t>(segment_of.size());
    const int64_t width = rows == 0 ? 0 : input.num_elements() / rows;
    for (const int64_t row : Cancellable(rows)) {
      const int64_t segment = segment_of[row];
      if (segment < 0 || segment >= segments) {
        return InvalidArgument("segment_ids are not allowed to exceed num_segments or to have ",
                               "negative values.");
      }
      const std::string* from = input.data<std::string>() + row * width;
      std::string* to = out->mutable_data<std::string>() + segment * width;
      // Leading empty strings get no separator, as in TensorFlow.
      for (int64_t i = 0; i < width; ++i)
        absl::StrAppend(&to[i], to[i].empty() ? "" : separator, from[i]);
    }
    return absl::OkStatus();
  }

  static absl::Status CheckIds(const Shape& ids, const Shape& input) {
    if (ids.rank() == 0) return InvalidArgument("Segment_id cannot have rank 0");
    if (ids.rank() > input.rank()) {
      return OutOfRange("Invalid segment_id rank ", ids.rank(), " for input with ", input.rank(),
                        " dimension(s)");
    }
    for (int i = 0; i < ids.rank(); ++i) {
      if (ids.dim(i) == input.dim(i)) continue;
      return InvalidArgument("Segment dimension is ", ids.dim(i), " while input dimension is ",
                             input.dim(i), " in rank ", i);
    }
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterStringJoin(KernelRegistry& kernels) {
  kernels.Add<StringJoin>("StringJoin", kCpu);
  const DTypeSet index{kInt32, kInt64};
  kernels.Add<UnsortedSegmentJoin>("UnsortedSegmentJoin", kCpu,
                                   {{"Tindices", index}, {"Tnumsegments", index}});
}

}  // namespace sluice::kernels
