// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_TENSOR_SHAPE_H_
#define SLUICE_CORE_TENSOR_SHAPE_H_

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "core/status.h"

namespace sluice {

constexpr int kMaxRank = 254;

// The fully known shape of a tensor, row-major, outermost dimension first. Its sizes are immutable,
// >= 0, and their product fits int64. Sizes from outside go through Create, which checks them.
class Shape {
 public:
  using Dims = absl::InlinedVector<int64_t, 4>;

  Shape() = default;  // a scalar
  Shape(const Shape&) = default;
  Shape(Shape&&) = default;
  // The vector's own assignment is slow for scalars, which are most frequent in loops.
  Shape& operator=(const Shape& other) {
    if (other.dims_.empty())
      dims_.clear();
    else
      dims_ = other.dims_;
    num_elements_ = other.num_elements_;
    return *this;
  }
  Shape& operator=(Shape&& other) noexcept {
    if (other.dims_.empty())
      dims_.clear();
    else
      dims_ = std::move(other.dims_);
    num_elements_ = other.num_elements_;
    return *this;
  }
  Shape(std::initializer_list<int64_t> dims);  // NOLINT: trusted; CHECKs what Create reports
  static absl::StatusOr<Shape> Create(absl::Span<const int64_t> dims);

  int rank() const { return static_cast<int>(dims_.size()); }
  int64_t dim(int i) const { return dims_[i]; }
  absl::Span<const int64_t> dims() const { return dims_; }
  int64_t num_elements() const { return num_elements_; }
  bool operator==(const Shape& other) const { return dims_ == other.dims_; }

  // Changes for trusted callers; CHECKs that the product still fits.
  void AddDim(int64_t size);
  void InsertDim(int at, int64_t size);
  void RemoveDim(int at);
  void SetDim(int at, int64_t size);

  std::string ToString() const;  // "[2,3]", scalar "[]"

 private:
  void Count();
  Dims dims_;
  int64_t num_elements_ = 1;
};

// A shape whose sizes may be unknown (-1), or even its rank: for attributes and inference.
class PartialShape {
 public:
  PartialShape() = default;                           // unknown rank
  PartialShape(std::initializer_list<int64_t> dims);  // NOLINT: trusted
  PartialShape(const Shape& shape);                   // NOLINT: a known shape is a partial one
  static absl::StatusOr<PartialShape> Create(absl::Span<const int64_t> dims);  // sizes >= -1
  static PartialShape UnknownOfRank(int rank);

  bool rank_known() const { return known_; }
  int rank() const { return known_ ? static_cast<int>(dims_.size()) : -1; }
  int64_t dim(int i) const { return dims_[i]; }  // REQUIRES: rank_known
  absl::Span<const int64_t> dims() const { return dims_; }
  bool fully_known() const;
  absl::StatusOr<Shape> ToShape() const;  // error unless fully_known
  bool CompatibleWith(const PartialShape& other) const;
  absl::StatusOr<PartialShape> MergeWith(const PartialShape& other) const;
  bool operator==(const PartialShape& other) const {
    return known_ == other.known_ && dims_ == other.dims_;
  }

  std::string ToString() const;  // "[?,3]", unknown rank "<unknown>"

 private:
  bool known_ = false;
  Shape::Dims dims_;
};

// Overflow-checked arithmetic for sizes from outside. Returns false on overflow.
inline bool MulFits(int64_t a, int64_t b, int64_t* product) {
  return !__builtin_mul_overflow(a, b, product);
}
inline bool AddFits(int64_t a, int64_t b, int64_t* sum) {
  return !__builtin_add_overflow(a, b, sum);
}

}  // namespace sluice

#endif  // SLUICE_CORE_TENSOR_SHAPE_H_
