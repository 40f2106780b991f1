// SPDX-License-Identifier: Apache-2.0
// Every algorithm of collective operations, on members that exchange messages in memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numeric>
#include <random>

#include "kernels/cpu/collective/reductions.h"
#include "tests/worker_service/mesh.h"
#include "worker_service/groups/algorithms/operands.h"

namespace sluice::worker {
namespace {

using enum CollectiveOp;

struct Case {
  CollectiveOp op;
  const char* hint;
};

constexpr Case kCases[] = {
    {kAllReduce, "auto"},          {kAllReduce, "direct"},
    {kAllReduce, "direct_parts"},  {kAllReduce, "halving_doubling"},
    {kAllReduce, "hierarchical"},  {kAllReduce, "recursive_doubling"},
    {kAllReduce, "ring"},          {kReduceScatter, "auto"},
    {kReduceScatter, "direct"},    {kReduceScatter, "ring"},
    {kAllGather, "auto"},          {kAllGather, "direct"},
    {kAllGather, "ring"},          {kBroadcast, "auto"},
    {kBroadcast, "binomial_tree"}, {kBroadcast, "direct"},
    {kAllToAll, "auto"},           {kAllToAll, "direct"},
};

const char* NameOf(CollectiveOp op) {
  constexpr const char* kNames[] = {"AllReduce", "ReduceScatter", "AllGather", "Broadcast",
                                    "AllToAll"};
  return kNames[static_cast<int>(op)];
}

std::vector<int> OneHost(int members) { return std::vector<int>(static_cast<size_t>(members)); }
std::vector<int> OneEach(int members) {
  std::vector<int> hosts(static_cast<size_t>(members));
  std::iota(hosts.begin(), hosts.end(), 0);
  return hosts;
}

// The values of all members of one operation, and what is expected of it.
template <typename T>
class Operation {
 public:
  // `elements`: of the smaller operand of a member, or of one part.
  Operation(const Case& what, int members, int64_t elements, uint64_t seed,
            const char* merge_op = "Add", const char* final_op = "Div")
      : op_(what.op),
        members_(members),
        elements_(elements),
        merge_op_(merge_op),
        final_op_(final_op) {
    std::mt19937_64 random(seed);
    const bool parts = op_ == kReduceScatter || op_ == kAllToAll;
    const int64_t in = parts ? members * elements : elements;
    const int64_t out = op_ == kAllGather || op_ == kAllToAll ? members * elements : elements;
    source_ = static_cast<int>(random() % static_cast<uint64_t>(members));
    for (int rank = 0; rank < members; ++rank) {
      CollectiveCall call;
      call.op = op_;
      call.hint = what.hint;
      call.group_size = members;
      if (op_ == kAllReduce || op_ == kReduceScatter) {
        call.reduction = *kernels::FindReduction(merge_op, final_op, kDTypeOf<T>);
      }
      call.source = op_ == kBroadcast && rank == source_;
      if (op_ != kBroadcast || call.source) {
        call.input = Tensor(kDTypeOf<T>, Shape{1, in});
        for (T& value : call.input.template mutable_flat<T>()) {
          const int small = static_cast<int>(random() % 15) - 7;  // products of five are exact
          value = std::is_integral_v<T> ? static_cast<T>(small) : static_cast<T>(small / 4.0);
        }
      }
      call.output = Tensor(kDTypeOf<T>, Shape{out});
      if (out > 0) std::memset(call.output.raw(), 0xee, call.output.bytes());
      calls_.push_back(std::move(call));
    }
  }

  const std::vector<CollectiveCall>& calls() const { return calls_; }

  // The value of an element of a member's output.
  double Expected(int rank, int64_t i) const {
    switch (op_) {
      case kAllReduce:
        return Reduced(i);
      case kReduceScatter:
        return Reduced(rank * elements_ + i);
      case kAllGather:
        return Input(static_cast<int>(i / elements_), i % elements_);
      case kBroadcast:
        return Input(source_, i);
      default:
        return Input(static_cast<int>(i / elements_), rank * elements_ + i % elements_);
    }
  }

  void Check() const {
    const bool reduces = op_ == kAllReduce || op_ == kReduceScatter;
    const double error = std::is_integral_v<T> || !reduces ? 0 : sizeof(T) == 2 ? 0.1 : 1e-5;
    for (int rank = 0; rank < members_; ++rank) {
      const bool same = rank > 0 && (op_ == kAllReduce || op_ == kBroadcast);
      if (same && Bits(rank) == Bits(0)) continue;
      const auto values = calls_[static_cast<size_t>(rank)].output.template flat<T>();
      for (size_t i = 0; i < values.size(); ++i) {
        const double expected = Expected(rank, static_cast<int64_t>(i));
        const double value = static_cast<double>(values[i]);
        // Not !(a > b): a NaN is wrong.
        if (std::abs(value - expected) <= error * (1 + std::abs(expected))) continue;
        FAIL() << "element " << i << " of member " << rank << " is " << value << ", not "
               << expected;
      }
    }
  }

  std::string Bits(int rank) const {
    const Tensor& output = calls_[static_cast<size_t>(rank)].output;
    return std::string(static_cast<const char*>(output.raw()), output.bytes());
  }

