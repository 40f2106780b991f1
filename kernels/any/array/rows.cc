// SPDX-License-Identifier: Apache-2.0
// Ops on whole rows and blocks: ParallelConcat, Roll, Empty, Snapshot.
#include <algorithm>

#include "kernels/any/array/register.h"
#include "kernels/common/axis.h"
#include "kernels/common/elementwise.h"
#include "kernels/common/variables.h"

namespace sluice::kernels {
namespace {

// Rows, one of each input.
struct ParallelConcat {
  const Primitives* on = nullptr;

  absl::Status Run(KernelContext& ctx) const {
    const Shape& first = ctx.input(0).shape();
    for (int i = 0; i < ctx.num_inputs(); ++i) {
      const Shape& shape = ctx.input(i).shape();
      if (shape.rank() == 0 || shape.dim(0) != 1 || shape != first) {
        return InvalidArgument("All input shapes must match and have a first dimension of 1, got ",
                               shape, " at position ", i);
      }
    }
    Shape::Dims dims(first.dims().begin(), first.dims().end());
    dims[0] = ctx.num_inputs();
    SLUICE_ASSIGN(const Shape shape, Shape::Create(dims));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    absl::InlinedVector<JoinedPart, 8> parts;
    for (int i = 0; i < ctx.num_inputs(); ++i)
      parts.push_back({ctx.input(i).raw(), first.num_elements()});
    return on->Join(ctx, out->dtype(), parts, 1, out->raw());
  }
};

// Moves elements along some axes; those that leave at one end enter at the other.
struct Roll {
  const Primitives* on = nullptr;

  absl::Status Run(KernelContext& ctx) const {
    const Tensor &input = ctx.input(0), &shift = ctx.input(1), &axis = ctx.input(2);
    if (input.rank() < 1) return InvalidArgument("input must be 1-D or higher");
    if (shift.rank() > 1)
      return InvalidArgument("shift must be a scalar or a 1-D vector. Found: ", shift.shape());
    if (axis.rank() > 1)
      return InvalidArgument("axis must be a scalar or a 1-D vector. Found: ", axis.shape());
    if (shift.shape() != axis.shape())
      return InvalidArgument("shift and axis must have the same size");
    std::vector<int64_t> shifts(input.rank(), 0);
    for (int64_t i = 0; i < axis.num_elements(); ++i) {
      int at;
      if (!NormalizeAxis(IndexAt(axis, i), input.rank(), &at))
        return InvalidArgument("axis ", IndexAt(axis, i), " is out of range");
      const int64_t size = std::max<int64_t>(input.dim(at), 1);
      // Makes a negative remainder positive.
      shifts[at] = ((shifts[at] + IndexAt(shift, i) % size) % size + size) % size;
    }
    Tensor now = input;
    for (int d = 0; d < input.rank(); ++d) {
      if (shifts[d] == 0 || input.num_elements() == 0) continue;
      SLUICE_ASSIGN(Tensor moved, ctx.AllocateTemporary(input.dtype(), input.shape()));
      SLUICE_RETURN_IF_ERROR(Rotate(ctx, now, d, shifts[d], moved));
      now = std::move(moved);
    }
    ctx.SetOutput(0, std::move(now));
    return absl::OkStatus();
  }

 private:
  absl::Status Rotate(KernelContext& ctx, const Tensor& from, int axis, int64_t by,
                      Tensor& to) const {
    const AxisView view(from.shape(), axis);
    const int64_t block = view.size * view.inner, head = (view.size - by) * view.inner;
    const size_t element = ElementSize(from.dtype());
    SLUICE_RETURN_IF_ERROR(on->StridedCopy(ctx, from.dtype(),
                                           {{view.outer, block, block}, {block - head, 1, 1}},
                                           At(from.raw(), head, element), to.raw()));
    return on->StridedCopy(ctx, from.dtype(), {{view.outer, block, block}, {head, 1, 1}},
                           from.raw(), At(to.raw(), block - head, element));
  }
};

struct Empty {
  bool init;
  const Primitives* on = nullptr;

  static absl::StatusOr<Empty> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const bool init, node.Get<bool>("init"));
    return Empty{init};
  }
  absl::Status Run(KernelContext& ctx) const {
    if (ctx.input(0).rank() != 1)
      return InvalidArgument("shape must be a vector of int32, got shape ", ctx.input(0).shape());
    SLUICE_ASSIGN(const Shape shape, ShapeFrom(ctx.input(0)));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    if (!init) return absl::OkStatus();
    return on->Zero(ctx, out->dtype(), out->raw(), shape.num_elements());
  }
};

// A tensor without other references to its memory.
struct Unshared {
  const Primitives* on = nullptr;

  absl::Status Run(KernelContext& ctx) const {
    Tensor x = ctx.TakeInput(0);
    if (!OwnsBytes(x)) {
      SLUICE_ASSIGN(x, CopyHere(ctx, *on, x));
    }
    ctx.SetOutput(0, std::move(x));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterRows(KernelRegistry& kernels, const Primitives& on) {
  const DTypeSet joined = TypesOn(on, kAnyType.Without({kResource, kVariant}));
  AddOn<ParallelConcat>(kernels, on, "ParallelConcat", {{"T", joined}});
  AddOn<Roll>(kernels, on, "Roll",
              {{"T", TypesOn(on, kAnyType)}, {"Tshift", kIndex}, {"Taxis", kIndex}},
              HostMemory{"shift", "axis"});
  AddOn<Empty>(kernels, on, "Empty", {{"dtype", TypesOn(on, kPlain | DTypeSet{kString})}},
               HostMemory{"shape"});
  for (const char* op : {"DeepCopy", "Snapshot"}) AddOn<Unshared>(kernels, on, op);
}

}  // namespace sluice::kernels
