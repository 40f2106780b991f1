// SPDX-License-Identifier: Apache-2.0
// In steady state a step allocates nothing per node: this program counts every operator new.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "tests/graph/graph_text.h"
#include "tests/worker_service/exec_fixture.h"

namespace {
std::atomic<int64_t> allocations{0};

void* Count(std::size_t bytes) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  if (void* block = std::malloc(bytes > 0 ? bytes : 1)) return block;
  std::abort();
}
}  // namespace

void* operator new(std::size_t bytes) { return Count(bytes); }
void* operator new[](std::size_t bytes) { return Count(bytes); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return Count(bytes); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept { return Count(bytes); }
void operator delete(void* block) noexcept { std::free(block); }
void operator delete[](void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
void operator delete[](void* block, std::size_t) noexcept { std::free(block); }

namespace sluice::worker {
namespace {

// A chain of `count` nodes of each of two kinds: forwarded by the executor, and computed.
std::shared_ptr<const Executable> Chain(Bench& bench, int count) {
  std::string text = "x0 = _Arg[index=0, T=int32]\n";
  for (int i = 0; i < count; ++i) {
    absl::StrAppend(&text, "y", i, " = Identity(x", i, ") ; x", i + 1, " = Neg(y", i, ")\n");
  }
  return bench.Make(absl::StrCat(text, "r = _Retval[index=0](x", count, ")"));
}

int64_t AllocationsOfAStep(Bench& bench, const std::shared_ptr<const Executable>& executable) {
  for (int i = 0; i < 5; ++i)
    EXPECT_TRUE(bench.Run(executable, {Tensor::Scalar<int32_t>(1)}).status.ok());
  int64_t least = 1 << 30;  // other threads may allocate sometimes
  for (int i = 0; i < 5; ++i) {
    const int64_t before = allocations.load();
    EXPECT_TRUE(bench.Run(executable, {Tensor::Scalar<int32_t>(1)}).status.ok());
    least = std::min(least, allocations.load() - before);
  }
  return least;
}

TEST(AllocationsTest, NonePerNodeInSteadyState) {
  for (Mode mode : {Mode::kAllCheap, Mode::kNatural}) {
    Bench bench(mode);
    const auto small = Chain(bench, 50), large = Chain(bench, 500);
    const int64_t of_small = AllocationsOfAStep(bench, small);
    const int64_t of_large = AllocationsOfAStep(bench, large);
    // A borrowed thread is returned to the pool once: a few more allocations, not one per node.
    EXPECT_LE(of_large, of_small + 8) << Name(mode) << ": " << of_small << " for 100 nodes";
  }
}

TEST(AllocationsTest, NonePerIterationOfALoop) {
  Bench bench(Mode::kAllCheap);
  auto loop = bench.Make(R"(
      n = _Arg[index=0, T=int32] ; zero = Const(0)
      ei = Enter[frame_name="w"](zero) ; en = Enter[frame_name="w", is_constant=true](n)
      mi = Merge(ei, ni) ; less = Less(mi, en) ; cond = LoopCond(less) ; si = Switch(mi, cond)
      bi = Identity(si:1) ; one = Const(1, ^bi) ; i1 = Add(bi, one) ; ni = NextIteration(i1)
      xi = Exit(si:0) ; r = _Retval[index=0](xi))");
  auto count = [&](int n) {
    for (int i = 0; i < 3; ++i)
      EXPECT_TRUE(bench.Run(loop, {Tensor::Scalar<int32_t>(n)}).status.ok());
    const int64_t before = allocations.load();
    EXPECT_TRUE(bench.Run(loop, {Tensor::Scalar<int32_t>(n)}).status.ok());
    return allocations.load() - before;
  };
  const int64_t few = count(100);
  EXPECT_LE(count(1000), few + 20) << few << " for 100 iterations";
}

}  // namespace
}  // namespace sluice::worker
