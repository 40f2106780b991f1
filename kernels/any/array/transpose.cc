// SPDX-License-Identifier: Apache-2.0
// Transpose, ConjugateTranspose, InvertPermutation, and the reversals: Reverse, ReverseV2,
// ReverseSequence.
#include "kernels/any/array/register.h"
#include "kernels/common/axis.h"
#include "kernels/common/elementwise.h"
#include "kernels/common/strided_copy.h"

namespace sluice::kernels {
namespace {

absl::StatusOr<Shape::Dims> ReadPermutation(const Tensor& tensor, int rank) {
  if (tensor.rank() != 1) return InvalidArgument("perm must be a vector, not ", tensor.shape());
  if (tensor.num_elements() != rank) {
    return InvalidArgument("transpose expects a vector of size ", rank,
                           ". But input(1) is a vector of size ", tensor.num_elements());
  }
  SLUICE_ASSIGN(Shape::Dims perm, IntVector(tensor));
  absl::InlinedVector<bool, 8> seen(rank, false);
  for (int64_t& axis : perm) {
    if (axis < 0) axis += rank;
    if (axis < 0 || axis >= rank)
      return InvalidArgument(axis, " is out of range [0 .. ", rank, ")");
    seen[axis] = true;
  }
  for (int d = 0; d < rank; ++d) {
    if (!seen[d]) return InvalidArgument(d, " is missing from {", absl::StrJoin(perm, ","), "}.");
  }
  return perm;
}

template <typename T>
void ConjugateAll(WorkQueue* pool, Tensor& tensor) {
  std::complex<T>* const x = tensor.mutable_data<std::complex<T>>();
  ParallelFor(pool, tensor.num_elements(), 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) x[i] = std::conj(x[i]);
  });
}
absl::Status ConjugateOnHost(KernelContext& ctx, Tensor& tensor) {
  if (tensor.dtype() == kComplex64)
    ConjugateAll<float>(ctx.pool(), tensor);
  else
    ConjugateAll<double>(ctx.pool(), tensor);
  return absl::OkStatus();
}

struct Transpose {
  const Primitives* on = nullptr;
  Conjugate conjugate = nullptr;  // null: not at all

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& x = ctx.input(0);
    SLUICE_ASSIGN(Shape::Dims perm, ReadPermutation(ctx.input(1), x.rank()));
    const bool conjugates = conjugate != nullptr && kComplex.contains(x.dtype());
    if (std::is_sorted(perm.begin(), perm.end()) && !conjugates) {
      ctx.SetOutput(0, x);
      return absl::OkStatus();
    }
    Shape shape;
    for (int64_t axis : perm) shape.AddDim(x.dim(static_cast<int>(axis)));
    SLUICE_ASSIGN(Tensor * y, ctx.AllocateOutput(0, shape));
    const Shape::Dims from = DenseStrides(x.shape()), to = DenseStrides(shape);
    CopyDims dims;
    for (int d = 0; d < shape.rank(); ++d) dims.push_back({shape.dim(d), from[perm[d]], to[d]});
    SLUICE_RETURN_IF_ERROR(on->StridedCopy(ctx, x.dtype(), dims, x.raw(), y->raw()));
    return conjugates ? conjugate(ctx, *y) : absl::OkStatus();
  }
};

struct InvertPermutation {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& x = ctx.input(0);
    if (x.rank() != 1)
      return InvalidArgument("invert_permutation expects a 1D vector, got shape ", x.shape());
    SLUICE_ASSIGN(Tensor * y, ctx.AllocateOutput(0, x.shape()));
    return VisitDType(IndexTypes{}, x.dtype(), [&]<typename T>(Type<T>) -> absl::Status {
      T* inverse = y->mutable_data<T>();
      const int64_t n = x.num_elements();
      std::fill_n(inverse, n, T(-1));
      for (int64_t i = 0; i < n; ++i) {
        const T at = x.data<T>()[i];
        if (at < 0 || at >= n) return InvalidArgument(at, " is not between 0 and ", n);
        if (inverse[at] != -1) return InvalidArgument(at, " is duplicated in the input.");
        inverse[at] = static_cast<T>(i);
      }
      return absl::OkStatus();
    });
  }
};

