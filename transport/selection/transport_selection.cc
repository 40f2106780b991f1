// SPDX-License-Identifier: Apache-2.0
#include "transport/selection/transport_selection.h"

#include <algorithm>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_join.h"
#include "absl/synchronization/mutex.h"
#include "core/threads/timer.h"
#include "transport/selection/channel_worker.h"
#include "transport/selection/selected_channel.h"

namespace sluice::transport {
namespace {

constexpr char kNotAllowed[] = "its configuration does not allow it";

// Empty if it is none of these.
std::string ReasonOf(const std::vector<RefusedTransport>& refused, const std::string& transport) {
  for (const RefusedTransport& one : refused) {
    if (one.transport == transport) return one.why;
  }
  return "";
}

// Collects the transports of all peers of a task, and reports them when all are known.
//
// Owner:    the pending requests to the peers.
// Threads:  any.
class Choices {
 public:
  Choices(std::string task, size_t peers, Reply<TaskTransports> done)
      : done_(std::move(done)),
        missing_(peers),
        transports_{std::move(task), std::vector<TransportChoice>(peers)} {}

  void Set(size_t peer, TransportChoice choice) {
    TaskTransports all;
    {
      absl::MutexLock lock(&mu_);
      transports_.choices[peer] = std::move(choice);
      if (--missing_ > 0) return;
      all = std::move(transports_);
    }
    done_(std::move(all));
  }
  // One transport will never be set. The others do not end the list without it.
  void Fail(const absl::Status& why) { done_(why); }

 private:
  Reply<TaskTransports> done_;
  absl::Mutex mu_;
  size_t missing_ ABSL_GUARDED_BY(mu_);
  TaskTransports transports_ ABSL_GUARDED_BY(mu_);
};

class Selection final : public TransportSelection {
 public:
  explicit Selection(SelectionOptions options) : options_(std::move(options)) {}
  ~Selection() override { Stop(); }

  void Attach(TensorSink* sink) override {
    sink_ = sink;
    for (const auto& transport : options_.transports) transport->Attach(sink);
  }
  absl::StatusOr<std::unique_ptr<WorkerApi>> ConnectWorker(const PeerAddress& peer) override;
  absl::StatusOr<std::shared_ptr<TensorChannel>> ConnectChannel(const PeerAddress& peer) override {
    return ChannelTo(peer);
  }
  std::unique_ptr<GroupsApi> ConnectGroups(const PeerAddress& peer) override {
    return options_.calls->ConnectGroups(peer);
  }
  void Stop() override;

  void Handshake(const HandshakeRequest& request, const CallOptions& options,
                 Reply<HandshakeReply> done) override;
  void ListTransports(const CallOptions& options, Reply<TaskTransports> done) override;

 private:
  using ChannelKey = std::pair<std::string, std::string>;  // the peer, and its name for this task

  // The transports that tensors to `peer` may take, the best first.
  const TransportNames& AllowedTo(const PeerAddress& peer) const {
    return peer.transports.empty() ? options_.preferred : peer.transports;
  }
  HandshakeRequest RequestTo(const PeerAddress& peer) const;
  std::shared_ptr<SelectedChannel> ChannelTo(const PeerAddress& peer);
  absl::StatusOr<std::shared_ptr<TensorChannel>> Choose(const PeerAddress& peer,
                                                        const absl::StatusOr<HandshakeReply>& reply,
                                                        TransportChoice* choice);
  absl::StatusOr<std::shared_ptr<TensorChannel>> ConnectBy(const std::string& transport,
                                                           const PeerAddress& peer,
                                                           const HandshakeReply& reply);
  Transport* Find(absl::string_view name) const {
    for (const auto& transport : options_.transports) {
      if (transport->name() == name) return transport.get();
    }
    return nullptr;
  }

