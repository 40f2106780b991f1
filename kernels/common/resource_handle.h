// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_RESOURCE_HANDLE_H_
#define SLUICE_KERNELS_COMMON_RESOURCE_HANDLE_H_

#include <string>

#include "absl/functional/function_ref.h"
#include "core/op/node_spec.h"
#include "core/runtime/kernel_context.h"
#include "core/tensor/resource.h"

// Common code of the ops that make a resource under a name and output its handle (queues, readers,
// accumulators, mutexes), and of the ops that take the handle. Handles are resources (V2 ops) or
// references to two strings, container and name (V1 ops).

namespace sluice::kernels {

// The container and name of a node's resource, by TensorFlow's rules.
struct ResourcePlace {
  std::string container;
  std::string name;  // empty: the node's own, named "_<n>_<node name>" when it is made
  std::string node_name;

  // `shared_name` if it is set; else the node's name if `shared_by_node_name`; else a private name.
  // INVALID_ARGUMENT for names that a container or a shared resource may not have.
  static absl::StatusOr<ResourcePlace> Create(const NodeSpec& node,
                                              bool shared_by_node_name = false);
};

namespace internal {

// The part of NamedResource that is the same for every class of resource.
class KeptResource {
 public:
  explicit KeptResource(ResourcePlace place) : place_(std::move(place)) {}
  ~KeptResource();  // removes the node's private resource from the store

  using Find = absl::FunctionRef<absl::StatusOr<RefPtr<Resource>>(const std::string& name)>;
  absl::Status HandOut(KernelContext& ctx, absl::string_view type_name, Find find) const;
  const std::string& container() const { return place_.container; }

 private:
  void SetHandles(const KernelContext& ctx, absl::string_view type_name) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  const ResourcePlace place_;
  mutable absl::Mutex mu_;
  mutable std::string name_ ABSL_GUARDED_BY(mu_);
  mutable RefPtr<Resource> resource_ ABSL_GUARDED_BY(mu_);
  mutable ResourceStore* store_ ABSL_GUARDED_BY(mu_) = nullptr;  // outlives its session's kernels
  mutable Tensor handle_ ABSL_GUARDED_BY(mu_);                   // for V2 ops
  mutable RefPtr<RefVariable> ref_handle_ ABSL_GUARDED_BY(mu_);  // for V1 ops
};

absl::StatusOr<const ResourceHandle*> OneHandle(const KernelContext& ctx, int input);
// The object in a V1 handle. Null if the object has to be looked up by the name in `names`.
absl::StatusOr<RefPtr<Resource>> ObjectOfRef(KernelContext& ctx, int input,
                                             std::pair<std::string, std::string>* names);
absl::Status OtherClass(const Resource& resource, absl::string_view wanted);

}  // namespace internal

// A NamedResource belongs to the kernel of an op that makes a T and outputs its handle. A resource
// without a shared name is removed with the kernel. A resource that a Reset removed is made again.
//
//   absl::Status Run(KernelContext& ctx) const {
//     return queue.HandOut(ctx,
//         [&](const std::string& name) { return MakeQueue(name, options); },
//         [&](const Queue& found) { return found.CheckSame(options); });
//   }
//
// T::kTypeName names the class in keys and in errors. T may be a base class.
// Threads:  any.
template <typename T>
class NamedResource {
 public:
  explicit NamedResource(ResourcePlace place) : kept_(std::move(place)) {}

  // Sets output 0. `make` runs under the store's lock. `check` runs if the resource may belong to
  // another node; its error becomes the op's error.
  absl::Status HandOut(
      KernelContext& ctx,
      absl::FunctionRef<absl::StatusOr<RefPtr<T>>(const std::string& name)> make,
      absl::FunctionRef<absl::Status(const T&)> check = [](const T&) {
        return absl::OkStatus();
      }) const {
    auto find = [&](const std::string& name) -> absl::StatusOr<RefPtr<Resource>> {
      SLUICE_ASSIGN(RefPtr<T> found, ctx.resources().template LookupOrCreate<T>(
                                         kept_.container(), name, [&] { return make(name); }));
      SLUICE_RETURN_IF_ERROR(check(*found));
      return RefPtr<Resource>(found);
    };
    return kept_.HandOut(ctx, T::kTypeName, find);
  }

 private:
  internal::KeptResource kept_;
};

// The V1 handle of a resource.
RefPtr<RefVariable> RefHandle(std::string container, std::string name, RefPtr<Resource> object);

// The T of a handle of either kind. NOT_FOUND with TensorFlow's text if `store` no longer has it.
template <typename T>
absl::StatusOr<RefPtr<T>> ResourceIn(ResourceStore& store, KernelContext& ctx, int input) {
  if (ctx.input_is_ref(input) || ctx.input(input).dtype() == kString) {
    std::pair<std::string, std::string> names;
    SLUICE_ASSIGN(const RefPtr<Resource> object, internal::ObjectOfRef(ctx, input, &names));
    if (!object) return store.Lookup<T>(names.first, names.second);
    if (T* found = dynamic_cast<T*>(object.get())) return RefPtr<T>(found);
    return internal::OtherClass(*object, T::kTypeName);
  }
  SLUICE_ASSIGN(const ResourceHandle* handle, internal::OneHandle(ctx, input));
  return store.Resolve<T>(*handle);
}

template <typename T>
absl::StatusOr<RefPtr<T>> ResourceOf(KernelContext& ctx, int input) {
  return ResourceIn<T>(ctx.resources(), ctx, input);
}

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_RESOURCE_HANDLE_H_
