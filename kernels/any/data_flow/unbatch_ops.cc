// SPDX-License-Identifier: Apache-2.0
// Unbatch and UnbatchGrad: the rows of a batch go to the runs that they came from, and gradients of
// those rows back to the run that has the batch.
#include "absl/container/flat_hash_map.h"
#include "kernels/any/data_flow/batcher.h"
#include "kernels/any/data_flow/register.h"
#include "kernels/common/resource_handle.h"

namespace sluice::kernels {
namespace {

// Tensors, by the ids from Batch, that wait for the runs that take them.
//
// Owner:    its store, and its waiters.
// Threads:  any.
class Exchange final : public WaitableResource {
 public:
  static constexpr absl::string_view kTypeName = "BatchExchange";
  using Tensors = absl::flat_hash_map<int64_t, Tensor>;

  explicit Exchange(std::string name) : WaitableResource(1), name_(std::move(name)) {
    AllowBypass(0);
  }
  std::string ToString() const override { return Cat("Unbatch '", name_, "'"); }
  absl::string_view type_name() const override { return kTypeName; }

  void Give(const Tensors& tensors) {
    Change([&] {
      mu_.AssertHeld();
      for (const auto& [id, tensor] : tensors) here_[id] = tensor;
    });
  }
  // The tensors that no run has taken.
  void Drop(const std::vector<int64_t>& ids) {
    Change([&] {
      mu_.AssertHeld();
      for (int64_t id : ids) here_.erase(id);
    });
  }

  // `take` gets the tensors of all ids once they are there; DEADLINE_EXCEEDED after `timeout`.
  using Take = std::function<absl::Status(std::vector<Tensor>)>;
  void Ask(KernelContext& ctx, std::vector<int64_t> ids, absl::Duration timeout, Take take,
           Done done) {
    auto late = std::make_shared<bool>(false);
    int64_t timer = 0;
    if (timeout < absl::InfiniteDuration()) {
      timer = BatchTimer().At(absl::Now() + timeout, [self = RefPtr<Exchange>(this), late] {
        self->Change([&] { *late = true; });
      });
    }
    auto attempt = [this, late, ids = std::move(ids),
                    take = std::move(take)](absl::Status& result) {
      mu_.AssertHeld();
      const bool complete = absl::c_all_of(ids, [&](int64_t id) {
        mu_.AssertHeld();
        return here_.contains(id);
      });
      if (!complete && !*late) return Progress::kNone;
      if (!complete) {
        result = DeadlineExceeded("Batched data did not arrive within timeout window.");
        return Progress::kEnded;
      }
      std::vector<Tensor> tensors;
      for (int64_t id : ids) tensors.push_back(std::move(here_.extract(id).mapped()));
      result = take(std::move(tensors));
      return Progress::kEnded;
    };
    Join(0, ctx, {"Unbatch", std::move(attempt), nullptr},
         [timer, done = std::move(done)](absl::Status status) mutable {
           if (timer != 0) BatchTimer().Forget(timer);
           done(std::move(status));
         });
  }

