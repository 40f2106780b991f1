// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/lookup/table.h"

#include <algorithm>

#include "core/tensor/variant.h"

namespace sluice::kernels {
namespace {

bool EndsWith(absl::Span<const int64_t> dims, absl::Span<const int64_t> end) {
  return dims.size() >= end.size() &&
         std::equal(end.begin(), end.end(), dims.end() - static_cast<ptrdiff_t>(end.size()));
}

}  // namespace

absl::StatusOr<Shape> PairType::BatchShape(const Shape& keys) const {
  const auto dims = keys.dims();
  if (!EndsWith(dims, key_shape.dims())) {
    return InvalidArgument("Input key shape ", keys, " must end with the table's key shape ",
                           key_shape);
  }
  return Shape::Create(dims.subspan(0, dims.size() - key_shape.dims().size()));
}

absl::StatusOr<Shape> PairType::ValuesShape(const Shape& keys) const {
  SLUICE_ASSIGN(const Shape batch, BatchShape(keys));
  Shape::Dims dims(batch.dims().begin(), batch.dims().end());
  dims.insert(dims.end(), value_shape.dims().begin(), value_shape.dims().end());
  return Shape::Create(dims);
}

absl::Status Table::CheckTypes(const Tensor& keys, const Tensor& values) const {
  if (keys.dtype() != type_.key)
    return InvalidArgument("Key must be type ", type_.key, " but got ", keys.dtype());
  if (values.dtype() != type_.value)
    return InvalidArgument("Value must be type ", type_.value, " but got ", values.dtype());
  return absl::OkStatus();
}

absl::Status Table::CheckPairs(const PairType& type, const Tensor& keys,
                               const Tensor& values) const {
  SLUICE_RETURN_IF_ERROR(CheckTypes(keys, values));
  SLUICE_ASSIGN(const Shape expected, type.ValuesShape(keys.shape()));
  if (values.shape() == expected) return absl::OkStatus();
  return InvalidArgument("Expected shape ", expected, " for value, got ", values.shape());
}

absl::Status Table::Find(KernelContext& ctx, const Tensor& keys, const Tensor& defaults) const {
  SLUICE_RETURN_IF_ERROR(CheckTypes(keys, defaults));
  SLUICE_ASSIGN(const Shape found, type_.ValuesShape(keys.shape()));
  if (defaults.shape() != type_.value_shape && defaults.shape() != found) {
    return InvalidArgument("Expected shape ", type_.value_shape, " or ", found,
                           " for default value, got ", defaults.shape());
  }
  SLUICE_ASSIGN(Tensor * values, ctx.AllocateOutput(0, found));
  return FindChecked(keys, defaults, *values);
}

absl::Status Table::Insert(const Tensor& keys, const Tensor& values) {
  SLUICE_RETURN_IF_ERROR(CheckPairs(type_, keys, values));
  return InsertChecked(keys, values);
}

absl::Status Table::Remove(const Tensor& keys) {
  if (keys.dtype() != type_.key)
    return InvalidArgument("Key must be type ", type_.key, " but got ", keys.dtype());
  SLUICE_RETURN_IF_ERROR(type_.BatchShape(keys.shape()).status());
  return RemoveChecked(keys);
}

absl::Status Table::Import(const Tensor& keys, const Tensor& values) {
  SLUICE_RETURN_IF_ERROR(CheckPairs(exported_type(), keys, values));
  return ImportChecked(keys, values);
}

absl::Status Table::Initialize(PairSource& /*source*/) {
  return Unimplemented(*this, " is not initializable");
}

void CopyRow(const Tensor& from, int64_t from_row, Tensor& to, int64_t to_row, int64_t width) {
  // Every dtype that a tensor can have is visited.
  (void)VisitWidth(from.dtype(), [&]<typename T>(Type<T>) {
    const T* source = from.data<T>() + from_row * width;
    std::copy(source, source + width, to.mutable_data<T>() + to_row * width);
    return absl::OkStatus();
  });
}

}  // namespace sluice::kernels