  const SelectionOptions options_;
  TensorSink* sink_ = nullptr;
  Timer timer_;
  absl::Mutex mu_;
  bool stopped_ ABSL_GUARDED_BY(mu_) = false;
  absl::flat_hash_map<ChannelKey, std::weak_ptr<SelectedChannel>> channels_ ABSL_GUARDED_BY(mu_);
  std::vector<std::shared_ptr<SelectedChannel>> listed_ ABSL_GUARDED_BY(mu_);  // until Stop
};

HandshakeRequest Selection::RequestTo(const PeerAddress& peer) const {
  HandshakeRequest request;
  request.peer = {peer.as.empty() ? options_.task : peer.as, options_.incarnation, HostId()};
  request.to = peer.task;
  for (const std::string& name : AllowedTo(peer)) {
    const Transport* const transport = Find(name);
    if (transport != nullptr && transport->needs_offer()) request.transports.push_back(name);
  }
  return request;
}

absl::StatusOr<std::unique_ptr<WorkerApi>> Selection::ConnectWorker(const PeerAddress& peer) {
  auto direct = options_.calls->ConnectWorker(peer);
  const bool ours =
      peer.as.empty() && std::any_of(options_.peers.begin(), options_.peers.end(),
                                     [&](const auto& known) { return known.task == peer.task; });
  if (!ours) return direct;  // of a session with its own cluster; ends with it
  HandshakeRequest request = RequestTo(peer);
  request.transports.clear();
  return CreateChannelWorker({std::move(direct), ChannelTo(peer),
                              options_.calls->ConnectHandshake(peer), std::move(request), &timer_});
}

std::shared_ptr<SelectedChannel> Selection::ChannelTo(const PeerAddress& peer) {
  absl::MutexLock lock(&mu_);
  absl::erase_if(channels_, [](const auto& item) { return item.second.expired(); });
  std::weak_ptr<SelectedChannel>& known = channels_[{peer.task, peer.as}];
  if (auto channel = known.lock()) return channel;
  HandshakeRequest request = RequestTo(peer);
  auto handshake = request.transports.empty() ? nullptr : options_.calls->ConnectHandshake(peer);
  auto channel = std::make_shared<SelectedChannel>(
      std::move(request), peer, std::move(handshake),
      [this](const PeerAddress& to, const absl::StatusOr<HandshakeReply>& reply,
             TransportChoice* choice) { return Choose(to, reply, choice); },
      sink_);
  known = channel;
  return channel;
}

void Selection::Stop() {
  // destroyed outside the lock, like the next
  std::vector<std::shared_ptr<SelectedChannel>> listed;
  {
    absl::MutexLock lock(&mu_);
    stopped_ = true;
    listed.swap(listed_);
  }
  for (const auto& transport : options_.transports) transport->Stop();
}

absl::StatusOr<std::shared_ptr<TensorChannel>> Selection::Choose(
    const PeerAddress& peer, const absl::StatusOr<HandshakeReply>& reply, TransportChoice* choice) {
  // An unreachable peer is down; a peer that does not know the handshake has gRPC.
  if (absl::IsUnavailable(reply.status()) || absl::IsDeadlineExceeded(reply.status()))
    return Unavailable("task ", peer.task, " at ", peer.address, ": ", reply.status().message());
  const HandshakeReply given = reply.ok() ? *reply : HandshakeReply();
  for (const std::string& transport : AllowedTo(peer)) {
    if (!ReasonOf(choice->passed_over, transport).empty()) continue;
    auto channel = ConnectBy(transport, peer, given);
    if (channel.ok()) {
      choice->transport = transport;
      return channel;
    }
    const Transport* const mine = Find(transport);
    const bool refused = reply.ok() || (mine != nullptr && !mine->needs_offer());
    choice->passed_over.push_back(
        {transport, std::string((refused ? channel.status() : reply.status()).message()),
         mine != nullptr && mine->rare()});
  }
  return Unavailable(
      "task ", peer.task, " at ", peer.address, ": no transport to it is left: ",
      absl::StrJoin(choice->passed_over, "; ", [](std::string* out, const RefusedTransport& one) {
        absl::StrAppend(out, one.transport, ": ", one.why);
      }));
}

absl::StatusOr<std::shared_ptr<TensorChannel>> Selection::ConnectBy(const std::string& transport,
                                                                    const PeerAddress& peer,
                                                                    const HandshakeReply& reply) {
  if (!Has(options_.preferred, transport))
    return Unavailable(options_.task, ": ", kNotAllowed);  // for any request of a session
  Transport* const mine = Find(transport);
  if (mine == nullptr)
    return Unavailable(options_.task, ": ", ReasonOf(options_.missing, transport));
  if (!mine->needs_offer()) return mine->Connect(peer, ConnectionOffer());
  for (const ConnectionOffer& offer : reply.offers) {
    if (offer.transport == transport) return mine->Connect(peer, offer);
  }
  const std::string why = ReasonOf(reply.refused, transport);
  return Unavailable(peer.task, ": ", why.empty() ? "it does not have this transport" : why);
}

void Selection::Handshake(const HandshakeRequest& request, const CallOptions&,
                          Reply<HandshakeReply> done) {
  if (request.to != options_.task && !sink_->KnownAs(request.to))
    return done(FailedPrecondition("expected ", request.to, ", found ", options_.task));
  HandshakeReply reply;
  for (const std::string& name : request.transports) {
    Transport* const transport = Find(name);
    absl::StatusOr<ConnectionOffer> offer =
        !Has(options_.preferred, name) ? Unavailable(kNotAllowed)
        : transport == nullptr         ? Unavailable(ReasonOf(options_.missing, name))
                                       : transport->Offer(request.peer);
    if (offer.ok())
      reply.offers.push_back(*std::move(offer));
    else
      reply.refused.push_back({name, std::string(offer.status().message())});
  }
  done(std::move(reply));
}

void Selection::ListTransports(const CallOptions&, Reply<TaskTransports> done) {
  if (options_.peers.empty()) return done(TaskTransports{options_.task, {}});
  auto choices = std::make_shared<Choices>(options_.task, options_.peers.size(), std::move(done));
  for (size_t i = 0; i < options_.peers.size(); ++i) {
    const PeerAddress& peer = options_.peers[i];
    const std::shared_ptr<SelectedChannel> channel = ChannelTo(peer);
    bool stopped = false;
    {
      // Its destructor waits for its answers, so no answer may destroy it.
      absl::MutexLock lock(&mu_);
      stopped = stopped_;
      if (!stopped && std::find(listed_.begin(), listed_.end(), channel) == listed_.end())
        listed_.push_back(channel);
    }
    if (stopped) return choices->Fail(Unavailable(options_.task, " is stopping"));
    channel->WhenChosen([choices, i, peer](absl::StatusOr<TransportChoice> choice) {
      if (!choice.ok())
        choice = TransportChoice{
            peer.task, "", {{"any", std::string(choice.status().message())}}, peer.address};
      choices->Set(i, *std::move(choice));
    });
  }
}

}  // namespace

void CreateTransports(const TransportContext& context, SelectionOptions& options) {
  for (const TransportRow& row : AllTransports()) {
    if (!Has(options.preferred, row.name)) continue;
    absl::StatusOr<std::unique_ptr<Transport>> transport = row.create(context);
    if (transport.ok())
      options.transports.push_back(*std::move(transport));
    else
      options.missing.push_back({row.name, std::string(transport.status().message())});
  }
}

std::unique_ptr<TransportSelection> CreateTransportSelection(SelectionOptions options) {
  return std::make_unique<Selection>(std::move(options));
}

}  // namespace sluice::transport
