// SPDX-License-Identifier: Apache-2.0
// Shapes of ops that make, reshape, join and split arrays.
#include <algorithm>

#include "graph/shapes/rules.h"

namespace sluice::graph {
namespace {

absl::Status ConstShape(ShapeContext& c) {
  SLUICE_ASSIGN(Tensor value, c.Get<Tensor>("value"));
  c.outputs[0] = value.shape();
  return absl::OkStatus();
}

absl::Status ShapeAttr(ShapeContext& c) {
  SLUICE_ASSIGN(c.outputs[0], c.Get<PartialShape>("shape"));
  return absl::OkStatus();
}

// Graphs up to version 21 could not express an unknown shape, and wrote a scalar's.
absl::Status PlaceholderShape(ShapeContext& c) {
  SLUICE_ASSIGN(PartialShape shape, c.Get<PartialShape>("shape"));
  if (shape.rank() != 0 || c.producer_version > 21) c.outputs[0] = std::move(shape);
  return absl::OkStatus();
}

absl::Status PlaceholderWithDefaultShape(ShapeContext& c) {
  SLUICE_ASSIGN(c.outputs[0], c.Get<PartialShape>("shape"));
  if (!c.outputs[0].CompatibleWith(c.inputs[0])) {
    return InvalidArgument("shape ", c.outputs[0], " does not fit the default value's ",
                           c.inputs[0]);
  }
  return absl::OkStatus();
}

absl::Status ShapeOfEach(ShapeContext& c) {  // Shape, ShapeN
  for (size_t i = 0; i < c.outputs.size(); ++i)
    c.outputs[i] = PartialShape{c.inputs[i].rank_known() ? c.inputs[i].rank() : -1};
  return absl::OkStatus();
}

absl::Status FillShape(ShapeContext& c) {  // dims, value
  if (c.ints[0] != nullptr) {
    for (int64_t size : *c.ints[0]) {
      if (size < 0 && size != kUnknownInt)
        return InvalidArgument("Fill dimensions must be >= 0, got ", size);
    }
  }
  SLUICE_ASSIGN(c.outputs[0], c.StatedBy(0));
  return absl::OkStatus();
}

absl::Status BroadcastToShape(ShapeContext& c) {
  if (c.inputs[1].rank_known() && c.inputs[1].rank() > 1)
    return InvalidArgument("the shape must be a vector of sizes, but has shape ", c.inputs[1]);
  SLUICE_ASSIGN(const PartialShape stated, c.StatedBy(1));
  c.outputs[0] = stated;
  const PartialShape& input = c.inputs[0];
  if (!stated.rank_known() || !input.rank_known()) return absl::OkStatus();
  const int extra = stated.rank() - input.rank();
  if (extra < 0)
    return InvalidArgument("a tensor of shape ", input, " has a larger rank than ", stated);
  Shape::Dims dims(stated.dims().begin(), stated.dims().end());
  for (int i = 0; i < input.rank(); ++i) {  // other sizes than 1 stay
    if (input.dim(i) < 0 || input.dim(i) == 1) continue;
    if (dims[extra + i] >= 0 && dims[extra + i] != input.dim(i))
      return InvalidArgument("Incompatible shapes: ", input, " cannot be broadcast to ", stated);
    dims[extra + i] = input.dim(i);
  }
  return c.Set(0, dims);
}

// One unknown size follows from the number of elements.
absl::Status ReshapeShape(ShapeContext& c) {
  if (c.inputs[1].rank_known() && c.inputs[1].rank() > 1)
    return InvalidArgument("the shape must be a vector of sizes, but has shape ", c.inputs[1]);
  SLUICE_ASSIGN(PartialShape wanted, c.StatedBy(1));
  c.outputs[0] = wanted;
  const PartialShape& input = c.inputs[0];
  if (!wanted.rank_known() || !input.fully_known()) return absl::OkStatus();
  SLUICE_ASSIGN(Shape from, input.ToShape());
  int64_t known = 1;
  int unknown = -1;
  for (int i = 0; i < wanted.rank(); ++i) {
    if (wanted.dim(i) >= 0) {
      known = SizeProduct(known, wanted.dim(i));
    } else if (unknown >= 0) {
      return absl::OkStatus();
    } else {
      unknown = i;
    }
  }
  if (unknown < 0) {
    if (known == from.num_elements()) return absl::OkStatus();
    return InvalidArgument("Cannot reshape a tensor with ", from.num_elements(),
                           " elements to shape ", wanted, " (", known, " elements)");
  }
  if (known <= 0) return absl::OkStatus();
  if (from.num_elements() % known != 0) {
    return InvalidArgument("Cannot reshape a tensor with ", from.num_elements(),
                           " elements to shape ", wanted);
  }
  Shape::Dims dims(wanted.dims().begin(), wanted.dims().end());
  dims[unknown] = from.num_elements() / known;
  return c.Set(0, dims);
}

absl::Status ExpandDimsShape(ShapeContext& c) {
  const PartialShape& input = c.inputs[0];
  const auto axis = c.Int(1);
  const int64_t numbers = ElementCount(c.inputs[1]);
  if (numbers >= 0 && numbers != 1)
    return InvalidArgument("'dim' input must be a tensor with a single value, but has shape ",
                           c.inputs[1]);
  if (!input.rank_known()) return absl::OkStatus();
  if (!axis) {
    if (input.rank() + 1 <= kMaxRank) c.outputs[0] = PartialShape::UnknownOfRank(input.rank() + 1);
    return absl::OkStatus();
  }
  SLUICE_ASSIGN(int at, FrontAxis(*axis, input.rank() + 1));
  Shape::Dims dims(input.dims().begin(), input.dims().end());
  dims.insert(dims.begin() + at, 1);
  return c.Set(0, dims);
}

absl::Status SqueezeShape(ShapeContext& c) {
  SLUICE_ASSIGN(std::vector<int64_t> axes, c.Get<std::vector<int64_t>>("squeeze_dims"));
  const PartialShape& input = c.inputs[0];
  if (!input.rank_known()) return absl::OkStatus();
  std::vector<bool> drop(input.rank(), false);
  for (int64_t axis : axes) {
    SLUICE_ASSIGN(int at, FrontAxis(axis, input.rank()));
    if (input.dim(at) > 1)
      return InvalidArgument("Can not squeeze dim[", at, "], expected a dimension of 1, got ",
                             input.dim(at));
    drop[at] = true;
  }
  Shape::Dims dims;
  for (int i = 0; i < input.rank(); ++i) {
    if (axes.empty()) {
      if (input.dim(i) < 0) return absl::OkStatus();  // the dimension may be removed or kept
      drop[i] = input.dim(i) == 1;
    }
    if (!drop[i]) dims.push_back(input.dim(i));
  }
  return c.Set(0, dims);
}

absl::Status PackShape(ShapeContext& c) {
  PartialShape part;
  for (const PartialShape& input : c.inputs) {
    SLUICE_ASSIGN(part, part.MergeWith(input));
  }
  if (!part.rank_known()) return absl::OkStatus();
  SLUICE_ASSIGN(int axis, FrontAxis(GetAttrOr<int64_t>(c.node.attrs, "axis", 0), part.rank() + 1));
  Shape::Dims dims(part.dims().begin(), part.dims().end());
  dims.insert(dims.begin() + axis, c.num_inputs());
  return c.Set(0, dims);
}

absl::Status UnpackShape(ShapeContext& c) {
  SLUICE_ASSIGN(PartialShape input, c.OfRankAtLeast(0, 1));
  if (!input.rank_known()) return absl::OkStatus();
  SLUICE_ASSIGN(int axis, FrontAxis(GetAttrOr<int64_t>(c.node.attrs, "axis", 0), input.rank()));
  SLUICE_RETURN_IF_ERROR(
      MergedSize(input.dim(axis), static_cast<int64_t>(c.outputs.size())).status());
  Shape::Dims dims(input.dims().begin(), input.dims().end());
  dims.erase(dims.begin() + axis);
  for (size_t i = 0; i < c.outputs.size(); ++i)
    SLUICE_RETURN_IF_ERROR(c.Set(static_cast<int>(i), dims));
  return absl::OkStatus();
}

absl::Status Joined(ShapeContext& c, int begin, int end, std::optional<int64_t> axis) {
  PartialShape first;
  int rank = -1;
  for (int i = begin; i < end; ++i) {
    if (!c.inputs[i].rank_known()) continue;
    if (rank >= 0 && rank != c.inputs[i].rank()) {
      return InvalidArgument("inputs to join have different ranks: ", rank, " and ",
                             c.inputs[i].rank());
    }
    rank = c.inputs[i].rank();
  }
  if (rank < 0) return absl::OkStatus();
  if (rank == 0) return InvalidArgument("scalars cannot be concatenated; pack them");
  if (!axis) {
    c.outputs[0] = PartialShape::UnknownOfRank(rank);
    return absl::OkStatus();
  }
  SLUICE_ASSIGN(int at, FrontAxis(*axis, rank));
  Shape::Dims dims(rank, -1);
  int64_t total = 0;
  for (int i = begin; i < end; ++i) {
    const bool known = c.inputs[i].rank_known();
    for (int d = 0; known && d < rank; ++d) {
      if (d == at) continue;
      SLUICE_ASSIGN(dims[d], MergedSize(dims[d], c.inputs[i].dim(d)));
    }
    total = SizeSum(total, known ? c.inputs[i].dim(at) : -1);
  }
  dims[at] = total;
  return c.Set(0, dims);
}

absl::Status ConcatShape(ShapeContext& c) { return Joined(c, 1, c.num_inputs(), c.Int(0)); }
absl::Status ConcatV2Shape(ShapeContext& c) {
  SLUICE_RETURN_IF_ERROR(c.OfRank(c.num_inputs() - 1, 0).status());
  return Joined(c, 0, c.num_inputs() - 1, c.Int(c.num_inputs() - 1));
}

absl::Status ConcatOffsetShape(ShapeContext& c) {
  for (size_t i = 0; i < c.outputs.size(); ++i) c.outputs[i] = c.inputs[i + 1];
  return absl::OkStatus();
}

absl::Status SplitShape(ShapeContext& c) {  // split_dim, value
  const PartialShape& value = c.inputs[1];
  if (!value.rank_known()) return absl::OkStatus();
  const auto axis = c.Int(0);
  Shape::Dims dims(value.rank(), -1);
  if (axis) {
    SLUICE_ASSIGN(int at, FrontAxis(*axis, value.rank()));
    const auto parts = static_cast<int64_t>(c.outputs.size());
    dims.assign(value.dims().begin(), value.dims().end());
    if (dims[at] >= 0) {
      if (dims[at] % parts != 0)
        return InvalidArgument("size ", dims[at], " of axis ", at, " is not divisible by ", parts);
      dims[at] /= parts;
    }
  }
  for (size_t i = 0; i < c.outputs.size(); ++i)
    SLUICE_RETURN_IF_ERROR(c.Set(static_cast<int>(i), dims));
  return absl::OkStatus();
}

absl::Status SplitVShape(ShapeContext& c) {  // value, size_splits, split_dim
  const PartialShape& value = c.inputs[0];
  const auto axis = c.Int(2);
  // As in TensorFlow, the number of sizes is checked only where their values are known.
  if (axis && c.ints[1] != nullptr) {
    const auto parts = static_cast<int64_t>(c.outputs.size());
    SLUICE_RETURN_IF_ERROR(MergedSize(static_cast<int64_t>(c.ints[1]->size()), parts).status());
  }
  if (!value.rank_known()) return absl::OkStatus();
  int64_t rest = -1;  // the size along the axis that is not given
  if (axis && c.ints[1] != nullptr) {
    SLUICE_ASSIGN(const int at, FrontAxis(*axis, value.rank()));
    rest = value.dim(at);
    for (int64_t size : *c.ints[1]) {
      if (size == kUnknownInt) rest = -1;
      if (size == kUnknownInt || rest < 0) continue;
      if (size > rest) {
        return InvalidArgument("the sizes of the parts exceed the size of axis ", at, " of shape ",
                               value);
      }
      if (size >= 0) rest -= size;
    }
    const bool all =
        std::all_of(c.ints[1]->begin(), c.ints[1]->end(), [](int64_t n) { return n >= 0; });
    if (all && rest > 0)
      return InvalidArgument("the sizes of the parts leave ", rest, " of axis ", at, " of shape ",
                             value);
  }
  for (size_t i = 0; i < c.outputs.size(); ++i) {
    Shape::Dims dims(value.rank(), -1);
    if (axis) {
      SLUICE_ASSIGN(int at, FrontAxis(*axis, value.rank()));
      dims.assign(value.dims().begin(), value.dims().end());
      const auto size = c.Int(1, static_cast<int>(i));
      dims[at] = size && *size >= 0 ? *size : rest;
    }
    SLUICE_RETURN_IF_ERROR(c.Set(static_cast<int>(i), dims));
  }
  return absl::OkStatus();
}

absl::Status PadShape(ShapeContext& c) {  // Pad, PadV2, MirrorPad
  const PartialShape& input = c.inputs[0];
  SLUICE_ASSIGN(PartialShape paddings, c.OfRank(1, 2));
  SLUICE_RETURN_IF_ERROR(MergedSize(paddings.dim(1), 2).status());
  int64_t rank = paddings.dim(0);
  if (input.rank_known()) {
    SLUICE_ASSIGN(rank, MergedSize(rank, input.rank()));
  }
  if (rank < 0 || rank > kMaxRank) return absl::OkStatus();
  Shape::Dims dims(rank, -1);
  for (int i = 0; i < rank; ++i) {
    const auto before = c.Int(1, 2 * i), after = c.Int(1, 2 * i + 1);
    if (!before || !after) continue;
    if (*before < 0 || *after < 0)
      return InvalidArgument("Paddings must be non-negative: ", *before, ", ", *after);
    if (input.rank_known()) dims[i] = SizeSum(SizeSum(input.dim(i), *before), *after);
  }
  return c.Set(0, dims);
}

absl::Status TileShape(ShapeContext& c) {
  const PartialShape& input = c.inputs[0];
  SLUICE_ASSIGN(PartialShape multiples, c.OfRank(1, 1));
  int64_t rank = multiples.dim(0);
  if (input.rank_known()) {
    SLUICE_ASSIGN(rank, MergedSize(rank, input.rank()));
  }
  if (rank < 0 || rank > kMaxRank) return absl::OkStatus();
  Shape::Dims dims(rank, -1);
  for (int i = 0; i < rank; ++i) {
    const auto times = c.Int(1, i);
    if (times && *times < 0) return InvalidArgument("Expected multiples >= 0, but got ", *times);
    if (times && input.rank_known()) dims[i] = SizeProduct(input.dim(i), *times);
  }
  return c.Set(0, dims);
}

absl::Status TransposeShape(ShapeContext& c) {
  const PartialShape& input = c.inputs[0];
  SLUICE_ASSIGN(PartialShape perm, c.OfRank(1, 1));
  int64_t rank = perm.dim(0);
  if (input.rank_known()) {
    SLUICE_ASSIGN(rank, MergedSize(rank, input.rank()));
  }
  if (rank < 0 || rank > kMaxRank) return absl::OkStatus();
  Shape::Dims dims(rank, -1);
  for (int i = 0; i < rank; ++i) {
    const auto from = c.Int(1, i);
    if (!from) continue;
    SLUICE_ASSIGN(int at, FrontAxis(*from, static_cast<int>(rank)));
    if (input.rank_known()) dims[i] = input.dim(at);
  }
  return c.Set(0, dims);
}

absl::Status OneHotShape(ShapeContext& c) {  // indices, depth
  const PartialShape& indices = c.inputs[0];
  if (!indices.rank_known()) return absl::OkStatus();
  SLUICE_ASSIGN(int axis,
                FrontAxis(GetAttrOr<int64_t>(c.node.attrs, "axis", -1), indices.rank() + 1));
  Shape::Dims dims(indices.dims().begin(), indices.dims().end());
  const auto depth = c.Int(1);
  if (depth && *depth < 0) return InvalidArgument("depth must be non-negative, got ", *depth);
  dims.insert(dims.begin() + axis, depth && *depth >= 0 ? *depth : -1);
  return c.Set(0, dims);
}

absl::Status ReverseAlongShape(ShapeContext& c) {  // tensor, axes
  c.outputs[0] = c.inputs[0];
  const int rank = c.inputs[0].rank_known() ? c.inputs[0].rank() : -1;
  if (rank > 8) return InvalidArgument("reverse is not defined for rank ", rank);
  if (rank < 0 || c.ints[1] == nullptr) return absl::OkStatus();
  std::vector<bool> met(rank, false);
  for (int64_t axis : *c.ints[1]) {
    if (axis == kUnknownInt) continue;
    SLUICE_ASSIGN(const int at, FrontAxis(axis, rank));
    if (met[at]) return InvalidArgument("axis ", axis, " specified more than once.");
    met[at] = true;
  }
  return absl::OkStatus();
}

// The diagonals have the shape of the matrices without one dimension.
absl::Status MatrixSetDiagShape(ShapeContext& c) {  // input, diagonal
  SLUICE_ASSIGN(const PartialShape input, c.OfRankAtLeast(0, 2));
  SLUICE_ASSIGN(const PartialShape diagonal, c.OfRankAtLeast(1, 1));
  c.outputs[0] = input;
  if (!input.rank_known() || !diagonal.rank_known()) return absl::OkStatus();
  Shape::Dims dims(input.dims().begin(), input.dims().end());
  const int64_t columns = dims.back();
  dims.pop_back();
  dims.back() = dims.back() < 0 || columns < 0 ? -1 : std::min(dims.back(), columns);
  SLUICE_ASSIGN(const PartialShape wanted, PartialShape::Create(dims));
  if (wanted.MergeWith(diagonal).ok()) return absl::OkStatus();
  return InvalidArgument("the diagonal of ", input, " has shape ", wanted, ", not ", diagonal);
}

absl::Status WhereShape(ShapeContext& c) {
  return c.Set(0, {-1, c.inputs[0].rank_known() ? c.inputs[0].rank() : -1});
}

absl::Status UniqueShape(ShapeContext& c) {  // y, idx[, count]
  c.outputs[0] = PartialShape{-1};
  c.outputs[1] = c.inputs[0];
  if (c.outputs.size() > 2) c.outputs[2] = PartialShape{-1};
  return absl::OkStatus();
}

absl::Status BroadcastGradientArgsShape(ShapeContext& c) {
  auto axes = BroadcastGradientAxes(c);
  SLUICE_RETURN_IF_ERROR(c.Set(0, {axes ? static_cast<int64_t>(axes->first.size()) : -1}));
  return c.Set(1, {axes ? static_cast<int64_t>(axes->second.size()) : -1});
}

absl::Status DiagShape(ShapeContext& c) {
  SLUICE_ASSIGN(c.outputs[0], Concatenated(c.inputs[0], c.inputs[0]));
  return absl::OkStatus();
}

absl::Status DiagPartShape(ShapeContext& c) {
  const PartialShape& input = c.inputs[0];
  if (!input.rank_known()) return absl::OkStatus();
  if (input.rank() == 0 || input.rank() % 2 != 0)
    return InvalidArgument("Input must have even and non-zero rank, got ", input);
  const int half = input.rank() / 2;
  Shape::Dims dims(half);
  for (int i = 0; i < half; ++i) {
    SLUICE_ASSIGN(dims[i], MergedSize(input.dim(i), input.dim(i + half)));
  }
  return c.Set(0, dims);
}

absl::Status BitcastShape(ShapeContext& c) {
  SLUICE_ASSIGN(DType to, c.Get<DType>("type"));
  const size_t from_size = SizeOf(RemoveRef(c.node.input_types[0])), to_size = SizeOf(to);
  const PartialShape& input = c.inputs[0];
  if (!input.rank_known() || from_size == 0 || to_size == 0) return absl::OkStatus();
  Shape::Dims dims(input.dims().begin(), input.dims().end());
  if (from_size > to_size) {
    dims.push_back(static_cast<int64_t>(from_size / to_size));
  } else if (from_size < to_size) {
    const auto times = static_cast<int64_t>(to_size / from_size);
    if (dims.empty() || (dims.back() >= 0 && dims.back() != times)) {
      return InvalidArgument("Cannot bitcast due to shape: the last size of ", input, " must be ",
                             times);
    }
    dims.pop_back();
  }
  return c.Set(0, dims);
}

// The size of the dimension that the attribute leaves open follows from the others.
absl::Status PeriodicResampleShape(ShapeContext& c) {
  SLUICE_ASSIGN(const PartialShape wanted, c.Get<PartialShape>("shape"));
  if (!wanted.rank_known()) return absl::OkStatus();
  Shape::Dims dims(wanted.dims().begin(), wanted.dims().end());
  int64_t others = 1;
  for (int64_t size : dims) others = SizeProduct(others, std::max<int64_t>(size, 1));
  const int64_t elements = ElementCount(c.inputs[0]);
  for (int64_t& size : dims) {
    if (size < 1) size = elements >= 0 && others > 0 ? elements / others : -1;
  }
  return c.Set(0, dims);
}

absl::Status ResampledShape(ShapeContext& c) {
  SLUICE_ASSIGN(c.outputs[0], c.Get<PartialShape>("original_shape"));
  return absl::OkStatus();
}

absl::Status ParallelConcatShape(ShapeContext& c) { return ShapeAttr(c); }

absl::Status BroadcastArgsShape(ShapeContext& c) {
  SLUICE_ASSIGN(PartialShape a, c.OfRank(0, 1));
  SLUICE_ASSIGN(PartialShape b, c.OfRank(1, 1));
  return c.Set(0, {a.dim(0) < 0 || b.dim(0) < 0 ? -1 : std::max(a.dim(0), b.dim(0))});
}

absl::Status ListDiffShape(ShapeContext& c) { return VectorOfUnknownSize(c); }

absl::Status DynamicPartitionShape(ShapeContext& c) {  // data, partitions
  const PartialShape &data = c.inputs[0], &partitions = c.inputs[1];
  if (!data.rank_known() || !partitions.rank_known()) return absl::OkStatus();
  SLUICE_RETURN_IF_ERROR(CheckPrefix(partitions, data));
  SLUICE_ASSIGN(PartialShape part,
                Concatenated(PartialShape{-1}, SubShape(data, partitions.rank(), data.rank())));
  for (PartialShape& output : c.outputs) output = part;
  return absl::OkStatus();
}

// N indices, then N data: the largest index gives the number of rows.
absl::Status DynamicStitchShape(ShapeContext& c) {
  const int n = c.num_inputs() / 2;
  int64_t greatest = -1;
  bool known = true;
  PartialShape row;
  for (int i = 0; i < n; ++i) {
    if (c.ints[i] == nullptr) {
      known = false;
    } else {
      for (int64_t index : *c.ints[i]) {
        known = known && index != kUnknownInt;
        greatest = std::max(greatest, index);
      }
    }
    const PartialShape &indices = c.inputs[i], &data = c.inputs[n + i];
    if (!indices.rank_known() || !data.rank_known()) continue;
    SLUICE_RETURN_IF_ERROR(CheckPrefix(indices, data));
    SLUICE_ASSIGN(row, row.MergeWith(SubShape(data, indices.rank(), data.rank())));
  }
  known = known && greatest < INT64_MAX;
  SLUICE_ASSIGN(c.outputs[0], Concatenated(PartialShape{known ? greatest + 1 : -1}, row));
  return absl::OkStatus();
}

constexpr int64_t kUnknown = -1;

absl::Status StatedShape(ShapeContext& c) {
  SLUICE_ASSIGN(c.outputs[0], c.StatedBy(0));
  return absl::OkStatus();
}

absl::Status UnravelIndexShape(ShapeContext& c) {
  SLUICE_ASSIGN(const PartialShape dims, c.OfRank(1, 1));
  const PartialShape& indices = c.inputs[0];
  if (indices.rank() == 0) return c.Set(0, {dims.dim(0)});
  if (indices.rank() == 1) return c.Set(0, {dims.dim(0), indices.dim(0)});
  return absl::OkStatus();
}

absl::Status FingerprintShape(ShapeContext& c) {
  SLUICE_ASSIGN(const PartialShape data, c.OfRankAtLeast(0, 1));
  return c.Set(0, {data.rank_known() ? data.dim(0) : kUnknown, 8});
}

constexpr ShapeRule kRules[] = {
    {"Bitcast", BitcastShape},
    {"BroadcastArgs", BroadcastArgsShape},
    {"BroadcastGradientArgs", BroadcastGradientArgsShape},
    {"BroadcastTo", BroadcastToShape},
    {"Concat", ConcatShape},
    {"ConcatOffset", ConcatOffsetShape},
    {"ConcatV2", ConcatV2Shape},
    {"Const", ConstShape},
    {"DebugGradientIdentity", Unchanged},
    {"DebugGradientRefIdentity", Unchanged},
    {"DeepCopy", Unchanged},
    {"Diag", DiagShape},
    {"DiagPart", DiagPartShape},
    {"DynamicPartition", DynamicPartitionShape},
    {"DynamicStitch", DynamicStitchShape},
    {"Empty", StatedShape},
    {"EnsureShape",
     [](ShapeContext& c) {
       SLUICE_ASSIGN(PartialShape shape, c.Get<PartialShape>("shape"));
       SLUICE_ASSIGN(c.outputs[0], shape.MergeWith(c.inputs[0]));
       return absl::OkStatus();
     }},
    {"ExpandDims", ExpandDimsShape},
    {"Fill", FillShape},
    {"Fingerprint", FingerprintShape},
    {"GuaranteeConst", Unchanged},
    {"Identity", Unchanged},
    {"IdentityN", EachUnchanged},
    {"ImmutableConst", ShapeAttr},
    {"InplaceSub", Unchanged},
    {"InvertPermutation", Unchanged},
    {"ListDiff", ListDiffShape},
    {"LowerBound", LikeSecond},
    {"MatrixBandPart", Unchanged},
    {"MatrixSetDiag", MatrixSetDiagShape},
    {"MatrixSetDiagV2", Unchanged},
    {"MatrixSetDiagV3", Unchanged},
    {"MirrorPad", PadShape},
    {"OneHot", OneHotShape},
    {"OnesLike", Unchanged},
    {"Pack", PackShape},
    {"Pad", PadShape},
    {"PadV2", PadShape},
    {"ParallelConcat", ParallelConcatShape},
    {"ParallelDynamicStitch", DynamicStitchShape},
    {"PeriodicResample", PeriodicResampleShape},
    {"PeriodicResampleOpGrad", ResampledShape},
    {"Placeholder", PlaceholderShape},
    {"PlaceholderV2", ShapeAttr},
    {"PlaceholderWithDefault", PlaceholderWithDefaultShape},
    {"PreventGradient", Unchanged},
    {"Rank", AllScalars},
    {"RefIdentity", Unchanged},
    {"Reshape", ReshapeShape},
    {"ResourceStridedSliceAssign", NoOutputs},
    {"ReverseV2", ReverseAlongShape},
    {"Roll", Unchanged},
    {"Shape", ShapeOfEach},
    {"ShapeN", ShapeOfEach},
    {"Size", AllScalars},
    {"Snapshot", Unchanged},
    {"Split", SplitShape},
    {"SplitV", SplitVShape},
    {"Squeeze", SqueezeShape},
    {"StopGradient", Unchanged},
    {"StridedSliceAssign", Unchanged},
    {"TensorStridedSliceUpdate", Unchanged},
    {"Tile", TileShape},
    {"Transpose", TransposeShape},
    {"Unique", UniqueShape},
    {"UniqueWithCounts", UniqueShape},
    {"Unpack", UnpackShape},
    {"UnravelIndex", UnravelIndexShape},
    {"UpperBound", LikeSecond},
    {"Where", WhereShape},
    {"ZerosLike", Unchanged},
    {"_ParallelConcatStart", ShapeAttr},
    {"_ParallelConcatUpdate", Unchanged},
};

}  // namespace

absl::Span<const ShapeRule> ArrayRules() { return kRules; }

}  // namespace sluice::graph
