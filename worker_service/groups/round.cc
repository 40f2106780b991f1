// SPDX-License-Identifier: Apache-2.0
#include "worker_service/groups/round.h"

#include <utility>

#include "absl/time/clock.h"

namespace sluice::worker {
namespace {

// Work on messages larger than a chunk leaves the transport's thread. For a chunk, to wake another
// thread costs more than to combine the bytes, which are in this one's cache.
constexpr size_t kSmallMessage = Exchange::kChunkBytes;

absl::string_view NameOf(CollectiveOp op) {
  switch (op) {
    case CollectiveOp::kAllReduce:
      return "all-reduce";
    case CollectiveOp::kReduceScatter:
      return "reduce-scatter";
    case CollectiveOp::kAllGather:
      return "all-gather";
    case CollectiveOp::kBroadcast:
      return "broadcast";
    case CollectiveOp::kAllToAll:
      return "all-to-all";
  }
  return "operation";
}

}  // namespace

std::string Describe(const CollectiveCall& call) {
  // A receiver of a broadcast has no input. Its output has the same shape.
  const Tensor& value = call.op == CollectiveOp::kBroadcast ? call.output : call.input;
  std::string text = Cat(NameOf(call.op), call.reduction.name.empty() ? "" : " ",
                         call.reduction.name, " of ", value.dtype(), value.shape());
  if (!call.name.empty()) absl::StrAppend(&text, " named \"", call.name, "\"");
  if (call.hint != "auto") absl::StrAppend(&text, " by ", call.hint);
  return text;
}

Round::Round(std::shared_ptr<Group> group, int rank, const RoundId& id, CollectiveCall call,
             WorkQueue* pool)
    : Exchange(rank, group->hosts()),
      group_(std::move(group)),
      id_(id),
      call_(std::move(call)),
      description_(Describe(call_)),
      hash_(Group::HashOf(description_)),
      pool_(pool),
      began_(absl::Now()) {}

absl::StatusOr<Tensor> Round::Allocate(int to, DType dtype, int64_t elements) {
  return group_->Allocate(to, dtype, Shape{elements});
}

std::optional<Tensor> Round::AllocateForMany(int to, DType dtype, int64_t elements) {
  return group_->AllocateForMany(to, dtype, Shape{elements});
}

absl::Status Round::Send(int to, uint32_t number, Tensor message) {
  const int from = number >= kAnonymous ? Group::kAnyone : rank();
  return group_->Send(Group::KeyOf(id_, hash_, from, to, number), to, std::move(message));
}

void Round::SetTarget(int from, uint32_t number, Tensor target) {
  group_->SetTarget(KeyFrom(from, number), std::move(target));
}

EdgeKey Round::KeyFrom(int from, uint32_t number) const {
  return Group::KeyOf(id_, hash_, from == kAnyMember ? Group::kAnyone : from, rank(), number);
}

void Round::Receive(int from, uint32_t number, DType dtype, int64_t elements, Received done) {
  waiting_for_.store(from, std::memory_order_relaxed);
  const std::shared_ptr<Group> group = group_;  // another thread may end the round meanwhile
  group->Receive(
      KeyFrom(from, number), from,
      [this, from, dtype, elements, done = std::move(done)](absl::StatusOr<Parcel> parcel) mutable {
        if (!parcel.ok()) return done(parcel.status());
        waiting_for_.store(kNobody, std::memory_order_relaxed);
        Tensor message = std::move(parcel->tensor);
        if (message.dtype() != dtype || message.num_elements() != elements) {
          return done(InvalidArgument("expected ", elements, " elements of ", dtype, " from ",
                                      group_->NameOf(from), ", got ", message.dtype(),
                                      message.shape()));
        }
        if (message.bytes() <= kSmallMessage || pool_->InWorker()) return done(std::move(message));
        pool_->Schedule([done = std::move(done), message = std::move(message)]() mutable {
          done(std::move(message));
        });
      });
}

// A message that never comes fails with the round.
constexpr uint32_t kNever = Exchange::kAnonymous + 0xffff;

void Round::Watch(absl::AnyInvocable<void(const absl::Status&)> failed) {
  watching_->store(true);
  Receive(kAnyMember, kNever, kUint8, 0,
          [watching = watching_,
           failed = std::move(failed)](const absl::StatusOr<Tensor>& message) mutable {
            if (!watching->load()) return;
            failed(message.ok() ? Internal("a message that no member sends") : message.status());
          });
}

void Round::EndWatch(const absl::Status& status) {
  watching_->store(false);
  if (status.ok()) waiting_for_.store(kNobody, std::memory_order_relaxed);
  group_->Forget(KeyFrom(kAnyMember, kNever));
}

}  // namespace sluice::worker
