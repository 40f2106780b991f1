// SPDX-License-Identifier: Apache-2.0
#include "transport/rpc/kernel_lists.h"

#include <array>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "proto/worker.pb.h"

namespace sluice::transport {
namespace {

struct Sent {
  std::weak_ptr<const KernelTable> kernels;
  std::shared_ptr<const std::string> encoded;
};

struct Received {
  std::string encoded;
  std::shared_ptr<const KernelTable> kernels;
};

// The last lists that were kept, up to a few: tasks of one program have equal lists.
template <typename List>
struct Kept {
  absl::Mutex mu;
  std::array<List, 4> lists ABSL_GUARDED_BY(mu);
  size_t next ABSL_GUARDED_BY(mu) = 0;

  void Keep(List list) {
    absl::MutexLock lock(&mu);
    lists[next++ % lists.size()] = std::move(list);
  }
};

Kept<Sent>& KeptSent() {
  static auto* const kept = new Kept<Sent>;
  return *kept;
}

Kept<Received>& KeptReceived() {
  static auto* const kept = new Kept<Received>;
  return *kept;
}

std::string Encoded(const KernelTable& kernels) {
  proto::GetStatusResponse message;
  for (const KernelSignature& kernel : kernels.signatures()) {
    proto::KernelSignatureProto* proto = message.add_kernel();
    proto->set_op(kernel.op);
    proto->set_device_type(kernel.device_type);
    proto->set_label(kernel.label);
    proto->set_cheap(kernel.cheap);
    for (const std::string& arg : kernel.host.args) proto->add_host_arg(arg);
    for (const TypeConstraint& type : kernel.types) {
      auto* constraint = proto->add_type();
      constraint->set_attr(type.attr);
      constraint->set_allowed(type.allowed.bits());
    }
  }
  return message.SerializeAsString();
}

}  // namespace

std::shared_ptr<const std::string> EncodeKernels(
    const std::shared_ptr<const KernelTable>& kernels) {
  Kept<Sent>& kept = KeptSent();
  {
    absl::MutexLock lock(&kept.mu);
    for (const Sent& one : kept.lists) {
      if (one.kernels.lock() == kernels) return one.encoded;
    }
  }
  auto encoded = std::make_shared<const std::string>(Encoded(*kernels));
  kept.Keep({kernels, encoded});
  return encoded;
}

absl::StatusOr<std::shared_ptr<const KernelTable>> DecodeKernels(std::string encoded) {
  Kept<Received>& kept = KeptReceived();
  {
    absl::MutexLock lock(&kept.mu);
    for (const Received& one : kept.lists) {
      if (one.kernels != nullptr && one.encoded == encoded) return one.kernels;
    }
  }
  proto::GetStatusResponse message;
  if (!message.ParseFromString(encoded)) return InvalidArgument("malformed list of kernels");
  auto kernels = std::make_shared<KernelTable>();
  for (const auto& proto : message.kernel()) {
    KernelSignature kernel;
    kernel.op = proto.op();
    kernel.device_type = proto.device_type();
    kernel.label = proto.label();
    kernel.cheap = proto.cheap();
    kernel.host.args.assign(proto.host_arg().begin(), proto.host_arg().end());
    for (const auto& type : proto.type())
      kernel.types.push_back({type.attr(), DTypeSet::FromBits(type.allowed())});
    kernels->Add(std::move(kernel));
  }
  kept.Keep({std::move(encoded), kernels});
  return std::shared_ptr<const KernelTable>(std::move(kernels));
}

}  // namespace sluice::transport
