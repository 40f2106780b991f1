// SPDX-License-Identifier: Apache-2.0
// StringSplit(V2), ReduceJoin, Substr: strings whose number or position changes.
#include "absl/strings/ascii.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "core/runtime/kernel_registry.h"
#include "core/threads/cancel_scope.h"
#include "kernels/any/strings/register.h"

namespace sluice::kernels {
namespace {

using Parts = std::vector<absl::string_view>;

// The parts of each string as a sparse matrix: indices [n, 2], values [n], shape [2].
absl::Status SetSparseParts(KernelContext& ctx, absl::Span<const Parts> rows) {
  size_t count = 0, widest = 0;
  for (const Parts& parts : rows) {
    count += parts.size();
    widest = std::max(widest, parts.size());
  }
  SLUICE_ASSIGN(Tensor * indices, ctx.AllocateOutput(0, {static_cast<int64_t>(count), 2}));
  SLUICE_ASSIGN(Tensor * values, ctx.AllocateOutput(1, {static_cast<int64_t>(count)}));
  SLUICE_ASSIGN(Tensor * shape, ctx.AllocateOutput(2, {2}));
  int64_t* index = indices->mutable_data<int64_t>();
  std::string* value = values->mutable_data<std::string>();
  CancelPoints points(1 << 14);
  for (size_t row = 0; row < rows.size(); ++row) {
    points.Pass(1 + static_cast<int64_t>(rows[row].size()));
    for (size_t i = 0; i < rows[row].size(); ++i) {
      *index++ = static_cast<int64_t>(row);
      *index++ = static_cast<int64_t>(i);
      (value++)->assign(rows[row][i].data(), rows[row][i].size());
    }
  }
  shape->mutable_data<int64_t>()[0] = static_cast<int64_t>(rows.size());
  shape->mutable_data<int64_t>()[1] = static_cast<int64_t>(widest);
  return absl::OkStatus();
}

absl::Status CheckSplitInputs(const KernelContext& ctx, absl::string_view separator) {
  if (ctx.input(0).rank() != 1) {
    return InvalidArgument("input must be a vector, got shape: ", ctx.input(0).shape());
  }
  if (ctx.input(1).rank() != 0) {
    return InvalidArgument(separator, " must be a scalar, got shape: ", ctx.input(1).shape());
  }
  return absl::OkStatus();
}

// Every character of `delimiters` splits; if it is empty, every byte is a part.
struct StringSplit {
  bool skip_empty;

  static absl::StatusOr<StringSplit> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const bool skip, node.Get<bool>("skip_empty"));
    return StringSplit{skip};
  }
  Parts Split(absl::string_view text, absl::string_view delimiters) const {
    Parts parts;
    if (delimiters.empty()) {
      for (size_t i = 0; i < text.size(); ++i) parts.push_back(text.substr(i, 1));
      return parts;
    }
    if (text.empty()) return parts;
    for (const absl::string_view part : absl::StrSplit(text, absl::ByAnyChar(delimiters))) {
      if (!skip_empty || !part.empty()) parts.push_back(part);
    }
    return parts;
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_RETURN_IF_ERROR(CheckSplitInputs(ctx, "delimiter"));
    std::vector<Parts> rows;
    CancelPoints points(64);
    for (const std::string& text : ctx.input(0).flat<std::string>()) {
      points.Pass();
      rows.push_back(Split(text, ctx.input(1).scalar<std::string>()));
    }
    return SetSparseParts(ctx, rows);
  }
};

// Python's str.split: without a separator it splits at runs of white space.
struct StringSplitV2 {
  int64_t most;  // number of splits; negative: all

