// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/data_flow/tensor_array.h"

#include "kernels/common/variables.h"

namespace sluice::kernels {

TensorArray::TensorArray(std::string name, Options options, int64_t size, const Primitives& on)
    : name_(std::move(name)),
      on_(on),
      options_(std::move(options)),
      elements_(static_cast<size_t>(size)) {}

absl::Status TensorArray::CheckOpen() const {
  return closed_ ? InvalidArgument("TensorArray ", name_, " has already been closed.")
                 : absl::OkStatus();
}

absl::StatusOr<int64_t> TensorArray::Size() const {
  absl::MutexLock lock(&mu_);
  SLUICE_RETURN_IF_ERROR(CheckOpen());
  return static_cast<int64_t>(elements_.size());
}

absl::StatusOr<int64_t> TensorArray::JoinedSize() const {
  absl::MutexLock lock(&mu_);
  SLUICE_RETURN_IF_ERROR(CheckOpen());
  return options_.adds_writes && marked_size_ >= 0 ? marked_size_
                                                   : static_cast<int64_t>(elements_.size());
}

void TensorArray::MarkSize() {
  absl::MutexLock lock(&mu_);
  if (!options_.adds_writes) marked_size_ = static_cast<int64_t>(elements_.size());
}

bool TensorArray::dynamic_size() const {
  absl::MutexLock lock(&mu_);
  return options_.dynamic_size;
}

PartialShape TensorArray::element_shape() const {
  absl::MutexLock lock(&mu_);
  return options_.element_shape;
}

void TensorArray::Close() {
  std::vector<Element> freed;  // destroyed without the lock
  absl::MutexLock lock(&mu_);
  closed_ = true;
  freed.swap(elements_);
}

absl::Status TensorArray::MakeRoom(int64_t index) {
  const auto size = static_cast<int64_t>(elements_.size());
  if (index < 0 || (!options_.dynamic_size && index >= size)) {
    return Error("Tried to write to index ", index,
                 " but array is not resizeable and size is: ", size);
  }
  if (index >= kMaxSize) {
    return ResourceExhausted("TensorArray ", name_, ": index ", index, " is beyond the limit of ",
                             kMaxSize, " elements");
  }
  if (index >= size) elements_.resize(index + 1);
  return absl::OkStatus();
}

absl::Status TensorArray::CheckWrite(int64_t index, const Element& element, const Tensor& value) {
  if (!options_.element_shape.CompatibleWith(value.shape())) {
    return Error("Could not write to TensorArray index ", index, " because the value shape is ",
                 value.shape(),
                 " which is incompatible with the TensorArray's inferred element shape: ",
                 options_.element_shape, " (consider setting infer_shape=False).");
  }
  if (element.read)
    return Error("Could not write to TensorArray index ", index,
                 " because it has already been read.");
  if (options_.adds_writes) {
    if (!element.shape_known || element.shape == value.shape()) return absl::OkStatus();
    return Error("Could not aggregate to TensorArray index ", index,
                 " because the existing shape is ", element.shape, " but the new input shape is ",
                 value.shape(), ".");
  }
  if (element.written) {
    return Error("Could not write to TensorArray index ", index,
                 " because it has already been written to.");
  }
  return absl::OkStatus();
}

absl::Status TensorArray::Write(KernelContext& ctx, int64_t index, const Tensor& value) {
  if (value.dtype() != dtype()) {
    return InvalidArgument("TensorArray dtype is ", dtype(), " but Op is trying to write dtype ",
                           value.dtype(), ".");
  }
  Tensor kept = value;
  if (value.buffer() && value.buffer()->guard()) {  // a variable's memory will change
    SLUICE_ASSIGN(kept, CopyHere(ctx, on_, value));
  }
  absl::MutexLock lock(&mu_);
  SLUICE_RETURN_IF_ERROR(CheckOpen());
  SLUICE_RETURN_IF_ERROR(MakeRoom(index));
  Element& element = elements_[index];
  SLUICE_RETURN_IF_ERROR(CheckWrite(index, element, value));
  if (element.value.valid()) {
    if (!kNumeric.contains(dtype()))
      return InvalidArgument("tensor_array::AddToTensor type not supported: ", dtype());
    // Makes a new tensor: other code may hold the old one, and a device with streams must see the
    // write.
    SLUICE_ASSIGN(Tensor sum, CopyHere(ctx, on_, element.value));
    SLUICE_RETURN_IF_ERROR(on_.Update(ctx, Combine::kAdd, sum, kept));
    kept = std::move(sum);
  }
  if (options_.identical_element_shapes) options_.element_shape = value.shape();
  element.value = std::move(kept);
  element.shape = value.shape();
  element.shape_known = element.written = true;
  return absl::OkStatus();
}

absl::StatusOr<Tensor> TensorArray::Zeros(KernelContext& ctx, int64_t index,
                                          const Element& element) const {
  if (!element.shape_known && !options_.element_shape.fully_known()) {
    return Error(
        "Could not read from TensorArray index ", index,
        ".  Furthermore, the element shape is not fully defined: ", options_.element_shape,
        ".  It is possible you are working with a resizeable TensorArray and stop_gradients is not "
        "allowing ",
        "the gradients to be written.  If you set the full element_shape property on the forward ",
        "TensorArray, the proper all-zeros tensor will be returned instead of incurring this "
        "error.");
  }
  Shape shape = element.shape;
  if (!element.shape_known) {
    SLUICE_ASSIGN(shape, options_.element_shape.ToShape());
  }
  SLUICE_ASSIGN(Tensor zeros, ctx.AllocateTemporary(dtype(), shape));
  SLUICE_RETURN_IF_ERROR(on_.Zero(ctx, dtype(), zeros.raw(), zeros.num_elements()));
  return zeros;
}

absl::StatusOr<Tensor> TensorArray::ReadLocked(KernelContext& ctx, int64_t index) {
  SLUICE_RETURN_IF_ERROR(CheckOpen());
  if (index < 0 || index >= static_cast<int64_t>(elements_.size())) {
    return InvalidArgument("Tried to read from index ", index,
                           " but array size is: ", elements_.size());
  }
  Element& element = elements_[index];
  if (element.cleared) {
    return Error("Could not read index ", index,
                 " twice because it was cleared after a previous read ",
                 "(perhaps try setting clear_after_read = false?).");
  }
  Tensor value = element.value;
  if (!value.valid()) {
    SLUICE_ASSIGN(value, Zeros(ctx, index, element));
    element.shape = value.shape();
    element.shape_known = element.written = true;
  }
  element.read = true;
  element.cleared = options_.clear_after_read;
  element.value = element.cleared ? Tensor() : value;
  return value;
}

absl::StatusOr<Tensor> TensorArray::Read(KernelContext& ctx, int64_t index) {
  absl::MutexLock lock(&mu_);
  return ReadLocked(ctx, index);
}

absl::StatusOr<std::vector<Tensor>> TensorArray::ReadMany(KernelContext& ctx,
                                                          absl::Span<const int64_t> indices) {
  absl::MutexLock lock(&mu_);
  std::vector<Tensor> values;
  for (int64_t index : indices) {
    SLUICE_ASSIGN(Tensor value, ReadLocked(ctx, index));
    values.push_back(std::move(value));
  }
  return values;
}

absl::StatusOr<RefPtr<TensorArray>> TensorArray::Gradient(const std::string& source,
                                                          const Shape& prepend) {
  auto behind = [&](absl::Span<const int64_t> dims) {
    Shape::Dims all(prepend.dims().begin(), prepend.dims().end());
    all.insert(all.end(), dims.begin(), dims.end());
    return all;
  };
  absl::MutexLock lock(&mu_);
  SLUICE_RETURN_IF_ERROR(CheckOpen());
  RefPtr<TensorArray>& gradient = gradients_[source];
  if (gradient) return gradient;
  options_.dynamic_size = false;
  Options options = options_;
  options.adds_writes = true;
  if (options.element_shape.rank_known()) {
    SLUICE_ASSIGN(options.element_shape,
                  PartialShape::Create(behind(options.element_shape.dims())));
  }
  auto made =
      MakeRefCounted<TensorArray>(absl::StrCat(name_, "@", source), options, elements_.size(), on_);
  absl::MutexLock made_lock(&made->mu_);
  made->marked_size_ = marked_size_;
  for (size_t i = 0; i < elements_.size(); ++i) {
    if (!elements_[i].shape_known) continue;
    SLUICE_ASSIGN(made->elements_[i].shape, Shape::Create(behind(elements_[i].shape.dims())));
    made->elements_[i].shape_known = true;
  }
  gradient = made;
  return made;
}

}  // namespace sluice::kernels
