// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_DATA_FLOW_TENSOR_ARRAY_H_
#define SLUICE_KERNELS_ANY_DATA_FLOW_TENSOR_ARRAY_H_

#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "core/runtime/kernel_context.h"
#include "core/tensor/resource.h"
#include "kernels/common/primitives.h"

namespace sluice::kernels {

// A TensorArray holds one tensor per iteration of a loop. Each element is written once, and by
// default read once. A gradient array adds up the values that are written to an element.
//
// Owner:    the step's resources and the handles.
// Threads:  any; one mutex.
// Errors:   INVALID_ARGUMENT with TensorFlow's texts.
class TensorArray : public Resource {
 public:
  static constexpr absl::string_view kTypeName = "TensorArray";
  static constexpr absl::string_view kContainer = "tensor_arrays";  // in the step's resources
  // limit of the memory that a number from a client can request
  static constexpr int64_t kMaxSize = 1 << 24;

  struct Options {
    DType dtype = kInvalid;
    PartialShape element_shape;
    bool dynamic_size = false;
    bool clear_after_read = true;
    bool identical_element_shapes = false;
    bool adds_writes = false;  // a gradient
  };
  // The array is on the device of `on`.
  TensorArray(std::string name, Options options, int64_t size, const Primitives& on);

  std::string ToString() const override { return "TensorArray " + name_; }
  absl::string_view type_name() const override { return kTypeName; }
  const std::string& name() const { return name_; }
  DType dtype() const { return options_.dtype; }
  absl::string_view device_type() const { return on_.device_type(); }

  absl::StatusOr<int64_t> Size() const;
  // The number of elements that a pack or concat of the whole array takes. A gradient array takes
  // those of the array's last unpack, scatter or split: elements that were written after it are
  // not part of the gradient.
  absl::StatusOr<int64_t> JoinedSize() const;
  // An unpack, scatter or split ended.
  void MarkSize();
  bool dynamic_size() const;
  PartialShape element_shape() const;
  absl::Status Write(KernelContext& ctx, int64_t index, const Tensor& value);
  // Unwritten elements read as zeros if their shape is known.
  absl::StatusOr<Tensor> Read(KernelContext& ctx, int64_t index);
  absl::StatusOr<std::vector<Tensor>> ReadMany(KernelContext& ctx,
                                               absl::Span<const int64_t> indices);
  void Close();
  // The array for gradients called `source`. The first call makes it, and after that this array
  // does not grow. Its elements have this array's shapes after `prepend`.
  absl::StatusOr<RefPtr<TensorArray>> Gradient(const std::string& source, const Shape& prepend);

 private:
  struct Element {
    Tensor value;  // invalid: not written, or cleared
    Shape shape;
    bool shape_known = false;
    bool written = false, read = false, cleared = false;
  };
  template <typename... Parts>
  absl::Status Error(const Parts&... parts) const {
    return InvalidArgument("TensorArray ", name_, ": ", parts...);
  }
  absl::Status CheckOpen() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  absl::Status MakeRoom(int64_t index) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  absl::Status CheckWrite(int64_t index, const Element& element, const Tensor& value)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  absl::StatusOr<Tensor> ReadLocked(KernelContext& ctx, int64_t index)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  absl::StatusOr<Tensor> Zeros(KernelContext& ctx, int64_t index, const Element& element) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  const std::string name_;
  const Primitives& on_;
  mutable absl::Mutex mu_;
  Options
      options_;  // dtype, clear_after_read and adds_writes are constant; the rest is guarded by mu_
  bool closed_ ABSL_GUARDED_BY(mu_) = false;
  std::vector<Element> elements_ ABSL_GUARDED_BY(mu_);
  int64_t marked_size_ ABSL_GUARDED_BY(mu_) = -1;  // -1: no unpack, scatter or split
  absl::flat_hash_map<std::string, RefPtr<TensorArray>> gradients_ ABSL_GUARDED_BY(mu_);
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_DATA_FLOW_TENSOR_ARRAY_H_