  static absl::StatusOr<StringSplitV2> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const int64_t most, node.Get<int64_t>("maxsplit"));
    return StringSplitV2{most};
  }
  bool Full(const Parts& parts) const {
    return most >= 0 && parts.size() >= static_cast<uint64_t>(most);
  }
  // The text after the last split is a part, even if it is empty: TensorFlow's rule.
  Parts AtSpace(absl::string_view text) const {
    Parts parts;
    if (Full(parts)) return {text};
    for (text = absl::StripLeadingAsciiWhitespace(text); !text.empty();) {
      size_t end = 0;
      while (end < text.size() && !absl::ascii_isspace(static_cast<unsigned char>(text[end])))
        ++end;
      parts.push_back(text.substr(0, end));
      text = absl::StripLeadingAsciiWhitespace(text.substr(end));
      if (!Full(parts)) continue;
      parts.push_back(text);
      break;
    }
    return parts;
  }
  Parts AtSeparator(absl::string_view text, absl::string_view separator) const {
    Parts parts;
    while (!Full(parts)) {
      const size_t at = text.find(separator);
      if (at == absl::string_view::npos) break;
      parts.push_back(text.substr(0, at));
      text.remove_prefix(at + separator.size());
    }
    parts.push_back(text);
    return parts;
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_RETURN_IF_ERROR(CheckSplitInputs(ctx, "sep"));
    const std::string& separator = ctx.input(1).scalar<std::string>();
    std::vector<Parts> rows;
    CancelPoints points(64);
    for (const std::string& text : ctx.input(0).flat<std::string>()) {
      points.Pass();
      rows.push_back(separator.empty() ? AtSpace(text) : AtSeparator(text, separator));
    }
    return SetSparseParts(ctx, rows);
  }
};

// Joins along the given dimensions, the first of them varying fastest.
struct ReduceJoin {
  bool keep_dims;
  std::string separator;

  static absl::StatusOr<ReduceJoin> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const bool keep, node.Get<bool>("keep_dims"));
    SLUICE_ASSIGN(std::string separator, node.Get<std::string>("separator"));
    return ReduceJoin{keep, std::move(separator)};
  }

  static absl::StatusOr<std::vector<int>> Axes(const Tensor& indices, int rank) {
    std::vector<int> axes;
    for (const int32_t index : indices.flat<int32_t>()) {
      const int axis = index < 0 ? index + rank : index;
      if (axis < 0 || axis >= rank) {
        return OutOfRange("Invalid reduction dimension ", index, " for input with ", rank,
                          " dimension(s)");
      }
      if (std::find(axes.begin(), axes.end(), axis) != axes.end()) {
        return InvalidArgument("Duplicate reduction dimension ", axis);
      }
      axes.push_back(axis);
    }
    return axes;
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& input = ctx.input(0);
    const Shape& shape = input.shape();
    SLUICE_ASSIGN(const std::vector<int> axes, Axes(ctx.input(1), shape.rank()));
    if (axes.empty()) {
      ctx.SetOutput(0, input);
      return absl::OkStatus();
    }
    std::vector<int64_t> strides(shape.rank(), 1);
    for (int d = shape.rank() - 2; d >= 0; --d) strides[d] = strides[d + 1] * shape.dim(d + 1);
    Shape out_shape;
    std::vector<int> kept;
    for (int d = 0; d < shape.rank(); ++d) {
      const bool reduced = std::find(axes.begin(), axes.end(), d) != axes.end();
      if (!reduced) kept.push_back(d);
      if (!reduced || keep_dims) out_shape.AddDim(reduced ? 1 : shape.dim(d));
    }
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, out_shape));
    if (out_shape.num_elements() == 0) return absl::OkStatus();
    const std::vector<int> slow_to_fast(axes.rbegin(), axes.rend());
    const std::vector<int64_t> inner = Offsets(shape, strides, slow_to_fast);
    const std::vector<int64_t> outer = Offsets(shape, strides, kept);
    std::vector<absl::string_view> pieces(inner.size());
    CancelPoints points(1 << 14);
    for (size_t o = 0; o < outer.size(); ++o) {
      points.Pass(1 + static_cast<int64_t>(inner.size()));
      for (size_t i = 0; i < inner.size(); ++i) {
        pieces[i] = input.data<std::string>()[outer[o] + inner[i]];
      }
      out->mutable_data<std::string>()[o] = absl::StrJoin(pieces, separator);
    }
    return absl::OkStatus();
  }

  // The positions of the elements along these dimensions, the last one varying fastest.
  static std::vector<int64_t> Offsets(const Shape& shape, absl::Span<const int64_t> strides,
                                      absl::Span<const int> dims) {
    for (const int d : dims) {
      if (shape.dim(d) == 0) return {};
    }
    std::vector<int64_t> offsets{0};
    for (const int d : dims) {
      std::vector<int64_t> next;
      for (const int64_t offset : offsets) {
        for (int64_t i = 0; i < shape.dim(d); ++i) next.push_back(offset + i * strides[d]);
      }
      offsets = std::move(next);
    }
    return offsets;
  }
};

