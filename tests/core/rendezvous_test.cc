// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <thread>
#include <vector>

#include "core/runtime/local_rendezvous.h"
#include "gtest/gtest.h"

namespace sluice {
namespace {

EdgeKey Key(uint64_t edge, int64_t iteration = 0) { return {edge, 0, iteration, 0}; }
Parcel Value(float value) { return {Tensor::Scalar(value), false}; }
constexpr int kLocal = Rendezvous::kLocal;

TEST(RendezvousTest, SendAndRecvMatchInEitherOrder) {
  LocalRendezvous rendezvous;
  std::vector<float> got;
  auto take = [&](absl::StatusOr<Parcel> parcel) { got.push_back(parcel->tensor.scalar<float>()); };
  ASSERT_TRUE(rendezvous.Send(Key(1), kLocal, Value(1)).ok());
  rendezvous.Recv(Key(1), kLocal, take);
  rendezvous.Recv(Key(2), kLocal, take);
  EXPECT_EQ(rendezvous.num_waiting(), 1);
  EXPECT_EQ(rendezvous.waiting(10), std::vector<EdgeKey>{Key(2)});
  ASSERT_TRUE(rendezvous.Send(Key(2), kLocal, Value(2)).ok());
  EXPECT_EQ(got, (std::vector<float>{1, 2}));
  EXPECT_EQ(rendezvous.num_waiting(), 0);
  EXPECT_EQ(rendezvous.num_values(), 0);
}

TEST(RendezvousTest, SeveralOfOneKeyKeepTheirOrder) {
  LocalRendezvous rendezvous;
  std::vector<float> got;
  auto take = [&](absl::StatusOr<Parcel> parcel) { got.push_back(parcel->tensor.scalar<float>()); };
  for (int i = 0; i < 3; ++i)
    ASSERT_TRUE(rendezvous.Send(Key(1), kLocal, Value(static_cast<float>(i))).ok());
  EXPECT_EQ(rendezvous.num_values(), 3);
  for (int i = 0; i < 3; ++i) rendezvous.Recv(Key(1), kLocal, take);
  for (int i = 0; i < 2; ++i) rendezvous.Recv(Key(1, 7), kLocal, take);
  for (int i = 3; i < 5; ++i)
    ASSERT_TRUE(rendezvous.Send(Key(1, 7), kLocal, Value(static_cast<float>(i))).ok());
  EXPECT_EQ(got, (std::vector<float>{0, 1, 2, 3, 4}));
}

TEST(RendezvousTest, DeadValuesTravel) {
  LocalRendezvous rendezvous;
  ASSERT_TRUE(rendezvous.Send(Key(1), kLocal, Parcel{Tensor(), true}).ok());
  int dead = 0;
  rendezvous.Recv(Key(1), kLocal, [&](absl::StatusOr<Parcel> parcel) { dead += parcel->dead; });
  EXPECT_EQ(dead, 1);
}

TEST(RendezvousTest, AbortAnswersEverybodyWithTheFirstStatus) {
  LocalRendezvous rendezvous;
  std::vector<std::string> got;
  auto take = [&](absl::StatusOr<Parcel> parcel) {
    got.push_back(std::string(parcel.status().message()));
  };
  rendezvous.Recv(Key(1), kLocal, take);
  ASSERT_TRUE(rendezvous.Send(Key(2), kLocal, Value(1)).ok());
  rendezvous.Abort(absl::UnavailableError("task 1 is gone"));
  rendezvous.Abort(absl::InternalError("later"));
  rendezvous.Recv(Key(2), kLocal, take);
  EXPECT_EQ(got, (std::vector<std::string>{"task 1 is gone", "task 1 is gone"}));
  EXPECT_EQ(rendezvous.Send(Key(3), kLocal, Value(1)).message(), "task 1 is gone");
  EXPECT_EQ(rendezvous.num_values(), 0);
}

TEST(RendezvousTest, APeersFailureFailsOnlyItsRecvs) {
  LocalRendezvous rendezvous;
  std::vector<std::string> failed;
  int served = 0;
  auto take = [&](absl::StatusOr<Parcel> parcel) {
    if (parcel.ok())
      ++served;
    else
      failed.push_back(std::string(parcel.status().message()));
  };
  ASSERT_TRUE(rendezvous.Send(Key(3), kLocal, Value(1)).ok());
  rendezvous.Recv(Key(1), /*peer=*/0, take);
  rendezvous.Recv(Key(2), /*peer=*/1, take);
  rendezvous.FailFrom(0, absl::UnavailableError("gone"));
  EXPECT_EQ(failed, std::vector<std::string>{"gone"});
  rendezvous.FailFrom(0, absl::UnavailableError("gone again"));
  EXPECT_EQ(rendezvous.FailureOf(0).message(), "gone");
  EXPECT_TRUE(rendezvous.FailureOf(1).ok());
  ASSERT_TRUE(rendezvous.Send(Key(2), kLocal, Value(1)).ok());
  rendezvous.Recv(Key(3), /*peer=*/0, take);  // the value arrived before
  EXPECT_EQ(served, 2);
  rendezvous.Recv(Key(4), /*peer=*/0, take);
  EXPECT_EQ(failed, (std::vector<std::string>{"gone", "gone"}));
  EXPECT_EQ(rendezvous.num_waiting(), 0);
}

TEST(RendezvousTest, FailPendingEndsTheChosenRecvsOnce) {
  LocalRendezvous rendezvous;
  std::vector<std::string> failed;
  int served = 0;
  auto take = [&](absl::StatusOr<Parcel> parcel) {
    if (parcel.ok())
      ++served;
    else
      failed.emplace_back(parcel.status().message());
  };
  for (int key : {1, 2, 3}) rendezvous.Recv(Key(key), kLocal, take);
  rendezvous.FailPending([](const EdgeKey& key) { return key == Key(2); },
                         absl::AbortedError("no more"));
  EXPECT_EQ(failed, std::vector<std::string>{"no more"});
  EXPECT_EQ(rendezvous.num_waiting(), 2);
  rendezvous.Recv(Key(2), kLocal, take);
  for (int key : {1, 2, 3}) ASSERT_TRUE(rendezvous.Send(Key(key), kLocal, Value(1)).ok());
  EXPECT_EQ(served, 3);
}

struct Pulls : LocalRendezvous::Source {
  void Pull(int peer, const EdgeKey& key) override { pulled.push_back({peer, key}); }
  void Taken(int peer, const Parcel&) override { taken.push_back(peer); }
  std::vector<std::pair<int, EdgeKey>> pulled;
  std::vector<int> taken;
};

TEST(RendezvousTest, AnAnnouncedValueIsPulledOnceByItsRecv) {
  Pulls source;
  LocalRendezvous rendezvous(&source);
  int served = 0;
  auto take = [&](absl::StatusOr<Parcel> parcel) { served += parcel.ok(); };
  EXPECT_FALSE(rendezvous.Announce(Key(1)));
  rendezvous.Recv(Key(1), /*peer=*/7, take);
  EXPECT_EQ(source.pulled, (std::vector<std::pair<int, EdgeKey>>{{7, Key(1)}}));
  rendezvous.Recv(Key(2), /*peer=*/7, take);
  EXPECT_TRUE(rendezvous.Announce(Key(2))) << "the caller pulls";
  EXPECT_FALSE(rendezvous.Announce(Key(3)));
  for (uint64_t edge : {1, 2, 3}) ASSERT_TRUE(rendezvous.Send(Key(edge), kLocal, Value(1)).ok());
  rendezvous.Recv(Key(3), /*peer=*/8, take);  // it arrived before it was pulled
  EXPECT_EQ(source.pulled.size(), 1u);
  EXPECT_EQ(served, 3);
  EXPECT_EQ(source.taken, (std::vector<int>{7, 7, 8}));
}

TEST(RendezvousTest, CallbacksMaySendAndReceive) {
  LocalRendezvous rendezvous;
  int hops = 0;
  std::function<void(absl::StatusOr<Parcel>)> hop = [&](absl::StatusOr<Parcel> parcel) {
    if (!parcel.ok() || ++hops == 100) return;
    rendezvous.Recv(Key(static_cast<uint64_t>(hops)), kLocal, hop);
    (void)rendezvous.Send(Key(static_cast<uint64_t>(hops)), kLocal, *parcel);
  };
  rendezvous.Recv(Key(0), kLocal, hop);
  ASSERT_TRUE(rendezvous.Send(Key(0), kLocal, Value(1)).ok());
  EXPECT_EQ(hops, 100);
}

TEST(RendezvousTest, EveryReceiverIsAnsweredOnceUnderThreads) {
  for (int round = 0; round < 20; ++round) {
    LocalRendezvous rendezvous;
    constexpr int kKeys = 500;
    std::atomic<int> answered{0};
    std::thread sender([&] {
      for (int i = 0; i < kKeys; ++i)
        (void)rendezvous.Send(Key(static_cast<uint64_t>(i)), kLocal, Value(1));
    });
    std::thread receiver([&] {
      for (int i = kKeys; i-- > 0;) {
        rendezvous.Recv(Key(static_cast<uint64_t>(i)), kLocal,
                        [&](absl::StatusOr<Parcel>) { answered.fetch_add(1); });
      }
    });
    if (round % 2 == 0) rendezvous.Abort(absl::AbortedError("race"));
    sender.join();
    receiver.join();
    EXPECT_EQ(answered.load(), kKeys);
  }
}

// Half of the values are announced, and arrive when they are pulled. In some rounds the peer fails.
TEST(RendezvousTest, AnnouncedOrSentEveryReceiverIsAnsweredOnceUnderThreads) {
  constexpr uint64_t kKeys = 500;
  constexpr int kPeer = 3;
  struct Answers : LocalRendezvous::Source {
    void Pull(int, const EdgeKey& key) override { (void)to->Send(key, kLocal, Value(2)); }
    void Taken(int, const Parcel&) override { taken.fetch_add(1); }
    LocalRendezvous* to = nullptr;
    std::atomic<uint64_t> taken{0};
  };
  for (int round = 0; round < 20; ++round) {
    Answers source;
    LocalRendezvous rendezvous(&source);
    source.to = &rendezvous;
    std::atomic<uint64_t> served{0}, failed{0};
    std::thread sender([&] {
      for (uint64_t i = 0; i < kKeys; ++i) {
        if (i % 2 == 0) {
          (void)rendezvous.Send(Key(i), kLocal, Value(1));
        } else if (rendezvous.Announce(Key(i))) {
          source.Pull(kPeer, Key(i));
        }
      }
    });
    std::thread receiver([&] {
      for (uint64_t i = 0; i < kKeys; ++i) {
        rendezvous.Recv(Key(i), kPeer, [&](const absl::StatusOr<Parcel>& parcel) {
          (parcel.ok() ? served : failed).fetch_add(1);
        });
      }
    });
    if (round % 2 == 1) rendezvous.FailFrom(kPeer, absl::UnavailableError("gone"));
    sender.join();
    receiver.join();
    EXPECT_EQ(served.load() + failed.load(), kKeys);
    EXPECT_EQ(source.taken.load(), served.load());
    if (round % 2 == 0) {
      EXPECT_EQ(failed.load(), 0u);
    }
  }
}

TEST(EdgeKeyTest, PrintsOnlyGivenParts) {
  EXPECT_EQ((EdgeKey{3, 0, 0, 0}).ToString(), "edge 3");
  EXPECT_EQ((EdgeKey{3, 255, 2, 4}).ToString(), "edge 3 frame ff iteration 2 call 4");
}

}  // namespace
}  // namespace sluice
