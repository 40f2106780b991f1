// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_LOOKUP_TABLE_H_
#define SLUICE_KERNELS_ANY_LOOKUP_TABLE_H_

#include <string>

#include "core/runtime/kernel_context.h"
#include "core/tensor/resource.h"

namespace sluice::kernels {

// The pairs with which a table is initialised, one batch after the other.
//
// Threads:  one at a time.
class PairSource {
 public:
  virtual ~PairSource() = default;
  // Moves to the next batch, the first one at first. Returns false at the end.
  virtual absl::StatusOr<bool> Next() = 0;
  // The keys and values of the batch, of the table's dtypes, as many keys as values.
  virtual const Tensor& keys() const = 0;
  virtual const Tensor& values() const = 0;
  // The number of pairs in all batches, if it is known. -1 if it is not.
  virtual int64_t size() const = 0;
};

// The dtypes and shapes of one key and of one value.
struct PairType {
  DType key = kInvalid;
  DType value = kInvalid;
  Shape key_shape;
  Shape value_shape;

  // The shape of keys without the dimensions of one key. INVALID_ARGUMENT if it does not end with
  // them.
  absl::StatusOr<Shape> BatchShape(const Shape& keys) const;
  // The shape of the values of such keys.
  absl::StatusOr<Shape> ValuesShape(const Shape& keys) const;
};

// A Table maps keys to values, which are tensors of one dtype and shape. Its kinds are in the other
// files of this folder.
//
// Owner:    its store, and the steps that use it.
// Threads:  any; lookups run in parallel.
// Errors:   INVALID_ARGUMENT for tensors of other dtypes or shapes; UNIMPLEMENTED for an operation
//           that this kind of table does not have.
class Table : public Resource {
 public:
  static constexpr absl::string_view kTypeName = "N10tensorflow6lookup15LookupInterfaceE";
  explicit Table(PairType type) : type_(std::move(type)) {}

  const PairType& type() const { return type_; }
  absl::string_view type_name() const override { return kTypeName; }

  virtual int64_t size() const = 0;
  // Output 0 becomes the values of `keys`. `defaults` is one value, or one for each key.
  absl::Status Find(KernelContext& ctx, const Tensor& keys, const Tensor& defaults) const;
  // Later values of the same key replace earlier ones.
  absl::Status Insert(const Tensor& keys, const Tensor& values);
  absl::Status Remove(const Tensor& keys);
  // Replaces the content by that of an export.
  absl::Status Import(const Tensor& keys, const Tensor& values);
  // Outputs 0 and 1 become all keys and their values, in no order.
  virtual absl::Status Export(KernelContext& ctx) const = 0;
  virtual absl::Status Initialize(PairSource& source);
  virtual bool initializable() const { return false; }
  virtual bool initialized() const { return true; }

 protected:
  // The arguments are checked. `defaults` has the table's value shape, or that of `values`.
  virtual absl::Status FindChecked(const Tensor& keys, const Tensor& defaults,
                                   Tensor& values) const = 0;
  virtual absl::Status InsertChecked(const Tensor& keys, const Tensor& values) = 0;
  virtual absl::Status RemoveChecked(const Tensor& keys) = 0;
  virtual absl::Status ImportChecked(const Tensor& keys, const Tensor& values) = 0;
  // Of the rows of an export.
  virtual PairType exported_type() const { return type_; }

 private:
  absl::Status CheckTypes(const Tensor& keys, const Tensor& values) const;
  absl::Status CheckPairs(const PairType& type, const Tensor& keys, const Tensor& values) const;

  const PairType type_;
};

// Row `from_row` of a tensor becomes row `to_row` of another one of the same dtype. A row has
// `width` elements.
void CopyRow(const Tensor& from, int64_t from_row, Tensor& to, int64_t to_row, int64_t width);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_LOOKUP_TABLE_H_
