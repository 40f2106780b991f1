// SPDX-License-Identifier: Apache-2.0
// Many threads on one session, and on many, which are extended, run, run in parts and closed at
// random. A failed call must have an error that closing or a time limit implies, and no call waits
// for ever. SLUICE_STRESS_SECONDS is the duration of each test.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <optional>
#include <random>
#include <thread>

#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "proto/config.pb.h"
#include "tests/master/inproc_cluster.h"

namespace sluice::master {
namespace {

constexpr int kThreads = 64;
constexpr absl::Duration kTimeout = absl::Seconds(60);  // for one answer

// Arithmetic over two tasks, a loop over both, a variable, and a queue that stays empty.
constexpr char kGraph[] = R"(
    x = Placeholder[dtype=int32, shape=?] ; y = Placeholder[dtype=int32, shape=?]
    a = Neg(x) @ps:0 ; b = Add(a, a) @w:0 ; c = Mul(b, x) @ps:0
    d = Add(a, y) @w:0 ; e = Mul(d, d) @ps:0
    zero = Const(0) ; one = Const(1) ; ten = Const(10)
    ei = Enter[frame_name="w"](zero) @ps:0 ; mi = Merge(ei, ni) @ps:0
    en = Enter[frame_name="w", is_constant=true](ten) @ps:0 ; less = Less(mi, en) @ps:0
    cond = LoopCond(less) @ps:0 ; si = Switch(mi, cond) @ps:0
    e1 = Enter[frame_name="w", is_constant=true](one) @w:0
    inc = Add(si:1, e1) @w:0 ; ni = NextIteration(inc) @ps:0 ; loop = Exit(si) @ps:0
    v = VariableV2[shape=[], dtype=int32] @ps:0 ; set = Assign(v, x) @ps:0
    q = FIFOQueueV2[component_types=[int32], shapes=[[]]] @ps:0
    taken = QueueDequeueV2[component_types=[int32]](q) @ps:0)";

// The place of a session: the thread that closes it opens another there.
class Place {
 public:
  struct Now {
    std::string session;
    int64_t version;
  };
  Now now() {  // waits while there is no session
    absl::MutexLock lock(&mu_);
    const auto filled = [this]() ABSL_SHARED_LOCKS_REQUIRED(mu_) { return !now_.session.empty(); };
    EXPECT_TRUE(mu_.AwaitWithTimeout(absl::Condition(&filled), kTimeout)) << "closing hangs";
    return now_;
  }
  std::string Take() {  // empty if another thread has taken it
    absl::MutexLock lock(&mu_);
    return std::exchange(now_.session, "");
  }
  void Put(std::string session) {
    absl::MutexLock lock(&mu_);
    now_ = {std::move(session), 0};
  }
  void Extended(const std::string& session, int64_t version) {
    absl::MutexLock lock(&mu_);
    if (session == now_.session) now_.version = std::max(now_.version, version);
  }

 private:
  absl::Mutex mu_;
  Now now_ ABSL_GUARDED_BY(mu_);
};

class Storm {
 public:
  explicit Storm(int places) : places_(places) {
    for (Place& place : places_) Open(place);
  }