absl::Status ReverseAxes(KernelContext& ctx, const Primitives& on,
                         absl::Span<const bool> reversed) {
  const Tensor& x = ctx.input(0);
  SLUICE_ASSIGN(Tensor * y, ctx.AllocateOutput(0, x.shape()));
  if (x.num_elements() == 0) return absl::OkStatus();
  const Shape::Dims strides = DenseStrides(x.shape());
  CopyDims dims;
  int64_t offset = 0;
  for (int d = 0; d < x.rank(); ++d) {
    dims.push_back({x.dim(d), reversed[d] ? -strides[d] : strides[d], strides[d]});
    if (reversed[d]) offset += (x.dim(d) - 1) * strides[d];
  }
  return on.StridedCopy(ctx, x.dtype(), dims, At(x.raw(), offset, ElementSize(x.dtype())),
                        y->raw());
}

struct Reverse {
  const Primitives* on = nullptr;

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& dims = ctx.input(1);
    const int rank = ctx.input(0).rank();
    if (dims.rank() != 1) return InvalidArgument("'dims' must be 1-dimension, not ", dims.rank());
    if (dims.num_elements() != rank) {
      return InvalidArgument(
          "'dims' must have the same number of values as 'input' has dimensions. 'input' has ",
          rank, "'dims' has ", dims.num_elements(), " values");
    }
    return ReverseAxes(ctx, *on, dims.flat<bool>());
  }
};

struct ReverseV2 {
  const Primitives* on = nullptr;

  absl::Status Run(KernelContext& ctx) const {
    const int rank = ctx.input(0).rank();
    if (ctx.input(1).rank() != 1)
      return InvalidArgument("'dims' must be 1-dimension, not ", ctx.input(1).rank());
    SLUICE_ASSIGN(Shape::Dims axes, IntVector(ctx.input(1)));
    absl::InlinedVector<bool, 8> reversed(rank, false);
    if (rank == 0) return ReverseAxes(ctx, *on, reversed);  // for any axes
    for (size_t i = 0; i < axes.size(); ++i) {
      int axis;
      if (!NormalizeAxis(axes[i], rank, &axis)) {
        return InvalidArgument("'axis'[", i, "] = ", axes[i], " is out of valid range [", -rank,
                               ", ", rank - 1, "]");
      }
      if (reversed[axis]) return InvalidArgument("axis ", axis, " specified more than once.");
      reversed[axis] = true;
    }
    return ReverseAxes(ctx, *on, reversed);
  }
};

// Reverses the first seq_lengths[b] elements of each batch entry along seq_dim.
struct ReverseSequence {
  int64_t seq_dim, batch_dim;
  const Primitives* on = nullptr;