 private:
  double Input(int rank, int64_t i) const {
    return static_cast<double>(calls_[static_cast<size_t>(rank)].input.template data<T>()[i]);
  }
  double Reduced(int64_t i) const {
    double value = Input(0, i);
    const char op = merge_op_[1];
    for (int rank = 1; rank < members_; ++rank) {
      const double next = Input(rank, i);
      if (op == 'd') value += next;
      if (op == 'u') value *= next;
      if (op == 'i') value = std::min(value, next);
      if (op == 'a') value = std::max(value, next);
    }
    if (final_op_[0] == 'D') value /= members_;
    return std::is_integral_v<T> ? std::trunc(value) : value;
  }

  const CollectiveOp op_;
  const int members_;
  const int64_t elements_;
  const char* const merge_op_;
  const char* const final_op_;
  int source_ = 0;
  std::vector<CollectiveCall> calls_;
};

void ExpectAllOk(const std::vector<absl::Status>& statuses) {
  for (size_t i = 0; i < statuses.size(); ++i) ASSERT_TRUE(statuses[i].ok()) << statuses[i];
}

std::vector<std::vector<int>> HostMaps(int members) {
  std::vector<std::vector<int>> maps = {OneHost(members)};
  if (members > 1) maps.push_back(OneEach(members));
  if (members == 3) maps.push_back({0, 1, 0});
  if (members == 4) maps.push_back({0, 0, 1, 1});
  if (members == 5) maps.push_back({0, 0, 1, 1, 1});
  if (members == 7) maps.push_back({0, 1, 2, 0, 1, 2, 0});
  if (members == 9) maps.push_back({0, 0, 0, 0, 1, 2, 2, 2, 1});
  return maps;
}

class CollectiveAlgorithmsTest : public testing::TestWithParam<Case> {};

TEST_P(CollectiveAlgorithmsTest, GivesTheReferencesValues) {
  for (int members = 1; members <= 9; ++members) {
    for (const auto& hosts : HostMaps(members)) {
      for (const int64_t elements : {0, 1, 2, 13, 997}) {
        SCOPED_TRACE(
            Cat(members, " members, ", elements, " elements, ", hosts.back(), " the last host"));
        Operation<float> operation(GetParam(), members, elements, /*seed=*/members + elements);
        Mesh mesh(hosts, /*seed=*/17 * members + elements);
        ExpectAllOk(mesh.Run(operation.calls()));
        operation.Check();
        if (testing::Test::HasFailure()) return;
      }
    }
  }
}

TEST_P(CollectiveAlgorithmsTest, AllDtypesAreExactOrRoundedAsTheirTypeIs) {
  for (const int members : {2, 3, 5}) {
    const auto check = [&]<typename T>(Type<T>) {
      for (const char* merge_op : {"Add", "Mul", "Min", "Max"}) {
        SCOPED_TRACE(Cat(kDTypeOf<T>, " ", merge_op, " of ", members));
        Operation<T> operation(GetParam(), members, 51, 3, merge_op, "Id");
        Mesh mesh(OneEach(members), 5);
        ExpectAllOk(mesh.Run(operation.calls()));
        operation.Check();
      }
    };
    check(Type<Half>{});
    check(Type<Bfloat16>{});
    check(Type<double>{});
    check(Type<int32_t>{});
    check(Type<int64_t>{});
  }
}

TEST_P(CollectiveAlgorithmsTest, MovesLargeValuesInChunks) {
  const CollectiveOp op = GetParam().op;
  for (const int members : {2, 5}) {
    for (const auto& hosts : {OneHost(members), OneEach(members)}) {
      // More chunks than the window has, in each part.
      const int64_t elements = op == kAllReduce || op == kBroadcast ? 1'400'007 : 280'003;
      Operation<float> operation(GetParam(), members, elements, 1);
      Mesh mesh(hosts, 2, /*threads=*/3);
      ExpectAllOk(mesh.Run(operation.calls()));
      operation.Check();
      if (testing::Test::HasFailure()) return;
    }
  }
}

TEST_P(CollectiveAlgorithmsTest, GivesTheSameBitsOnAllMembersInEveryRun) {
  for (const int members : {2, 3, 4, 7, 9}) {
    std::string first;
    for (const uint64_t seed : {1, 2, 3}) {
      Operation<float> operation(GetParam(), members, 10'007, 8);
      Mesh mesh(HostMaps(members).back(), seed, /*threads=*/seed == 3 ? 4 : 1);
      ExpectAllOk(mesh.Run(operation.calls()));
      std::string all;
      for (int rank = 0; rank < members; ++rank) {
        if (GetParam().op == kAllReduce) {
          ASSERT_EQ(operation.Bits(rank), operation.Bits(0)) << members << " members";
        }
        all += operation.Bits(rank);
      }
      if (first.empty()) first = all;
      ASSERT_EQ(all, first) << members << " members";
    }
  }
}

TEST_P(CollectiveAlgorithmsTest, EndsWhenTheGroupEndsAtAnyMessage) {
  for (const int members : {2, 3, 5, 8}) {
    const auto hosts = HostMaps(members).back();
    Operation<float> whole(GetParam(), members, 300, 8);
    Mesh counted(hosts, 4);
    ExpectAllOk(counted.Run(whole.calls()));
    for (int64_t at = 0; at < counted.messages(); ++at) {
      Operation<float> operation(GetParam(), members, 300, 8);
      Mesh mesh(hosts, static_cast<uint64_t>(at), /*threads=*/at % 4 == 0 ? 3 : 1);
      const auto statuses = mesh.Run(operation.calls(), {.fails_at = at});
      int failed = 0;
      for (const absl::Status& status : statuses) {
        ASSERT_NE(status.code(), absl::StatusCode::kInternal) << status;
        failed += !status.ok();
      }
      ASSERT_GT(failed, 0) << "message " << at;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, CollectiveAlgorithmsTest, testing::ValuesIn(kCases),
                         [](const auto& info) {
                           return Cat(NameOf(info.param.op), "_", info.param.hint);
                         });

TEST(CollectiveAlgorithmTest, SmallReductionOfFourMembersTakesTwelveMessages) {
  Operation<float> operation({kAllReduce, "auto"}, 4, 1, 1);
  Mesh mesh(OneHost(4));
  ExpectAllOk(mesh.Run(operation.calls()));
  EXPECT_EQ(mesh.messages(), 12);
}

TEST(CollectiveAlgorithmTest, LargeReductionsSendTheLeastBytes) {
  for (const char* hint : {"direct_parts", "halving_doubling", "ring"}) {
    Operation<float> operation({kAllReduce, hint}, 4, 4 * 1024, 1);
    Mesh mesh(OneEach(4));
    ExpectAllOk(mesh.Run(operation.calls()));
    // 2 S (n - 1) / n by each of n members.
    EXPECT_EQ(mesh.sent_bytes(), 2 * 3 * 4 * 4 * 1024) << hint;
  }
}

// Without memory for them: such values are too large for a test.
TEST(CollectiveAlgorithmTest, PartsAndChunksCoverMoreElementsThanAnInt) {
  constexpr int64_t kCount = (int64_t{1} << 33) + 7;
  constexpr int kMembers = 3;
  for (const size_t element : {size_t{1}, size_t{8}}) {
    const Parts parts = Parts::Aligned(kCount, kMembers, element);
    const Chunks chunks(element);
    int64_t end = 0;
    for (int member = 0; member < kMembers; ++member) {
      const Range part = parts[member];
      ASSERT_EQ(part.begin, end);
      const int64_t count = chunks.Count(part.size());
      // Algorithms number each chunk of each step.
      ASSERT_LT(2 * kMembers * count, Exchange::kAnonymous);
      for (int64_t i = 0; i < count; ++i) {
        const Range chunk = chunks(part, i);
        ASSERT_EQ(chunk.begin, end);
        ASSERT_GT(chunk.size(), 0);
        end = chunk.end;
      }
      ASSERT_EQ(part.end, end);
    }
    EXPECT_EQ(end, kCount);
  }
  const Parts equal = Parts::Equal(kMembers * kCount, kMembers);
  EXPECT_EQ(equal[kMembers - 1].begin, (kMembers - 1) * kCount);
  EXPECT_EQ(equal[kMembers - 1].end, kMembers * kCount);
}

TEST(CollectiveAlgorithmTest, ChunksInFlightAreBounded) {
  const auto most_pending = [](int64_t chunks) {
    Operation<float> operation({kAllReduce, "direct_parts"}, 2, 2 * chunks * (64 << 10), 1);
    int64_t most = 0;
    for (const uint64_t seed : {1, 2, 3, 4}) {
      Mesh mesh(OneHost(2), seed);
      ExpectAllOk(mesh.Run(operation.calls()));
      most = std::max(most, mesh.most_pending());
    }
    return most;
  };
  EXPECT_LE(most_pending(12), 10);
  EXPECT_LE(most_pending(36), 10);
}

TEST(CollectiveAlgorithmTest, RefusesElementsThatAreNotPlain) {
  CollectiveCall call;
  call.op = kBroadcast;
  call.output = Tensor(kString, Shape{2});
  const auto statuses = Mesh(OneHost(2)).Run({call, call});
  EXPECT_EQ(statuses[0].code(), absl::StatusCode::kUnimplemented);
  EXPECT_EQ(statuses[1].code(), absl::StatusCode::kUnimplemented);
}

TEST(CollectiveAlgorithmTest, UnknownHintNamesTheAlgorithms) {
  EXPECT_TRUE(CheckHint(kAllReduce, "auto").ok());
  EXPECT_TRUE(CheckHint(kAllToAll, "ring").ok());
  EXPECT_TRUE(CheckHint(kBroadcast, "nccl").ok());
  const absl::Status status = CheckHint(kAllToAll, "direct_parts");
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), testing::HasSubstr("there are auto, direct, nccl, ring"));
  EXPECT_THAT(AlgorithmsOf(kBroadcast), testing::ElementsAre("binomial_tree", "direct"));
}

}  // namespace
}  // namespace sluice::worker
