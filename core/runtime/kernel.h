// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_RUNTIME_KERNEL_H_
#define SLUICE_CORE_RUNTIME_KERNEL_H_

#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "core/op/attr.h"
#include "core/op/node_spec.h"
#include "core/runtime/kernel_context.h"

namespace sluice {

using Done = absl::AnyInvocable<void(absl::Status)>;

// A Kernel computes one node. It is made once per node (stateful ones: once per session), and runs
// in every step, on any thread.
class Kernel {
 public:
  virtual ~Kernel() = default;
  // REQUIRES: !asynchronous(). The executor adds node, op and device to an error.
  virtual absl::Status Run(KernelContext& ctx) const = 0;
  // For kernels that finish later. `ctx` lives until `done` is called. `done` may be called inside
  // Start.
  virtual void Start(KernelContext& ctx, Done done) const { done(Run(ctx)); }
  virtual bool asynchronous() const { return false; }
};

namespace internal {
template <typename T>
struct Held {  // a kernel held by value
  T kernel;
  const T& get() const { return kernel; }
};
template <typename T>
struct Held<std::unique_ptr<T>> {
  std::unique_ptr<T> kernel;
  const T& get() const { return *kernel; }
};

template <typename H, typename T>
class KernelOf final : public Kernel {
 public:
  explicit KernelOf(H held) : held_{std::move(held)} {}
  absl::Status Run(KernelContext& ctx) const override {
    if constexpr (requires { held_.get().Run(ctx); })
      return held_.get().Run(ctx);
    else
      return Internal("kernel runs asynchronously only");
  }
  void Start(KernelContext& ctx, Done done) const override {
    if constexpr (requires { held_.get().Start(ctx, std::move(done)); })
      held_.get().Start(ctx, std::move(done));
    else
      done(held_.get().Run(ctx));
  }
  bool asynchronous() const override {
    return requires(const T& t, KernelContext& c, Done d) { t.Start(c, std::move(d)); };
  }

 private:
  Held<H> held_;
};
}  // namespace internal

// Makes a Kernel of a plain struct T with `Run(ctx) const` or `Start(ctx, done) const`, and
// optionally `static absl::StatusOr<T> Create(const NodeSpec&)` (or StatusOr<std::unique_ptr<T>>
// for structs that cannot move).
template <typename T>
absl::StatusOr<std::unique_ptr<Kernel>> CreateKernel(const NodeSpec& node) {
  if constexpr (requires { T::Create(node); }) {
    SLUICE_ASSIGN(auto made, T::Create(node));
    return std::make_unique<internal::KernelOf<decltype(made), T>>(std::move(made));
  } else {
    return std::make_unique<internal::KernelOf<T, T>>(T{});
  }
}

// Makes a Kernel from an existing struct, for families that a table describes.
template <typename T>
std::unique_ptr<Kernel> MakeKernel(T kernel) {
  return std::make_unique<internal::KernelOf<T, T>>(std::move(kernel));
}

}  // namespace sluice

#endif  // SLUICE_CORE_RUNTIME_KERNEL_H_
