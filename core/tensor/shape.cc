// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/shape.h"

#include <utility>

#include "absl/base/internal/raw_logging.h"
#include "absl/strings/str_join.h"

namespace sluice {
namespace {

[[noreturn]] void Die(const std::string& why) {
  ABSL_RAW_LOG(FATAL, "%s", why.c_str());
  __builtin_unreachable();
}

std::string Join(absl::Span<const int64_t> dims) {
  return absl::StrCat("[",
                      absl::StrJoin(dims, ",",
                                    [](std::string* out, int64_t d) {
                                      d < 0 ? absl::StrAppend(out, "?") : absl::StrAppend(out, d);
                                    }),
                      "]");
}

// The product of the sizes, without unknown sizes and zeros. So [0, 2^62, 2^62] is refused too, and
// the product of any subset of the dimensions fits.
absl::Status Check(absl::Span<const int64_t> dims, int64_t smallest) {
  if (dims.size() > kMaxRank) {
    return InvalidArgument("shape has ", dims.size(), " dimensions, the limit is ", kMaxRank);
  }
  int64_t product = 1;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] < smallest)
      return InvalidArgument("Dimension ", dims[i], " must be >= ", smallest, ": size ", i,
                             " of a shape");
    const int64_t before = product;
    if (dims[i] > 0 && !MulFits(before, dims[i], &product)) {
      return InvalidArgument("Encountered overflow when multiplying ", before, " with ", dims[i],
                             ". Shape ", Join(dims), " would have more than 2**63 - 1 elements");
    }
  }
  return absl::OkStatus();
}

}  // namespace

Shape::Shape(std::initializer_list<int64_t> dims) : dims_(dims.begin(), dims.end()) { Count(); }

absl::StatusOr<Shape> Shape::Create(absl::Span<const int64_t> dims) {
  SLUICE_RETURN_IF_ERROR(Check(dims, 0));
  Shape shape;
  shape.dims_.assign(dims.begin(), dims.end());
  shape.num_elements_ = 1;
  for (int64_t d : dims) shape.num_elements_ *= d;
  return shape;
}

void Shape::Count() {
  // For trusted sizes: the product must fit, even if a zero hides an overflow.
  int64_t product = 1;
  bool empty = false, bad = rank() > kMaxRank;
  for (int64_t d : dims_) {
    bad = bad || d < 0 || (d > 0 && !MulFits(product, d, &product));
    empty = empty || d == 0;
  }
  if (bad) Die("impossible shape " + Join(dims_));
  num_elements_ = empty ? 0 : product;
}

void Shape::AddDim(int64_t size) {
  dims_.push_back(size);
  Count();
}
void Shape::InsertDim(int at, int64_t size) {
  dims_.insert(dims_.begin() + at, size);
  Count();
}
void Shape::RemoveDim(int at) {
  dims_.erase(dims_.begin() + at);
  Count();
}
void Shape::SetDim(int at, int64_t size) {
  dims_[at] = size;
  Count();
}

std::string Shape::ToString() const { return Join(dims_); }

PartialShape::PartialShape(std::initializer_list<int64_t> dims)
    : known_(true), dims_(dims.begin(), dims.end()) {
  if (absl::Status status = Check(dims_, -1); !status.ok()) Die(std::string(status.message()));
}

PartialShape::PartialShape(const Shape& shape)
    : known_(true), dims_(shape.dims().begin(), shape.dims().end()) {}

absl::StatusOr<PartialShape> PartialShape::Create(absl::Span<const int64_t> dims) {
  SLUICE_RETURN_IF_ERROR(Check(dims, -1));
  PartialShape shape;
  shape.known_ = true;
  shape.dims_.assign(dims.begin(), dims.end());
  return shape;
}

PartialShape PartialShape::UnknownOfRank(int rank) {
  PartialShape shape;
  shape.known_ = true;
  shape.dims_.assign(rank, -1);
  return shape;
}

bool PartialShape::fully_known() const {
  if (!known_) return false;
  for (int64_t d : dims_) {
    if (d < 0) return false;
  }
  return true;
}

absl::StatusOr<Shape> PartialShape::ToShape() const {
  if (!fully_known()) return InvalidArgument("shape ", *this, " is not fully known");
  return Shape::Create(dims_);
}

bool PartialShape::CompatibleWith(const PartialShape& other) const {
  if (!known_ || !other.known_) return true;
  if (dims_.size() != other.dims_.size()) return false;
  for (size_t i = 0; i < dims_.size(); ++i) {
    if (dims_[i] >= 0 && other.dims_[i] >= 0 && dims_[i] != other.dims_[i]) return false;
  }
  return true;
}

absl::StatusOr<PartialShape> PartialShape::MergeWith(const PartialShape& other) const {
  if (known_ && other.known_ && dims_.size() != other.dims_.size())
    return InvalidArgument("PartialTensorShape: Incompatible ranks during merge: ", dims_.size(),
                           " vs. ", other.dims_.size());
  if (!CompatibleWith(other))
    return InvalidArgument("PartialTensorShape: Incompatible shapes during merge: ", *this, " vs. ",
                           other);
  if (!known_) return other;
  PartialShape merged = *this;
  if (other.known_) {
    for (size_t i = 0; i < dims_.size(); ++i) {
      if (merged.dims_[i] < 0) merged.dims_[i] = other.dims_[i];
    }
  }
  // Two shapes that fit may merge into one that does not.
  SLUICE_RETURN_IF_ERROR(Check(merged.dims_, -1));
  return merged;
}

std::string PartialShape::ToString() const { return known_ ? Join(dims_) : "<unknown>"; }

}  // namespace sluice