  static absl::StatusOr<ReverseSequence> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(int64_t seq_dim, node.Get<int64_t>("seq_dim"));
    SLUICE_ASSIGN(int64_t batch_dim, node.Get<int64_t>("batch_dim"));
    return ReverseSequence{seq_dim, batch_dim};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor &x = ctx.input(0), &lengths = ctx.input(1);
    SLUICE_RETURN_IF_ERROR(Check(x, lengths));
    SLUICE_ASSIGN(Tensor * y, ctx.AllocateOutput(0, x.shape()));
    const Shape::Dims strides = DenseStrides(x.shape());
    const int seq = static_cast<int>(seq_dim), batch = static_cast<int>(batch_dim);
    const size_t element = ElementSize(x.dtype());
    for (int64_t b = 0; b < x.dim(batch); ++b) {
      const int64_t length = IndexAt(lengths, b);
      CopyDims head, tail;  // reversed, and unchanged
      for (int d = 0; d < x.rank(); ++d) {
        if (d == batch) continue;
        head.push_back(
            {d == seq ? length : x.dim(d), d == seq ? -strides[d] : strides[d], strides[d]});
        tail.push_back({d == seq ? x.dim(d) - length : x.dim(d), strides[d], strides[d]});
      }
      const int64_t at = b * strides[batch], rest = at + length * strides[seq];
      if (length > 0) {
        SLUICE_RETURN_IF_ERROR(on->StridedCopy(ctx, x.dtype(), head,
                                               At(x.raw(), rest - strides[seq], element),
                                               At(y->raw(), at, element)));
      }
      if (length < x.dim(seq)) {
        SLUICE_RETURN_IF_ERROR(on->StridedCopy(ctx, x.dtype(), tail, At(x.raw(), rest, element),
                                               At(y->raw(), rest, element)));
      }
    }
    return absl::OkStatus();
  }

 private:
  absl::Status Check(const Tensor& x, const Tensor& lengths) const {
    if (lengths.rank() != 1)
      return InvalidArgument("seq_lens input must be 1-dim, not ", lengths.rank());
    if (seq_dim == batch_dim) return InvalidArgument("batch_dim == seq_dim == ", seq_dim);
    if (seq_dim < 0 || seq_dim >= x.rank())
      return InvalidArgument("seq_dim must be < input.dims()( ", seq_dim, " vs. ", x.rank(), ")");
    if (batch_dim < 0 || batch_dim >= x.rank())
      return InvalidArgument("batch_dim must be < input.dims()( ", batch_dim, " vs. ", x.rank(),
                             ")");
    const int64_t entries = x.dim(static_cast<int>(batch_dim)),
                  most = x.dim(static_cast<int>(seq_dim));
    if (lengths.num_elements() != entries) {
      return InvalidArgument("len(seq_lens) != input.dims(", batch_dim, "), (",
                             lengths.num_elements(), " vs. ", entries, ")");
    }
    for (int64_t b = 0; b < entries; ++b) {
      const int64_t length = IndexAt(lengths, b);
      if (length < 0) return InvalidArgument("seq_lens(", b, ") < 0");
      if (length > most) return InvalidArgument("seq_lens(", b, ") > input.dims(", seq_dim, ")");
    }
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterTranspose(KernelRegistry& kernels, const Primitives& on, Conjugate conjugate) {
  const DTypeSet reversible = kNumeric | DTypeSet{kBool, kString};
  const std::vector<TypeConstraint> types{{"T", TypesOn(on, kAnyType)}, {"Tperm", kIndex}};
  AddOn<Transpose>(kernels, on, "Transpose", types, HostMemory{"perm"});
  if (conjugate == nullptr) conjugate = &ConjugateOnHost;
  auto create = [&on, conjugate](const NodeSpec&) -> absl::StatusOr<std::unique_ptr<Kernel>> {
    return MakeKernel(Transpose{&on, conjugate});
  };
  kernels.AddWith(create, "ConjugateTranspose", on.device_type(), types,
                  on.device_type() == kCpu ? HostMemory{} : HostMemory{"perm"});
  AddOn<InvertPermutation>(kernels, on, "InvertPermutation", {{"T", kIndex}}, HostMemory{"x", "y"});

  const DTypeSet turned = TypesButInt32On(on, reversible);
  AddOn<Reverse>(kernels, on, "Reverse", {{"T", turned}}, HostMemory{"dims"});
  AddOn<ReverseV2>(kernels, on, "ReverseV2", {{"T", turned}, {"Tidx", kIndex}}, HostMemory{"axis"});
  AddOnHost<Reverse>(kernels, on, "Reverse", {{"T", kInt32}},
                     HostMemory{"tensor", "dims", "output"});
  AddOnHost<ReverseV2>(kernels, on, "ReverseV2", {{"T", kInt32}, {"Tidx", kIndex}},
                       HostMemory{"tensor", "axis", "output"});
  // TensorFlow has the lengths on the device. Here the host reads them to plan the copies.
  AddOn<ReverseSequence>(kernels, on, "ReverseSequence",
                         {{"T", TypesOn(on, kAnyType)}, {"Tlen", kIndex}},
                         HostMemory{"seq_lengths"});
}

}  // namespace sluice::kernels
