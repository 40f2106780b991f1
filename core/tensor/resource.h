// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_TENSOR_RESOURCE_H_
#define SLUICE_CORE_TENSOR_RESOURCE_H_

#include <atomic>
#include <memory>
#include <string>
#include <typeinfo>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/synchronization/mutex.h"
#include "core/tensor/ref.h"
#include "core/tensor/tensor.h"

namespace sluice {

// A Resource is an object that a task keeps between steps and that kernels share: a variable, a
// queue, a TensorArray. Each has its own mutex.
class Resource : public RefCounted {
 public:
  virtual std::string ToString() const = 0;
  // Readable type, part of the key and of error texts; for variables TensorFlow's
  // "N10tensorflow3VarE".
  virtual absl::string_view type_name() const = 0;
  // True once its store removed it (Reset): kernels that kept it look it up again.
  bool removed() const { return removed_.load(std::memory_order_acquire); }
  void mark_removed() { removed_.store(true, std::memory_order_release); }

 private:
  std::atomic<bool> removed_{false};
};

// The element of a resource tensor: where a resource is, and in the same process the resource
// itself.
struct ResourceHandle {
  std::string device;  // full name of the device that owns it
  std::string container;
  std::string name;
  std::string type_name;
  uint64_t hash_code = 0;
  std::vector<std::pair<DType, PartialShape>> dtypes_and_shapes;
  RefPtr<Resource> object;  // null if the handle was received from another process
};

// A ResourceStore finds resources by container, type and name. There is one per device and scope
// (the worker, an isolated session, a step).
//
// Threads:  any; one mutex. `create` is called with it held and must not call back.
class ResourceStore {
 public:
  static constexpr absl::string_view kDefaultContainer = "localhost";

  // NOT_FOUND "Resource <container>/<name>/<type> does not exist.", with the texts that programs
  // match.
  template <typename T>
  absl::StatusOr<RefPtr<T>> Lookup(absl::string_view container, absl::string_view name) const;
  template <typename T>
  absl::StatusOr<RefPtr<T>> LookupOrCreate(absl::string_view container, absl::string_view name,
                                           absl::FunctionRef<absl::StatusOr<RefPtr<T>>()> create);
  // The object of a handle: directly if it was made in this process and still lives, else by its
  // names.
  template <typename T>
  absl::StatusOr<RefPtr<T>> Resolve(const ResourceHandle& handle) const;
  absl::Status Delete(absl::string_view container, absl::string_view type_name,
                      absl::string_view name);
  void Clear(absl::string_view container);
  void ClearAll();
  int64_t size() const;

 private:
  struct Entry {
    RefPtr<Resource> resource;
    const std::type_info* type;
  };
  static std::string Key(absl::string_view container, absl::string_view type,
                         absl::string_view name);
  absl::StatusOr<RefPtr<Resource>> Find(absl::string_view container, const std::type_info& type,
                                        absl::string_view type_name, absl::string_view name) const;
  absl::StatusOr<RefPtr<Resource>> FindOrMake(
      absl::string_view container, const std::type_info& type, absl::string_view type_name,
      absl::string_view name, absl::FunctionRef<absl::StatusOr<RefPtr<Resource>>()> create);

  mutable absl::Mutex mu_;
  absl::flat_hash_map<std::string, Entry> entries_ ABSL_GUARDED_BY(mu_);
};

// T::kTypeName is the name of the class.
template <typename T>
absl::StatusOr<RefPtr<T>> ResourceStore::Lookup(absl::string_view container,
                                                absl::string_view name) const {
  SLUICE_ASSIGN(RefPtr<Resource> found, Find(container, typeid(T), T::kTypeName, name));
  return RefPtr<T>(static_cast<T*>(found.get()));
}

template <typename T>
absl::StatusOr<RefPtr<T>> ResourceStore::LookupOrCreate(
    absl::string_view container, absl::string_view name,
    absl::FunctionRef<absl::StatusOr<RefPtr<T>>()> create) {
  auto make = [&]() -> absl::StatusOr<RefPtr<Resource>> {
    SLUICE_ASSIGN(RefPtr<T> made, create());
    return RefPtr<Resource>(made);
  };
  SLUICE_ASSIGN(RefPtr<Resource> found, FindOrMake(container, typeid(T), T::kTypeName, name, make));
  return RefPtr<T>(static_cast<T*>(found.get()));
}

template <typename T>
absl::StatusOr<RefPtr<T>> ResourceStore::Resolve(const ResourceHandle& handle) const {
  if (handle.object && !handle.object->removed()) {
    if (T* object = dynamic_cast<T*>(handle.object.get())) return RefPtr<T>(object);
    return InvalidArgument("handle ", handle.container, "/", handle.name, " is a ",
                           handle.type_name, ", not a ", T::kTypeName);
  }
  return Lookup<T>(handle.container, handle.name);
}

// The memory of a reference variable (VariableV2), which ref edges carry. `guard->mu` guards
// `value`.
class RefVariable : public Resource {
 public:
  static constexpr absl::string_view kTypeName = "RefVariable";
  RefVariable(DType dtype, std::string name)
      : dtype(dtype), name(std::move(name)), guard(MakeRefCounted<BufferGuard>()) {}
  std::string ToString() const override;
  absl::string_view type_name() const override { return kTypeName; }

  const DType dtype;
  const std::string name;       // of the variable, for error texts
  PartialShape declared_shape;  // of its node; set before it is shared
  const RefPtr<BufferGuard> guard;
  Tensor value ABSL_GUARDED_BY(guard->mu);  // kInvalid until assigned
};

// A resource variable (VarHandleOp): readers share its buffer; writers copy it first unless they
// hold the only reference.
class ResourceVariable : public Resource {
 public:
  static constexpr absl::string_view kTypeName = "N10tensorflow3VarE";
  explicit ResourceVariable(DType dtype) : dtype(dtype) {}
  std::string ToString() const override;
  absl::string_view type_name() const override { return kTypeName; }

  const DType dtype;
  mutable absl::Mutex mu;
  Tensor value ABSL_GUARDED_BY(mu);  // kInvalid until assigned
};

}  // namespace sluice

#endif  // SLUICE_CORE_TENSOR_RESOURCE_H_