  void Blow() {
    const char* seconds = std::getenv("SLUICE_STRESS_SECONDS");
    const absl::Time end = absl::Now() + absl::Seconds(seconds != nullptr ? std::atoi(seconds) : 4);
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([this, i, end] {
        std::mt19937 random(i);
        while (absl::Now() < end && !testing::Test::HasFailure()) Act(random);
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (Place& place : places_) {  // and the session works as before
      Client client(&cluster_.master());
      client.session = place.now().session;
      EXPECT_EQ(client.Fetch({{"x:0", Int(3)}}, "c:0"), "-18");
      EXPECT_TRUE(client.Close().ok());
    }
    for (const auto& [what, count] : counts()) {
      EXPECT_GT(count, 0) << what;
      printf("  %s: %d\n", what, count);
    }
  }

 private:
  enum What { kRun, kLoop, kExtend, kCallable, kPartial, kWait, kClose, kEnds };

  std::vector<std::pair<const char*, int>> counts() const {
    return {{"steps", done_[kRun]},
            {"loops", done_[kLoop]},
            {"extensions", done_[kExtend]},
            {"callables", done_[kCallable]},
            {"partial runs", done_[kPartial]},
            {"waits cut short", done_[kWait]},
            {"sessions closed", done_[kClose]}};
  }

  void Open(Place& place) {
    Client client(&cluster_.master());
    const absl::Status status = client.Create(kGraph);
    ASSERT_TRUE(status.ok()) << status;
    place.Put(client.session);
  }

  void Act(std::mt19937& random) {
    Place& place = places_[random() % places_.size()];
    Client client(&cluster_.master());
    const Place::Now now = place.now();
    client.session = now.session;
    const int x = static_cast<int>(random() % 1000);
    const int what = static_cast<int>(random() % 100);
    if (what < 35) return Run(client, x);
    if (what < 50) return Loop(client, x);
    if (what < 60) return Extend(client, place, now);
    if (what < 75) return Call(client, x);
    if (what < 88) return RunInParts(client, x, random);
    if (what < 97) return Wait(client);
    client.session = place.Take();  // others are still running steps of it
    if (client.session.empty()) return;
    (void)Well(client.Close(), kClose);
    Open(place);
  }

  // Returns true if the call succeeded; an error must be one that closing implies.
  bool Well(const absl::Status& status, What what, bool timed = false) {
    if (status.ok()) return ++done_[what], true;
    const bool closed = absl::IsAborted(status) || absl::IsCancelled(status) ||
                        status.message() == "Session is closed.";
    EXPECT_TRUE(closed || (timed && absl::IsDeadlineExceeded(status))) << status;
    return false;
  }

  void Run(Client& client, int x) {
    auto values = client.Run({{"x:0", Int(x)}}, {"c:0", "a:0"}, {"set"});
    if (!Well(values.status(), kRun)) return;
    EXPECT_EQ((*values)[0].scalar<int32_t>(), -2 * x * x);
    EXPECT_EQ((*values)[1].scalar<int32_t>(), -x);
  }

  void Loop(Client& client, int x) {
    auto values = client.Run({{"zero:0", Int(x % 20)}}, {"loop:0"});
    if (Well(values.status(), kLoop)) {
      EXPECT_EQ((*values)[0].scalar<int32_t>(), std::max(10, x % 20));
    }
  }

  // If several threads extend one version, all but one are refused.
  void Extend(Client& client, Place& place, const Place::Now& now) {
    const int number = next_node_++;
    const std::string name = absl::StrCat("more", number);
    auto version = client.Extend(absl::StrCat(name, " = Const(", number, ") @w:0"), now.version);
    if (!Well(version.status(), kExtend)) return;
    place.Extended(now.session, *version);
    auto values = client.Run({}, {name + ":0"});
    if (Well(values.status(), kRun)) {
      EXPECT_EQ((*values)[0].scalar<int32_t>(), number);
    }
  }

  void Call(Client& client, int x) {
    transport::MakeCallableRequest request;
    request.session = client.session;
    request.feeds = {"x:0"};
    request.fetches = {"c:0"};
    auto callable = client.MakeCallable(std::move(request));
    if (!Well(callable.status(), kCallable)) return;
    auto values = client.RunCallable(*callable, {Int(x)});
    if (Well(values.status(), kRun)) {
      EXPECT_EQ((*values)[0].scalar<int32_t>(), -2 * x * x);
    }
    (void)Well(client.ReleaseCallable(*callable), kCallable);
  }

  void Wait(Client& client) {
    transport::RunOptions options;
    options.timeout_ms = 20;
    auto values = client.Run({}, {"taken:0"}, {}, options);
    EXPECT_FALSE(values.ok()) << "nobody fills the queue";
    (void)Well(values.status(), kWait, /*timed=*/true);
    ++done_[kWait];
  }

  // One in four is abandoned after its first part.
  void RunInParts(Client& client, int x, std::mt19937& random) {
    absl::Notification began;
    absl::StatusOr<std::string> handle = absl::UnknownError("");
    cluster_.master().SetUpPartialRun({client.session, {"x:0", "y:0"}, {"a:0", "e:0"}, {}}, {},
                                      [&](absl::StatusOr<std::string> answer) {
                                        handle = std::move(answer);
                                        began.Notify();
                                      });
    if (!began.WaitForNotificationWithTimeout(kTimeout)) return Hangs("SetUpPartialRun");
    if (!Well(handle.status(), kPartial)) return;
    auto first = Part(client, *handle, {{"x:0", Int(x)}}, "a:0");
    if (!Well(first.status(), kPartial)) return;
    EXPECT_EQ(*first, -x);
    if (random() % 4 == 0) return;
    auto second = Part(client, *handle, {{"y:0", Int(7)}}, "e:0");
    if (Well(second.status(), kPartial)) {
      EXPECT_EQ(*second, (7 - x) * (7 - x));
    }
  }

  absl::StatusOr<int32_t> Part(Client& client, const std::string& handle, Client::Feeds feeds,
                               const std::string& fetch) {
    struct Answer {
      absl::Notification came;
      absl::StatusOr<transport::RunStepResult> result = absl::UnknownError("");
    };
    auto answer = std::make_shared<Answer>();
    transport::RunStepRequest request;
    request.session = client.session;
    request.feeds = std::move(feeds);
    request.fetches = {fetch};
    request.partial_run = handle;
    cluster_.master().RunStep(std::move(request), {},
                              [answer](absl::StatusOr<transport::RunStepResult> result) {
                                answer->result = std::move(result);
                                answer->came.Notify();
                              });
    if (!answer->came.WaitForNotificationWithTimeout(kTimeout)) {
      Hangs("a part of a partial run");
      return absl::CancelledError("");
    }
    if (!answer->result.ok()) return answer->result.status();
    return answer->result->fetches[0].scalar<int32_t>();
  }

  static void Hangs(const char* what) { ADD_FAILURE() << what << " hangs"; }

  InprocCluster cluster_{{kW, kPs}};
  std::vector<Place> places_;
  std::atomic<int> next_node_{0};
  std::array<std::atomic<int>, kEnds> done_{};
};

TEST(SessionsStressTest, SixtyFourThreadsOnOneSession) { Storm(1).Blow(); }

TEST(SessionsStressTest, SixtyFourThreadsOnSixtyFourSessions) { Storm(64).Blow(); }

}  // namespace
}  // namespace sluice::master
