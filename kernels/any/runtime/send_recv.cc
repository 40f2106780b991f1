// SPDX-License-Identifier: Apache-2.0
// The two ends of a cut edge: between devices, between tasks.
#include "core/runtime/device.h"
#include "core/runtime/rendezvous.h"
#include "core/tensor/allocation_label.h"
#include "kernels/any/runtime/copy_objects.h"
#include "kernels/any/runtime/register.h"

namespace sluice::kernels {
namespace {

// The attributes that the partitioner and the worker set on the node.
struct CutEdge {
  uint64_t edge;
  int peer;     // Rendezvous::kLocal or a task's index
  bool leaves;  // the other end is on another device
  std::string name;

  static absl::StatusOr<CutEdge> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const int64_t edge, node.Get<int64_t>("_edge"));
    const int64_t peer = GetAttrOr<int64_t>(node.attrs, "_peer", Rendezvous::kLocal);
    SLUICE_ASSIGN(std::string name, node.Get<std::string>("tensor_name"));
    SLUICE_ASSIGN(const std::string from, node.Get<std::string>("send_device"));
    SLUICE_ASSIGN(const std::string to, node.Get<std::string>("recv_device"));
    const bool leaves = from != to || peer != Rendezvous::kLocal ||
                        GetAttrOr(node.attrs, "client_terminated", false);
    return CutEdge{static_cast<uint64_t>(edge), static_cast<int>(peer), leaves, std::move(name)};
  }
  EdgeKey Key(const KernelContext& ctx) const {
    return EdgeKey{edge, ctx.frame(), ctx.iteration()};
  }
};

// Run sends at once. Start is for devices with their own memory, whose bytes are first copied to
// the host.
struct Send {
  CutEdge edge;
  bool from_host;  // _HostSend: the input is in host memory on every device

  static absl::StatusOr<Send> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(CutEdge edge, CutEdge::Create(node));
    return Send{std::move(edge), node.op == "_HostSend"};
  }

  absl::Status Run(KernelContext& ctx) const {
    if (ctx.dead() || !ctx.has_input(0)) return HandOver(ctx, Parcel{Tensor(), true});
    return HandOver(ctx, Parcel{ctx.TakeInput(0), false});
  }

  void Start(KernelContext& ctx, Done done) const {
    Device& device = ctx.device();
    if (!device.has_own_memory() || ctx.dead() || !ctx.has_input(0)) return done(Run(ctx));
    const Tensor& input = ctx.input(0);
    Copied hand_over = [this, &ctx, done = std::move(done)](absl::StatusOr<Tensor> value) mutable {
      done(value.ok() ? HandOver(ctx, Parcel{*std::move(value), false}) : value.status());
    };
    if (!from_host) return device.CopyToHost(input, std::move(hand_over));
    if (input.dtype() != kVariant || !edge.leaves) return hand_over(ctx.TakeInput(0));
    // Variants are on the host, the tensors in them on the device.
    CopyObjects(
        input,
        [&device](const Tensor& inner, Copied copied) {
          device.CopyToHost(inner, std::move(copied));
        },
        std::move(hand_over));
  }

  absl::Status HandOver(KernelContext& ctx, Parcel parcel) const {
    // If the tensor goes to another task, the rendezvous takes the snapshot, because it knows the
    // transport.
    if (!parcel.dead && edge.leaves && edge.peer == Rendezvous::kLocal) {
      SLUICE_ASSIGN(parcel.tensor, parcel.tensor.Snapshot());
    }
    return ctx.rendezvous().Send(edge.Key(ctx), edge.peer, std::move(parcel));
  }
};

struct Recv {
  CutEdge edge;
  DType dtype;
  bool to_host;  // _HostRecv
  std::string node;

  static absl::StatusOr<Recv> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(CutEdge edge, CutEdge::Create(node));
    SLUICE_ASSIGN(const DType dtype, node.Get<DType>("tensor_type"));
    return Recv{std::move(edge), dtype, node.op == "_HostRecv", node.name};
  }

  void Start(KernelContext& ctx, Done done) const {
    ctx.rendezvous().Recv(
        edge.Key(ctx), edge.peer,
        [this, &ctx, done = std::move(done)](absl::StatusOr<Parcel> parcel) mutable {
          if (!parcel.ok()) return done(parcel.status());
          Accept(ctx, *std::move(parcel), std::move(done));
        });
  }

  void Accept(KernelContext& ctx, Parcel parcel, Done done) const {
    if (parcel.dead) {
      ctx.SetOutputDead(0);
      return done(absl::OkStatus());
    }
    if (parcel.tensor.dtype() != dtype) {
      return done(InvalidArgument("received ", parcel.tensor.dtype(), " for edge ", edge.name,
                                  ", which carries ", dtype));
    }
    Device& device = ctx.device();
    Copied set_output = [&ctx, done = std::move(done)](absl::StatusOr<Tensor> value) mutable {
      if (value.ok()) ctx.SetOutput(0, *value);
      done(value.status());
    };
    const bool on_device = device.has_own_memory();
    const AllocationLabel label(node);  // this may be the sender's thread
    if (on_device && !to_host) return device.CopyFromHost(parcel.tensor, std::move(set_output));
    if (!on_device || dtype != kVariant || !edge.leaves)
      return set_output(std::move(parcel.tensor));
    CopyObjects(
        parcel.tensor,
        [&device](const Tensor& inner, Copied copied) {
          device.CopyFromHost(inner, std::move(copied));
        },
        std::move(set_output));
  }
};

}  // namespace

void RegisterSendRecv(KernelRegistry& kernels, absl::string_view device) {
  kernels.Add<Send>("_Send", device, {}, kCheap);
  kernels.Add<Send>("_HostSend", device, {}, HostMemory{"tensor"}, kCheap);
  kernels.Add<Recv>("_Recv", device, {}, kCheap);
  kernels.Add<Recv>("_HostRecv", device, {}, HostMemory{"tensor"}, kCheap);
}

}  // namespace sluice::kernels