// The start of the n-th character from `at`; the end if there are fewer.
size_t Forward(absl::string_view s, size_t at, int64_t n) {
  for (; n > 0 && at < s.size(); --n) {
    do {
      ++at;
    } while (at < s.size() && (s[at] & 0xc0) == 0x80);
  }
  return at;
}

struct Substr {
  bool characters;

  static absl::StatusOr<Substr> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const std::string unit, node.Get<std::string>("unit"));
    return Substr{unit == "UTF8_CHAR"};
  }

  // Returns false if `pos` is outside. A negative length means the whole rest, but not if
  // characters are counted from the back.
  bool Part(const std::string& s, int64_t pos, int64_t length, std::string* to) const {
    const auto size =
        characters ? std::count_if(s.begin(), s.end(), [](char c) { return (c & 0xc0) != 0x80; })
                   : static_cast<int64_t>(s.size());
    if (pos < -size || pos > size || (characters && pos < 0 && length < 0)) return false;
    if (pos < 0) pos += size;
    if (!characters) {
      *to = s.substr(static_cast<size_t>(pos),
                     length < 0 ? std::string::npos : static_cast<size_t>(length));
      return true;
    }
    const size_t begin = Forward(s, 0, pos);
    *to = s.substr(begin, Forward(s, begin, length) - begin);
    return true;
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& input = ctx.input(0);
    const Tensor& pos = ctx.input(1);
    const Tensor& length = ctx.input(2);
    if (!(pos.shape() == length.shape())) {
      return InvalidArgument("pos and len should have the same shape, got: ", pos.shape(), " vs. ",
                             length.shape());
    }
    SLUICE_ASSIGN(const Shape shape, Broadcast(input.shape(), pos.shape()));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    const std::vector<int64_t> from = Offsets(shape, input.shape());
    const std::vector<int64_t> at = Offsets(shape, pos.shape());
    CancelPoints points(1 << 20);
    for (int64_t i = 0; i < shape.num_elements(); ++i) {
      const std::string& s = input.data<std::string>()[from[i]];
      points.Pass(static_cast<int64_t>(s.size()) + 64);
      const int64_t p = IntAt(pos, at[i]);
      if (!Part(s, p, IntAt(length, at[i]), &out->mutable_data<std::string>()[i])) {
        return InvalidArgument("pos ", p, " out of range for string",
                               characters ? "" : Cat(" b'", s, "'"), " at index ", i);
      }
    }
    return absl::OkStatus();
  }

  static int64_t IntAt(const Tensor& t, int64_t i) {
    return t.dtype() == kInt32 ? t.data<int32_t>()[i] : t.data<int64_t>()[i];
  }
  static absl::StatusOr<Shape> Broadcast(const Shape& a, const Shape& b) {
    const int rank = std::max(a.rank(), b.rank());
    Shape::Dims dims(rank);
    for (int d = 0; d < rank; ++d) {
      const int64_t x = SizeAt(a, rank, d), y = SizeAt(b, rank, d);
      if (x != y && x != 1 && y != 1) {
        return InvalidArgument("Incompatible shapes: ", a, " vs. ", b);
      }
      dims[d] = x == 1 ? y : x;
    }
    return Shape::Create(dims);
  }
  static int64_t SizeAt(const Shape& shape, int rank, int d) {
    const int own = d - (rank - shape.rank());
    return own < 0 ? 1 : shape.dim(own);
  }
  // For each element of `whole`, its index in `from`.
  static std::vector<int64_t> Offsets(const Shape& whole, const Shape& from) {
    std::vector<int64_t> offsets(whole.num_elements(), 0);
    int64_t inner = 1, stride = 1;
    for (int d = whole.rank() - 1; d >= 0; --d) {
      const int64_t size = whole.dim(d), own = SizeAt(from, whole.rank(), d);
      if (own > 1) {
        for (size_t i = 0; i < offsets.size(); ++i) {
          offsets[i] += (static_cast<int64_t>(i) / inner % size) * stride;
        }
      }
      inner *= size;
      stride *= own;
    }
    return offsets;
  }
};

}  // namespace

void RegisterStringShapes(KernelRegistry& kernels) {
  kernels.Add<StringSplit>("StringSplit", kCpu);
  kernels.Add<StringSplitV2>("StringSplitV2", kCpu);
  kernels.Add<ReduceJoin>("ReduceJoin", kCpu);
  kernels.Add<Substr>("Substr", kCpu, {{"T", kIndex}});
}

}  // namespace sluice::kernels
