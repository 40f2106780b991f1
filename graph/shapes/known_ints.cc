// SPDX-License-Identifier: Apache-2.0
// The values of shape arithmetic, so that reshape(x, [shape(x)[0], 10]) has a shape. Only small
// tensors are tracked.
#include <algorithm>
#include <limits>

#include "absl/container/flat_hash_map.h"
#include "graph/shapes/rules.h"
#include "graph/shapes/strided_slice.h"

namespace sluice::graph {
namespace {

constexpr int64_t kMaxKnown = 1024;

using Known = std::optional<KnownInts>;
using Rule = Known (*)(const ShapeContext& c);

bool IsInt(DType type) { return type == kInt32 || type == kInt64; }

// Number of elements of the first output, or -1 when unknown or too many.
int64_t Count(const ShapeContext& c) {
  const int64_t count = ElementCount(c.outputs[0]);
  return count <= kMaxKnown ? count : -1;
}

// A result that its type cannot hold is not tracked further.
int64_t Fit(const ShapeContext& c, int64_t value) {
  if (value == kUnknownInt || RemoveRef(c.node.output_types[0]) != kInt32) return value;
  return value >= std::numeric_limits<int32_t>::min() &&
                 value <= std::numeric_limits<int32_t>::max()
             ? value
             : kUnknownInt;
}

Known OfConst(const ShapeContext& c) {
  auto value = c.Get<Tensor>("value");
  if (!value.ok() || value->num_elements() > kMaxKnown) return std::nullopt;
  if (value->dtype() == kInt32)
    return KnownInts(value->flat<int32_t>().begin(), value->flat<int32_t>().end());
  if (value->dtype() == kInt64)
    return KnownInts(value->flat<int64_t>().begin(), value->flat<int64_t>().end());
  return std::nullopt;
}

Known Sizes(const PartialShape& shape) {
  if (!shape.rank_known()) return std::nullopt;
  KnownInts sizes(shape.dims().begin(), shape.dims().end());
  std::replace(sizes.begin(), sizes.end(), int64_t{-1}, kUnknownInt);
  return sizes;
}

Known OfShape(const ShapeContext& c) { return Sizes(c.inputs[0]); }
Known OfVariableShape(const ShapeContext& c) { return Sizes(c.held[0]); }

Known OfRank(const ShapeContext& c) {
  return c.inputs[0].rank_known() ? Known(KnownInts{c.inputs[0].rank()}) : std::nullopt;
}

Known OfSize(const ShapeContext& c) {
  const int64_t count = ElementCount(c.inputs[0]);
  return count >= 0 ? Known(KnownInts{Fit(c, count)}) : std::nullopt;
}

Known Same(const ShapeContext& c) {
  return c.ints[0] != nullptr ? Known(*c.ints[0]) : std::nullopt;
}

Known OfCast(const ShapeContext& c) {
  if (c.ints[0] == nullptr || !IsInt(c.node.input_types[0])) return std::nullopt;
  KnownInts values = *c.ints[0];
  for (int64_t& v : values) v = Fit(c, v);
  return values;
}

// Inputs [begin, end) joined along an axis; `before` dimensions precede it.
Known Joined(const ShapeContext& c, int begin, int end, int before) {
  int64_t total = 0, outer = -1;
  std::vector<KnownInts> parts;
  for (int i = begin; i < end; ++i) {
    if (!c.inputs[i].fully_known()) return std::nullopt;
    auto shape = c.inputs[i].ToShape();
    if (!shape.ok() || (total += shape->num_elements()) > kMaxKnown || shape->rank() < before)
      return std::nullopt;
    int64_t rows = 1;
    for (int d = 0; d < before; ++d) rows *= shape->dim(d);
    if (rows == 0 || (outer >= 0 && outer != rows)) return std::nullopt;
    outer = rows;
    parts.push_back(c.ints[i] != nullptr ? *c.ints[i]
                                         : KnownInts(shape->num_elements(), kUnknownInt));
  }
  KnownInts values;
  for (int64_t row = 0; row < outer; ++row) {
    for (const KnownInts& part : parts) {
      const auto size = static_cast<int64_t>(part.size()) / outer;
      values.insert(values.end(), part.begin() + row * size, part.begin() + (row + 1) * size);
    }
  }
  return values;
}
Known OfPack(const ShapeContext& c) {
  auto axis = FrontAxis(GetAttrOr<int64_t>(c.node.attrs, "axis", 0), c.inputs[0].rank() + 1);
  return axis.ok() ? Joined(c, 0, c.num_inputs(), *axis) : std::nullopt;
}
Known OfConcatAlong(const ShapeContext& c, int begin, int end, int axis_input) {
  const auto stated = c.Int(axis_input);
  if (!stated) return std::nullopt;
  auto axis = FrontAxis(*stated, c.inputs[begin].rank());
  return axis.ok() ? Joined(c, begin, end, *axis) : std::nullopt;
}
Known OfConcat(const ShapeContext& c) { return OfConcatAlong(c, 1, c.num_inputs(), 0); }
Known OfConcatV2(const ShapeContext& c) {
  return OfConcatAlong(c, 0, c.num_inputs() - 1, c.num_inputs() - 1);
}

Known OfStridedSlice(const ShapeContext& c) {
  if (c.ints[0] == nullptr || c.inputs[0].rank() != 1) return std::nullopt;
  auto slice = ReadStridedSlice(c);
  if (!slice.ok() || !*slice || (*slice)->count < 0 || (*slice)->begin == kUnknownInt)
    return std::nullopt;
  KnownInts values;
  for (int64_t i = 0; i < (*slice)->count; ++i) {
    const int64_t at = (*slice)->begin + i * (*slice)->stride;
    if (at < 0 || at >= static_cast<int64_t>(c.ints[0]->size())) return std::nullopt;
    values.push_back((*c.ints[0])[at]);
  }
  return values;
}

Known OfSlice(const ShapeContext& c) {
  const auto begin = c.Int(1), size = c.Int(2);
  if (c.ints[0] == nullptr || c.inputs[0].rank() != 1 || !begin || !size) return std::nullopt;
  const auto whole = static_cast<int64_t>(c.ints[0]->size());
  if (*begin < 0 || *begin > whole || *size < -1 || *size > whole - *begin) return std::nullopt;
  auto first = c.ints[0]->begin() + *begin;
  return KnownInts(first, *size == -1 ? c.ints[0]->end() : first + *size);
}

Known OfGather(const ShapeContext& c) {
  if (c.ints[0] == nullptr || c.ints[1] == nullptr || c.inputs[0].rank() != 1) return std::nullopt;
  if (c.num_inputs() > 2 && c.Int(2) != 0) return std::nullopt;
  KnownInts values;
  for (int64_t at : *c.ints[1]) {
    if (at < 0 || at >= static_cast<int64_t>(c.ints[0]->size())) return std::nullopt;
    values.push_back((*c.ints[0])[at]);
  }
  return values;
}

Known OfFill(const ShapeContext& c) {
  const int64_t count = Count(c);
  if (count < 0 || c.ints[1] == nullptr || c.ints[1]->size() != 1) return std::nullopt;
  return KnownInts(count, (*c.ints[1])[0]);
}

Known OfRange(const ShapeContext& c) {
  const auto start = c.Int(0), delta = c.Int(2);
  const int64_t count = Count(c);
  if (count < 0 || !start || !delta) return std::nullopt;
  KnownInts values;
  for (int64_t i = 0; i < count; ++i) values.push_back(*start + i * *delta);
  return values;
}

// Indices and data of single integers, as DynamicStitch has them. Later ones win.
Known OfStitch(const ShapeContext& c) {
  const int64_t count = Count(c);
  const int n = c.num_inputs() / 2;
  if (count < 0 || c.outputs[0].rank() != 1) return std::nullopt;
  KnownInts values(count, kUnknownInt);
  for (int i = 0; i < n; ++i) {
    if (c.ints[i] == nullptr) return std::nullopt;
    for (size_t k = 0; k < c.ints[i]->size(); ++k) {
      const int64_t at = (*c.ints[i])[k];
      if (at < 0 || at >= count) return std::nullopt;
      const KnownInts* data = c.ints[n + i];
      values[at] = data != nullptr && k < data->size() ? (*data)[k] : kUnknownInt;
    }
  }
  return values;
}

template <typename Op>
Known Elementwise(const ShapeContext& c, Op op) {
  const int64_t count = Count(c);
  if (count < 0 || c.ints[0] == nullptr || c.ints[1] == nullptr) return std::nullopt;
  const KnownInts &a = *c.ints[0], &b = *c.ints[1];
  // Only a scalar, or one element, is repeated.
  if ((a.size() != 1 && static_cast<int64_t>(a.size()) != count) ||
      (b.size() != 1 && static_cast<int64_t>(b.size()) != count)) {
    return std::nullopt;
  }
  KnownInts values(count, kUnknownInt);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t x = a[a.size() == 1 ? 0 : i], y = b[b.size() == 1 ? 0 : i];
    int64_t result;
    if (x != kUnknownInt && y != kUnknownInt && op(x, y, &result)) values[i] = Fit(c, result);
  }
  return values;
}
Known OfAdd(const ShapeContext& c) {
  return Elementwise(
      c, [](int64_t x, int64_t y, int64_t* z) { return !__builtin_add_overflow(x, y, z); });
}
Known OfSub(const ShapeContext& c) {
  return Elementwise(
      c, [](int64_t x, int64_t y, int64_t* z) { return !__builtin_sub_overflow(x, y, z); });
}
Known OfMul(const ShapeContext& c) {
  return Elementwise(
      c, [](int64_t x, int64_t y, int64_t* z) { return !__builtin_mul_overflow(x, y, z); });
}
Known OfMaximum(const ShapeContext& c) {
  return Elementwise(c, [](int64_t x, int64_t y, int64_t* z) { return *z = std::max(x, y), true; });
}
Known OfMinimum(const ShapeContext& c) {
  return Elementwise(c, [](int64_t x, int64_t y, int64_t* z) { return *z = std::min(x, y), true; });
}
// Both round down, as Python does. Division by -1 is skipped because of INT64_MIN.
Known OfFloorDiv(const ShapeContext& c) {
  return Elementwise(c, [](int64_t x, int64_t y, int64_t* z) {
    if (y == 0 || y == -1) return false;
    *z = x / y - (x % y != 0 && (x < 0) != (y < 0));
    return true;
  });
}
Known OfFloorMod(const ShapeContext& c) {
  return Elementwise(c, [](int64_t x, int64_t y, int64_t* z) {
    if (y == 0 || y == -1) return false;
    *z = x % y;
    if (*z != 0 && (*z < 0) != (y < 0)) *z += y;
    return true;
  });
}

Known OfInvertPermutation(const ShapeContext& c) {
  if (c.ints[0] == nullptr) return std::nullopt;
  KnownInts values(c.ints[0]->size(), kUnknownInt);
  for (size_t i = 0; i < c.ints[0]->size(); ++i) {
    const int64_t at = (*c.ints[0])[i];
    if (at < 0 || at >= static_cast<int64_t>(values.size())) return std::nullopt;
    values[at] = static_cast<int64_t>(i);
  }
  return values;
}

Known OfTranspose(const ShapeContext& c) {  // of a matrix
  if (c.ints[0] == nullptr || c.inputs[0].rank() != 2 || !c.inputs[0].fully_known() ||
      (c.Int(1, 0) != 1 && c.Int(1, 0) != -1))
    return std::nullopt;
  const int64_t rows = c.inputs[0].dim(0), columns = c.inputs[0].dim(1);
  KnownInts values;
  for (int64_t column = 0; column < columns; ++column) {
    for (int64_t row = 0; row < rows; ++row) values.push_back((*c.ints[0])[row * columns + column]);
  }
  return values;
}

Known OfNeg(const ShapeContext& c) {
  if (c.ints[0] == nullptr) return std::nullopt;
  KnownInts values = *c.ints[0];
  for (int64_t& v : values) v = v == kUnknownInt ? v : Fit(c, -v);
  return values;
}

// Reduces a whole vector to one number.
template <typename Op>
Known Folded(const ShapeContext& c, int64_t start, Op op) {
  if (c.ints[0] == nullptr || c.inputs[0].rank() != 1 || Count(c) != 1) return std::nullopt;
  int64_t result = start;
  for (int64_t v : *c.ints[0]) {
    if (v == kUnknownInt || !op(result, v, &result)) return std::nullopt;
  }
  return KnownInts{Fit(c, result)};
}
Known OfProd(const ShapeContext& c) {
  return Folded(c, 1,
                [](int64_t x, int64_t y, int64_t* z) { return !__builtin_mul_overflow(x, y, z); });
}
Known OfSum(const ShapeContext& c) {
  return Folded(c, 0,
                [](int64_t x, int64_t y, int64_t* z) { return !__builtin_add_overflow(x, y, z); });
}

const absl::flat_hash_map<absl::string_view, Rule>& Rules() {
  static const auto& rules =
      *new absl::flat_hash_map<absl::string_view, Rule>{{"Add", OfAdd},
                                                        {"AddV2", OfAdd},
                                                        {"Cast", OfCast},
                                                        {"Concat", OfConcat},
                                                        {"ConcatV2", OfConcatV2},
                                                        {"Const", OfConst},
                                                        {"DynamicStitch", OfStitch},
                                                        {"ExpandDims", Same},
                                                        {"Fill", OfFill},
                                                        {"FloorDiv", OfFloorDiv},
                                                        {"FloorMod", OfFloorMod},
                                                        {"Gather", OfGather},
                                                        {"GatherV2", OfGather},
                                                        {"GuaranteeConst", Same},
                                                        {"Identity", Same},
                                                        {"InvertPermutation", OfInvertPermutation},
                                                        {"Maximum", OfMaximum},
                                                        {"Minimum", OfMinimum},
                                                        {"Mul", OfMul},
                                                        {"Neg", OfNeg},
                                                        {"Pack", OfPack},
                                                        {"PreventGradient", Same},
                                                        {"Prod", OfProd},
                                                        {"Range", OfRange},
                                                        {"Rank", OfRank},
                                                        {"Reshape", Same},
                                                        {"Shape", OfShape},
                                                        {"Size", OfSize},
                                                        {"Slice", OfSlice},
                                                        {"Snapshot", Same},
                                                        {"Squeeze", Same},
                                                        {"StopGradient", Same},
                                                        {"StridedSlice", OfStridedSlice},
                                                        {"Sub", OfSub},
                                                        {"Sum", OfSum},
                                                        {"Transpose", OfTranspose},
                                                        {"VariableShape", OfVariableShape}};
  return rules;
}

}  // namespace

