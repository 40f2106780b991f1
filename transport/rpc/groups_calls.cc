// SPDX-License-Identifier: Apache-2.0
#include "transport/rpc/groups_calls.h"

#include <grpcpp/completion_queue.h>
#include <grpcpp/support/byte_buffer.h>

#include <algorithm>

#include "proto/groups.pb.h"
#include "transport/grpc/event_loop.h"
#include "transport/rpc/call.h"

namespace sluice::transport {
namespace {

void EncodeMember(const GroupMember& from, proto::GroupMember& to) {
  to.set_task(from.task);
  to.set_device(from.device);
  to.set_host(from.host);
  to.set_process(from.process);
  to.set_address(from.address);
  to.set_session(from.session);
  to.set_library(from.library);
  to.set_no_library(from.no_library);
  to.set_hardware(from.hardware);
}

GroupMember DecodeMember(const proto::GroupMember& from) {
  return {from.task(),    from.device(),  from.host(),       from.process(), from.address(),
          from.session(), from.library(), from.no_library(), from.hardware()};
}

// Code and text of a status, in the fields `code` and `cause`.
template <typename Message>
void EncodeCause(const absl::Status& status, Message& to) {
  to.set_code(static_cast<int>(status.code()));
  to.set_cause(std::string(status.message()));
}

template <typename Message>
absl::Status DecodeCause(const Message& from) {
  const bool known = from.code() > 0 && from.code() <= 16;
  return absl::Status(
      known ? static_cast<absl::StatusCode>(from.code()) : absl::StatusCode::kUnknown,
      from.cause());
}

// --- The table ---

constexpr RpcCall kJoin = {"/sluice.Groups/Join", RpcDuration::kLong, &GroupsApi::Join,
                           RequestOf<proto::JoinGroupRequest>(
                               [](const JoinGroup& from, auto& to) {
                                 to.set_key(from.key);
                                 to.set_size(from.size);
                                 to.set_device_type(from.device_type);
                                 EncodeMember(from.member, *to.mutable_member());
                                 to.set_rank_plus_one(from.rank + 1);
                               },
                               [](const auto& from) {
                                 return JoinGroup{from->key(), from->size(), from->device_type(),
                                                  DecodeMember(from->member()),
                                                  std::max(from->rank_plus_one(), 0) - 1};
                               }),
                           AnswerOf<proto::JoinGroupResponse>(
                               [](const GroupRoster& from, auto& to) {
                                 to.set_incarnation(from.incarnation);
                                 for (const GroupMember& member : from.members)
                                   EncodeMember(member, *to.add_member());
                                 EncodeCause(from.member_gone, to);
                               },
                               [](const proto::JoinGroupResponse& from) {
                                 GroupRoster roster{from.incarnation(), {}};
                                 for (const auto& member : from.member())
                                   roster.members.push_back(DecodeMember(member));
                                 if (from.code() != 0) roster.member_gone = DecodeCause(from);
                                 return roster;
                               })};

// kShort: it is handled before a Join that the same task sends after it.
constexpr RpcCall kEnd = {"/sluice.Groups/End", RpcDuration::kShort, &GroupsApi::End,
                          RequestOf<proto::EndGroupRequest>(
                              [](const EndGroup& from, auto& to) {
                                to.set_key(from.key);
                                to.set_incarnation(from.incarnation);
                                EncodeCause(from.cause, to);
                                to.set_superseded(from.superseded);
                                to.set_device(from.device);
                                to.set_step_failed(from.step_failed);
                                to.set_leaver_plus_one(from.leaver + 1);
                                for (const auto& [instance, rounds] : from.completed) {
                                  auto* const one = to.add_completed();
                                  one->set_instance(instance);
                                  one->set_rounds(rounds);
                                }
                              },
                              [](const auto& from) {
                                EndGroup end = {from->key(),
                                                from->incarnation(),
                                                DecodeCause(*from),
                                                from->superseded(),
                                                from->device(),
                                                from->step_failed(),
                                                std::max(from->leaver_plus_one(), 0) - 1};
                                for (const auto& one : from->completed())
                                  end.completed[one.instance()] = one.rounds();
                                return end;
                              }),
                          EmptyAnswer{}};

constexpr RpcCall kProbe = {
    "/sluice.Groups/Probe", RpcDuration::kShort, &GroupsApi::Probe,
    RequestOf<proto::ProbeGroupRequest>(
        [](const ProbeGroup& from, auto& to) {
          to.set_key(from.key);
          to.set_incarnation(from.incarnation);
          to.set_instance(from.instance);
          to.set_rank(from.rank);
        },
        [](const auto& from) {
          return ProbeGroup{from->key(), from->incarnation(), from->instance(), from->rank()};
        }),
    AnswerOf<proto::ProbeGroupResponse>(
        [](const GroupState& from, auto& to) {
          to.set_process(from.process);
          to.set_ended(!from.ended.ok());
          EncodeCause(from.ended, to);
          to.set_state(from.state);
          to.set_description(from.description);
        },
        [](const proto::ProbeGroupResponse& from) {
          return GroupState{from.process(), from.ended() ? DecodeCause(from) : absl::OkStatus(),
                            from.state(), from.description()};
        })};

class RemoteGroups final : public GroupsApi {
 public:
  RemoteGroups(const std::string& who, GrpcTarget target, grpc::CompletionQueue* queue)
      : client_(who, std::move(target), queue) {}

  void Join(const JoinGroup& request, const CallOptions& options,
            Reply<GroupRoster> done) override {
    Invoke(client_, kJoin, options, std::move(done), request);
  }
  void End(const EndGroup& request, const CallOptions& options, Ack done) override {
    Invoke(client_, kEnd, options, std::move(done), request);
  }
  void Probe(const ProbeGroup& request, const CallOptions& options,
             Reply<GroupState> done) override {
    Invoke(client_, kProbe, options, std::move(done), request);
  }

 private:
  UnaryClient client_;
};

}  // namespace

std::vector<RpcMethod> GroupsMethods(GroupsApi* groups) {
  return MethodsOf(groups, kJoin, kEnd, kProbe);
}

std::unique_ptr<GroupsApi> CreateRemoteGroups(const std::string& who, GrpcTarget target,
                                              grpc::CompletionQueue* queue) {
  return std::make_unique<RemoteGroups>(who, std::move(target), queue);
}

}  // namespace sluice::transport
