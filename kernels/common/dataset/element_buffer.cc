// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/dataset/element_buffer.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "kernels/common/tensor_rows.h"

namespace sluice::kernels {
namespace {

constexpr size_t kLargestRow = 256, kChunk = size_t{64} << 10;  // bytes

size_t BytesOf(DType type, const Shape& shape) {
  return SizeOf(type) * static_cast<size_t>(shape.num_elements());
}

}  // namespace

ElementBuffer::ElementBuffer(const ElementSpec& spec) {
  Rows rows;
  for (size_t i = 0; i < spec.types.size(); ++i) {
    const absl::StatusOr<Shape> shape = spec.shapes[i].ToShape();
    if (!IsPlain(spec.types[i]) || !shape.ok()) return;
    rows.types.push_back(spec.types[i]);
    rows.shapes.push_back(*shape);
    if (shape->num_elements() > static_cast<int64_t>(kLargestRow)) return;
    rows.row_bytes += BytesOf(spec.types[i], *shape);
    if (rows.row_bytes > kLargestRow) return;
  }
  if (rows.row_bytes == 0) return;
  rows.per_chunk = kChunk / rows.row_bytes;
  rows_ = std::move(rows);
}

bool ElementBuffer::Rows::Accepts(const Element& element) const {
  if (element.size() != types.size()) return false;
  for (size_t i = 0; i < types.size(); ++i) {
    if (element[i].dtype() != types[i] || element[i].shape() != shapes[i]) return false;
  }
  return true;
}

char* ElementBuffer::Rows::AddRow() {
  if (end == chunks.size() * per_chunk)
    chunks.push_back(std::make_unique_for_overwrite<char[]>(per_chunk * row_bytes));
  return At(end++);
}

void ElementBuffer::Rows::Write(const Element& element, char* row) const {
  for (const Tensor& component : element) {
    std::memcpy(row, component.raw(), component.bytes());
    row += component.bytes();
  }
}

absl::Status ElementBuffer::Rows::Read(const char* row, Element& element) const {
  element.resize(types.size());
  for (size_t i = 0; i < types.size(); ++i) {
    SLUICE_RETURN_IF_ERROR(MakeWritable(element[i], types[i], shapes[i]));
    std::memcpy(element[i].raw(), row, element[i].bytes());
    row += element[i].bytes();
  }
  return absl::OkStatus();
}

void ElementBuffer::Rows::DropFirst() {
  if (++begin < per_chunk) return;
  chunks.pop_front();
  begin -= per_chunk;
  end -= per_chunk;
}

void ElementBuffer::Add(Element& element) {
  if (rows_ && rows_->Accepts(element)) return rows_->Write(element, rows_->AddRow());
  if (rows_) GiveUpRows();
  elements_.push_back(std::exchange(element, {}));
}

absl::Status ElementBuffer::Take(size_t i, Element& element) {
  if (rows_) {
    char* const taken = rows_->At(rows_->begin + i);
    SLUICE_RETURN_IF_ERROR(rows_->Read(taken, element));
    if (i > 0) std::memcpy(taken, rows_->At(rows_->begin), rows_->row_bytes);
    rows_->DropFirst();
    return absl::OkStatus();
  }
  element = std::move(elements_[i]);
  std::swap(elements_[i], elements_.front());
  elements_.pop_front();
  return absl::OkStatus();
}

// An element is not as the data set states: its stage reports it when it comes to the iterator.
void ElementBuffer::GiveUpRows() {
  for (size_t row = rows_->begin; row < rows_->end; ++row) {
    Element element;
    if (rows_->Read(rows_->At(row), element).ok()) elements_.push_back(std::move(element));
  }
  rows_.reset();
}

absl::Status ElementBuffer::SaveOrRestore(SavedState& state) {
  bool rows = rows_.has_value();
  SLUICE_RETURN_IF_ERROR(state.Fields("ElementBuffer", rows));
  if (rows && rows_) return SaveOrRestoreRows(state);
  if (rows) return InvalidArgument("the saved state of the iterator does not fit its data set");
  rows_.reset();
  return state.Field(elements_);
}

absl::Status ElementBuffer::SaveOrRestoreRows(SavedState& state) {
  const auto width = static_cast<int64_t>(rows_->row_bytes);
  Tensor bytes;
  if (!state.restoring()) {
    SLUICE_ASSIGN(bytes, Tensor::Allocate(CpuAllocator(), kUint8,
                                          Shape{static_cast<int64_t>(size()), width}));
    for (size_t i = 0; i < size(); ++i) {
      std::memcpy(static_cast<char*>(bytes.raw()) + i * rows_->row_bytes,
                  rows_->At(rows_->begin + i), rows_->row_bytes);
    }
  }
  SLUICE_RETURN_IF_ERROR(state.Field(bytes));
  if (!state.restoring()) return absl::OkStatus();
  if (bytes.dtype() != kUint8 || bytes.rank() != 2 || bytes.dim(1) != width) {
    return InvalidArgument("the saved elements do not fit the data set");
  }
  for (int64_t i = 0; i < bytes.dim(0); ++i)
    std::memcpy(rows_->AddRow(), bytes.data<uint8_t>() + i * width, rows_->row_bytes);
  return absl::OkStatus();
}

}  // namespace sluice::kernels