 private:
  const std::string name_;
  Tensors here_ ABSL_GUARDED_BY(mu_);
};

absl::StatusOr<RefPtr<Exchange>> FindExchange(const ResourcePlace& place, KernelContext& ctx) {
  return ctx.resources().LookupOrCreate<Exchange>(
      place.container, place.name,
      [&]() -> absl::StatusOr<RefPtr<Exchange>> { return MakeRefCounted<Exchange>(place.name); });
}

// One row of an index: id, begin, end of a part of the batch.
absl::Status CheckIndex(const Tensor& index, const Tensor& batch) {
  if (index.rank() != 2 || index.dim(1) != 3) {
    return InvalidArgument("Wrong shape for index tensor. Expected 1st dimension size to be 3 ; ",
                           "Got: ", index.rank() == 2 ? index.dim(1) : 0, ".");
  }
  if (batch.rank() == 0) return InvalidArgument("batched_tensor must have at least one dimension");
  const int64_t* part = index.data<int64_t>();
  for (int64_t i = 0; i < index.dim(0); ++i, part += 3) {
    if (part[1] < 0 || part[1] > part[2] || part[2] > batch.dim(0)) {
      return InvalidArgument("rows ", part[1], " to ", part[2], " are not in a batch of ",
                             batch.dim(0));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<int64_t> IdOf(const Tensor& id) {
  if (id.rank() == 0) return IntScalar(id);
  return InvalidArgument("Input id should be scalar; Got: shape ", id.shape());
}

// batched_tensor, batch_index, id -> unbatched_tensor.
struct Unbatch {
  ResourcePlace place;
  absl::Duration timeout;

  static absl::StatusOr<Unbatch> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ResourcePlace place, ResourcePlace::Create(node, /*shared_by_node_name=*/true));
    SLUICE_ASSIGN(const int64_t micros, node.Get<int64_t>("timeout_micros"));
    return Unbatch{std::move(place), absl::Microseconds(micros)};
  }

  void Start(KernelContext& ctx, Done done) const {
    auto exchange = FindExchange(place, ctx);
    if (!exchange.ok()) return done(exchange.status());
    auto next = [this, &ctx, exchange = *std::move(exchange),
                 done = std::move(done)](absl::StatusOr<std::vector<Tensor>> inputs) mutable {
      const auto id = inputs.ok() ? IdOf((*inputs)[2]) : inputs.status();
      if (!id.ok()) return done(id.status());
      const auto parts = Parts((*inputs)[0], (*inputs)[1]);
      if (!parts.ok()) return done(parts.status());
      exchange->Give(*parts);
      DropLater(exchange, *parts);
      auto take = [&ctx](std::vector<Tensor> tensors) {
        ctx.SetOutput(0, std::move(tensors[0]));
        return absl::OkStatus();
      };
      exchange->Ask(ctx, {*id}, timeout, std::move(take), std::move(done));
    };
    KeepInputs(ctx, 0, 3, std::move(next));
  }

 private:
  static absl::StatusOr<Exchange::Tensors> Parts(const Tensor& batch, const Tensor& index) {
    SLUICE_RETURN_IF_ERROR(CheckIndex(index, batch));
    Exchange::Tensors parts;
    const int64_t* part = index.data<int64_t>();
    for (int64_t i = 0; i < index.dim(0); ++i, part += 3) {
      SLUICE_ASSIGN(parts[part[0]], batch.Rows(part[1], part[2]).Copy());
    }
    return parts;
  }

  // A cancelled run never takes its rows.
  void DropLater(const RefPtr<Exchange>& exchange, const Exchange::Tensors& parts) const {
    if (parts.empty()) return;
    std::vector<int64_t> ids;
    for (const auto& [id, tensor] : parts) ids.push_back(id);
    BatchTimer().At(absl::Now() + timeout,
                    [exchange, ids = std::move(ids)] { exchange->Drop(ids); });
  }
};

// original_input, batch_index, grad, id -> batched_grad.
struct UnbatchGrad {
  ResourcePlace place;

  static absl::StatusOr<UnbatchGrad> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ResourcePlace place, ResourcePlace::Create(node, /*shared_by_node_name=*/true));
    return UnbatchGrad{std::move(place)};
  }

  void Start(KernelContext& ctx, Done done) const {
    auto exchange = FindExchange(place, ctx);
    if (!exchange.ok()) return done(exchange.status());
    auto next = [&ctx, exchange = *std::move(exchange),
                 done = std::move(done)](absl::StatusOr<std::vector<Tensor>> inputs) mutable {
      if (!inputs.ok()) return done(inputs.status());
      const Tensor &original = (*inputs)[0], &index = (*inputs)[1];
      absl::Status status = CheckIndex(index, original);
      if (status.ok() && original.num_elements() > 0 && index.dim(0) == 0) {
        status = InvalidArgument("batch_index is empty while the tensor isn't.");
      }
      const auto id = IdOf((*inputs)[3]);
      if (!status.ok() || !id.ok()) return done(status.ok() ? id.status() : status);
      exchange->Give({{*id, (*inputs)[2]}});
      if (original.num_elements() == 0) {
        ctx.SetOutput(0, original);
        return done(absl::OkStatus());
      }
      std::vector<int64_t> ids;
      for (int64_t i = 0; i < index.dim(0); ++i) ids.push_back(index.data<int64_t>()[3 * i]);
      auto take = [&ctx](const std::vector<Tensor>& tensors) {
        SLUICE_ASSIGN(Tensor all, StackRows(tensors));
        ctx.SetOutput(0, std::move(all));
        return absl::OkStatus();
      };
      exchange->Ask(ctx, std::move(ids), absl::InfiniteDuration(), std::move(take),
                    std::move(done));
    };
    KeepInputs(ctx, 0, 4, std::move(next));
  }
};

}  // namespace

void RegisterUnbatching(KernelRegistry& kernels) {
  kernels.Add<Unbatch>("Unbatch", kCpu, {});
  kernels.Add<UnbatchGrad>("UnbatchGrad", kCpu, {});
}

}  // namespace sluice::kernels
