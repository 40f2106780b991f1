// SPDX-License-Identifier: Apache-2.0
#include "tests/doubles/switchboard.h"

#include <deque>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/btree_map.h"
#include "absl/synchronization/mutex.h"
#include "transport/forwarding_worker.h"

namespace sluice::transport {

// One loop serves all tasks. `busy` names the task whose sink is being called, with the lock
// released.
struct Switchboard::State {
  struct Socket {
    WorkerApi* worker = nullptr;
    TensorSink* sink = nullptr;
  };
  struct Delivery {
    std::string from, to;
    ParcelId id;
    Parcel parcel;
    absl::Status broken;  // if not OK, `from` has failed
  };

  absl::Mutex mu;
  bool stopping ABSL_GUARDED_BY(mu) = false;
  std::string busy ABSL_GUARDED_BY(mu);
  absl::btree_map<std::string, Socket> sockets ABSL_GUARDED_BY(mu);
  std::deque<Delivery> queue ABSL_GUARDED_BY(mu);
  std::thread loop;

  bool Ready() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu) { return stopping || !queue.empty(); }

  // Returns false when it is time to stop.
  bool DeliverOne() {
    Delivery next;
    TensorSink* sink = nullptr;
    {
      absl::MutexLock lock(&mu);
      mu.Await(absl::Condition(this, &State::Ready));
      if (queue.empty()) return false;
      next = std::move(queue.front());
      queue.pop_front();
      auto it = sockets.find(next.to);
      if (it == sockets.end()) return true;
      sink = it->second.sink;
      busy = next.to;
    }
    if (next.broken.ok())
      sink->Deliver(next.from, next.id, std::move(next.parcel));
    else
      sink->Broken(next.from, next.broken);
    absl::MutexLock lock(&mu);
    busy.clear();
    return true;
  }

  absl::StatusOr<Socket> Find(const std::string& task) {
    absl::MutexLock lock(&mu);
    auto it = sockets.find(task);
    if (it == sockets.end()) return Unavailable("task ", task, " in this process: it is not up");
    return it->second;
  }
};

namespace {

class InprocChannel final : public TensorChannel {
 public:
  InprocChannel(std::string task, std::string peer, std::shared_ptr<Switchboard> board,
                std::shared_ptr<Switchboard::State> state)
      : task_(std::move(task)),
        peer_(std::move(peer)),
        board_(std::move(board)),
        state_(std::move(state)) {}

  absl::Status Send(const ParcelId& id, Parcel parcel) override {
    absl::MutexLock lock(&state_->mu);
    if (!state_->sockets.contains(peer_))
      return Unavailable("task ", peer_, " in this process: it is not up");
    state_->queue.push_back({task_, peer_, id, std::move(parcel), absl::OkStatus()});
    return absl::OkStatus();
  }
  std::string ToString() const override { return absl::StrCat("switchboard to ", peer_); }

 private:
  const std::string task_, peer_;
  const std::shared_ptr<Switchboard> board_;
  const std::shared_ptr<Switchboard::State> state_;
};

// Looks up the worker for every call, because it may have been restarted.
class InprocWorker final : public ForwardingWorker {
 public:
  InprocWorker(std::string peer, std::shared_ptr<Switchboard> board,
               std::shared_ptr<Switchboard::State> state)
      : peer_(std::move(peer)), board_(std::move(board)), state_(std::move(state)) {}

 private:
  absl::StatusOr<WorkerApi*> To() const override {
    SLUICE_ASSIGN(const auto socket, state_->Find(peer_));
    return socket.worker;
  }

  const std::string peer_;
  const std::shared_ptr<Switchboard> board_;
  const std::shared_ptr<Switchboard::State> state_;
};

class SwitchboardConnector final : public Connector {
 public:
  SwitchboardConnector(std::string task, std::shared_ptr<Switchboard> board,
                       std::shared_ptr<Switchboard::State> state)
      : task_(std::move(task)), board_(std::move(board)), state_(std::move(state)) {}
  void Attach(TensorSink*) override {}  // Plug sets the sink
  absl::StatusOr<std::unique_ptr<WorkerApi>> ConnectWorker(const PeerAddress& peer) override {
    return std::make_unique<InprocWorker>(peer.task, board_, state_);
  }
  absl::StatusOr<std::shared_ptr<TensorChannel>> ConnectChannel(const PeerAddress& peer) override {
    return std::make_unique<InprocChannel>(task_, peer.task, board_, state_);
  }

 private:
  const std::string task_;
  const std::shared_ptr<Switchboard> board_;
  const std::shared_ptr<Switchboard::State> state_;
};

}  // namespace

Switchboard::Switchboard() : state_(std::make_shared<State>()) {
  state_->loop = std::thread([state = state_.get()] {
    while (state->DeliverOne()) {
    }
  });
}

Switchboard::~Switchboard() {
  {
    absl::MutexLock lock(&state_->mu);
    state_->stopping = true;
  }
  state_->loop.join();
}

void Switchboard::Plug(const std::string& task, WorkerApi* worker, TensorSink* sink) {
  absl::MutexLock lock(&state_->mu);
  state_->sockets[task] = {worker, sink};
}

void Switchboard::Unplug(const std::string& task) {
  absl::MutexLock lock(&state_->mu);
  if (state_->sockets.erase(task) == 0) return;
  const absl::Status gone = Unavailable("task ", task, " in this process: it has gone");
  for (const auto& [other, socket] : state_->sockets)
    state_->queue.push_back({task, other, {}, {}, gone});
  const std::pair<std::string*, const std::string*> names{&state_->busy, &task};
  state_->mu.Await(absl::Condition(
      +[](const std::pair<std::string*, const std::string*>* p) { return *p->first != *p->second; },
      &names));
}

absl::StatusOr<std::unique_ptr<Connector>> CreateSwitchboardConnector(
    const std::string& task, std::shared_ptr<Switchboard> switchboard) {
  if (switchboard == nullptr) return InvalidArgument("an in-process transport needs a switchboard");
  auto state = switchboard->state_;
  return std::make_unique<SwitchboardConnector>(task, std::move(switchboard), std::move(state));
}

}  // namespace sluice::transport
