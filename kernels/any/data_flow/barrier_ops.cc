// SPDX-License-Identifier: Apache-2.0
// The ops of barriers; their handles are references to strings.
#include "kernels/any/data_flow/barrier.h"
#include "kernels/any/data_flow/queue_batch.h"
#include "kernels/any/data_flow/register.h"
#include "kernels/any/data_flow/signature_text.h"
#include "kernels/common/resource_handle.h"

namespace sluice::kernels {
namespace {

struct NewBarrier {
  std::vector<DType> types;
  std::vector<PartialShape> shapes;
  NamedResource<Barrier> barrier;

  explicit NewBarrier(ResourcePlace place) : barrier(std::move(place)) {}

  static absl::StatusOr<std::unique_ptr<NewBarrier>> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ResourcePlace place, ResourcePlace::Create(node));
    auto made = std::make_unique<NewBarrier>(std::move(place));
    SLUICE_ASSIGN(made->types, node.Get<std::vector<DType>>("component_types"));
    SLUICE_ASSIGN(made->shapes, node.Get<std::vector<PartialShape>>("shapes"));
    if (made->shapes.size() != made->types.size())
      return InvalidArgument("All of the component shapes must be specified");
    for (PartialShape& shape : made->shapes) {
      if (!shape.rank_known()) shape = Shape{};  // values are scalars by default
      if (!shape.fully_known())
        return InvalidArgument("the shape ", shape, " of a component of a Barrier must be known");
    }
    if (GetAttrOr<int64_t>(node.attrs, "capacity", -1) != -1) {
      return InvalidArgument(
          "Barrier only accepts capacity=-1.  Feed the inputs to your Barrier through a queue to "
          "enforce a limited capacity.");
    }
    return made;
  }

  absl::Status Run(KernelContext& ctx) const {
    return barrier.HandOut(
        ctx,
        [&](const std::string& name) -> absl::StatusOr<RefPtr<Barrier>> {
          return MakeRefCounted<Barrier>(name, types, shapes);
        },
        [&](const Barrier& found) { return found.CheckSame(types, shapes); });
  }
};

// handle, keys, values
struct InsertMany {
  int64_t component;

  static absl::StatusOr<InsertMany> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const int64_t component, node.Get<int64_t>("component_index"));
    return InsertMany{component};
  }
  void Start(KernelContext& ctx, Done done) const {
    KeepInputs(
        ctx, 1, 2,
        [this, &ctx, done = std::move(done)](absl::StatusOr<std::vector<Tensor>> inputs) mutable {
          done(inputs.ok() ? Insert(ctx, (*inputs)[0], (*inputs)[1]) : inputs.status());
        });
  }
  absl::Status Insert(KernelContext& ctx, const Tensor& keys, const Tensor& values) const {
    SLUICE_ASSIGN(const RefPtr<Barrier> barrier, ResourceOf<Barrier>(ctx, 0));
    const auto components = static_cast<int64_t>(barrier->types().size());
    if (component < 0 || component >= components) {
      return InvalidArgument("The component ID is out of range ", component,
                             " > num_components (= ", components, ")");
    }
    const DType type = barrier->types()[static_cast<size_t>(component)];
    if (values.dtype() != type)
      return SignatureMismatch(ctx, {kString, values.dtype()}, {kString, type}, *barrier);
    return barrier->Insert(keys, component, values);
  }
};

// handle, num_elements -> indices, keys, values
struct TakeMany {
  bool allow_small_batch;

  static absl::StatusOr<TakeMany> Create(const NodeSpec& node) {
    if (GetAttrOr<int64_t>(node.attrs, "timeout_ms", -1) != -1)
      return InvalidArgument("Timeout not supported yet.");
    return TakeMany{GetAttrOr(node.attrs, "allow_small_batch", false)};
  }
  void Start(KernelContext& ctx, Done done) const {
    const absl::StatusOr<RefPtr<Barrier>> barrier = ResourceOf<Barrier>(ctx, 0);
    if (!barrier.ok()) return done(barrier.status());
    KeepInputs(ctx, 1, 1,
               [this, &ctx, barrier = *barrier,
                done = std::move(done)](absl::StatusOr<std::vector<Tensor>> inputs) mutable {
                 const absl::StatusOr<int64_t> n =
                     inputs.ok() ? Count(ctx, *barrier, (*inputs)[0]) : inputs.status();
                 if (!n.ok()) return done(n.status());
                 Take(ctx, barrier, *n, std::move(done));
               });
  }
  static absl::StatusOr<int64_t> Count(const KernelContext& ctx, const Barrier& barrier,
                                       const Tensor& input) {
    if (input.rank() != 0) return InvalidArgument("num_elements must be a scalar.");
    SLUICE_ASSIGN(const int64_t n, IntScalar(input));
    if (n < 0) return InvalidArgument("BarrierTakeManyOp requested ", n, " < 0 elements");
    std::vector<DType> given = {kInt64, kString};
    given.insert(given.end(), barrier.types().begin(), barrier.types().end());
    SLUICE_RETURN_IF_ERROR(CheckGiven(ctx, given, barrier));
    return n;
  }
  void Take(KernelContext& ctx, const RefPtr<Barrier>& barrier, int64_t n, Done done) const {
    auto elements = std::make_unique<std::vector<QueueElement>>();
    std::vector<QueueElement>* taken = elements.get();
    barrier->Take(ctx, n, allow_small_batch, taken,
                  [&ctx, barrier, elements = std::move(elements),
                   done = std::move(done)](absl::Status status) mutable {
                    for (int i = 0; status.ok() && i < ctx.num_outputs(); ++i) {
                      const auto at = static_cast<size_t>(i);
                      status = SetBatch(ctx, i, *elements, at, barrier->taken_shape(at));
                    }
                    done(std::move(status));
                  });
  }
};

struct CloseBarrier {
  bool cancel_pending_enqueues;

  static absl::StatusOr<CloseBarrier> Create(const NodeSpec& node) {
    return CloseBarrier{GetAttrOr(node.attrs, "cancel_pending_enqueues", false)};
  }
  void Start(KernelContext& ctx, Done done) const {  // it may wake others
    const absl::StatusOr<RefPtr<Barrier>> barrier = ResourceOf<Barrier>(ctx, 0);
    done(barrier.ok() ? (*barrier)->Close(cancel_pending_enqueues) : barrier.status());
  }
};

template <int64_t (Barrier::*kSize)() const>
struct BarrierSize {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const RefPtr<Barrier> barrier, ResourceOf<Barrier>(ctx, 0));
    ctx.SetOutput(0, Tensor::Scalar<int32_t>(static_cast<int32_t>(((*barrier).*kSize)())));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterBarriers(KernelRegistry& kernels) {
  kernels.Add<NewBarrier>("Barrier", kCpu, {}, kCheap);
  kernels.Add<InsertMany>("BarrierInsertMany", kCpu, {}, kCheap);
  kernels.Add<TakeMany>("BarrierTakeMany", kCpu, {}, kCheap);
  kernels.Add<CloseBarrier>("BarrierClose", kCpu, {}, kCheap);
  kernels.Add<BarrierSize<&Barrier::ready>>("BarrierReadySize", kCpu, {}, kCheap);
  kernels.Add<BarrierSize<&Barrier::incomplete>>("BarrierIncompleteSize", kCpu, {}, kCheap);
}

}  // namespace sluice::kernels