std::optional<std::pair<KnownInts, KnownInts>> BroadcastGradientAxes(const ShapeContext& c) {
  if (c.ints[0] == nullptr || c.ints[1] == nullptr) return std::nullopt;
  const KnownInts &a = *c.ints[0], &b = *c.ints[1];
  auto known = [](const KnownInts& sizes) {
    return std::find(sizes.begin(), sizes.end(), kUnknownInt) == sizes.end();
  };
  if (!known(a) || !known(b)) return std::nullopt;
  std::pair<KnownInts, KnownInts> axes;
  if (a == b) return axes;
  const auto rank = static_cast<int64_t>(std::max(a.size(), b.size()));
  for (int64_t i = 0; i < rank; ++i) {
    const int64_t ia = i - (rank - static_cast<int64_t>(a.size())),
                  ib = i - (rank - static_cast<int64_t>(b.size()));
    if (ia < 0 || a[ia] == 1) axes.first.push_back(i);
    if (ib < 0 || b[ib] == 1) axes.second.push_back(i);
  }
  return axes;
}

std::vector<Known> KnownOutputs(const ShapeContext& c) {
  std::vector<Known> known(c.outputs.size());
  if (c.outputs.empty() || !IsInt(c.node.output_types[0])) return known;
  if (c.node.op() == "ShapeN") {
    for (size_t i = 0; i < known.size(); ++i) known[i] = Sizes(c.inputs[i]);
    return known;
  }
  if (c.node.op() == "BroadcastGradientArgs") {
    auto axes = BroadcastGradientAxes(c);
    if (axes) known = {std::move(axes->first), std::move(axes->second)};
    return known;
  }
  if (c.node.op() == "Unpack") {
    if (c.num_inputs() != 1 || c.ints[0] == nullptr || c.inputs[0].rank() != 1) return known;
    for (size_t i = 0; i < known.size() && i < c.ints[0]->size(); ++i)
      known[i] = KnownInts{(*c.ints[0])[i]};
    return known;
  }
  if (c.node.flow() == Flow::kEnter ||
      c.node.flow() == Flow::kSwitch) {  // the value passes unchanged
    for (Known& k : known) k = Same(c);
    return known;
  }
  auto rule = Rules().find(c.node.op());
  if (rule == Rules().end() || rule->second == nullptr) return known;
  known[0] = rule->second(c);
  // A value that does not fit the shape is an error of the graph, reported elsewhere.
  if (known[0] && (Count(c) < 0 || Count(c) != static_cast<int64_t>(known[0]->size())))
    known[0].reset();
  if (known[0] &&
      std::all_of(known[0]->begin(), known[0]->end(), [](int64_t v) { return v == kUnknownInt; }) &&
      !known[0]->empty()) {
    known[0].reset();
  }
  return known;
}

}  // namespace sluice::graph
