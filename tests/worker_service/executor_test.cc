// SPDX-License-Identifier: Apache-2.0
#include "worker_service/executor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <thread>

#include "absl/strings/str_replace.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "tests/graph/graph_text.h"
#include "tests/worker_service/exec_fixture.h"

namespace sluice::worker {
namespace {

using testing::HasSubstr;
using testing::Not;

Tensor Int(int32_t value) { return Tensor::Scalar<int32_t>(value); }
Tensor Bool(bool value) { return Tensor::Scalar<bool>(value); }

class ExecutorTest : public testing::TestWithParam<Mode> {
 protected:
  Bench bench{GetParam()};
};

INSTANTIATE_TEST_SUITE_P(Modes, ExecutorTest,
                         testing::Values(Mode::kNatural, Mode::kAllCheap, Mode::kNoneCheap,
                                         Mode::kAsync),
                         [](const auto& info) { return Name(info.param); });

// x, then `count` times an op with one input.
std::unique_ptr<graph::Graph> Chain(int count, const std::string& op, const std::string& prefix) {
  auto graph = graph::FromText("n0 = _Arg[index=0, T=int32]");
  graph::Node* last = graph->Find("n0");
  for (int i = 0; i < count; ++i) {
    graph::Node* node = *graph->AddNode(absl::StrCat(prefix, i), op, {{"T", kInt32}}, "");
    graph->AddEdge(last, 0, node, 0);
    last = node;
  }
  graph::Node* retval = *graph->AddNode("r", "_Retval", {{"T", kInt32}, {"index", int64_t{0}}}, "");
  graph->AddEdge(last, 0, retval, 0);
  return graph;
}

TEST_P(ExecutorTest, LongChainsNeedNoStack) {
  auto identities = *bench.Compile(Chain(100'000, "Identity", "i"));
  EXPECT_EQ(bench.Run(identities, {Int(7)}).retvals[0].tensor.scalar<int32_t>(), 7);
  auto kernels = *bench.Compile(Chain(10'000, "Neg", "neg"));
  EXPECT_EQ(bench.Run(kernels, {Int(7)}).retvals[0].tensor.scalar<int32_t>(), 7);
}

TEST_P(ExecutorTest, DoneInsideStartDoesNotRecurse) {
  auto now = *bench.Compile(Chain(100'000, "Neg", "now"));
  EXPECT_EQ(bench.Run(now, {Int(7)}).retvals[0].tensor.scalar<int32_t>(), 7);
  auto late = *bench.Compile(Chain(1'000, "Neg", "late"));
  EXPECT_EQ(bench.Run(late, {Int(7)}).retvals[0].tensor.scalar<int32_t>(), 7);
}

TEST_P(ExecutorTest, Diamond) {
  EXPECT_EQ(bench.RunInt(R"(
      a = _Arg[index=0, T=int32] ; b = Neg(a) ; c = Add(a, a) ; d = Add(b, c) ; e = Mul(d, b, ^c)
      r = _Retval[index=0](e))",
                         {Int(5)}),
            -25);
}

TEST_P(ExecutorTest, KernelsFlushDenormalsAndTheCallersThreadDoesNot) {
  const float smallest = std::numeric_limits<float>::min();
  auto product = bench.Make(R"(
      a = _Arg[index=0, T=float] ; b = _Arg[index=1, T=float] ; c = Mul(a, b)
      r = _Retval[index=0](c))");
  const std::vector<Tensor> args{Tensor::Scalar(smallest), Tensor::Scalar(0.1f)};
  for (int run = 0; run < 2; ++run)
    EXPECT_EQ(bench.Run(product, args).retvals[0].tensor.scalar<float>(), 0.0f);
  const volatile float value = smallest, tenth = 0.1f;
  EXPECT_GT(value * tenth, 0.0f);
}

TEST_P(ExecutorTest, WideFanOutAndIn) {
  std::string text = "a = _Arg[index=0, T=int32] ; s = AddN(";
  for (int i = 0; i < 300; ++i) absl::StrAppend(&text, i > 0 ? ", " : "", "b", i);
  text += ")\n r = _Retval[index=0](s)\n";
  for (int i = 0; i < 300; ++i) absl::StrAppend(&text, "b", i, " = Neg(a)\n");
  EXPECT_EQ(bench.RunInt(text, {Int(2)}), -600);
}

TEST_P(ExecutorTest, ConstantsFillSlots) {
  EXPECT_EQ(
      bench.RunInt(
          "a = Const(3) ; b = Const(4) ; c = Add(a, b) ; d = Add(c, a) ; r = _Retval[index=0](d)"),
      10);
  // One constant is fetched itself, another has a control input.
  EXPECT_EQ(bench.RunInt("a = Const(3) ; r = _Retval[index=0](a)"), 3);
  EXPECT_EQ(bench.RunInt("a = Const(3) ; b = Const(4, ^a) ; r = _Retval[index=0](b)"), 4);
  auto only = bench.Make("a = Const(3) ; b = Const(4) ; c = Add(a, b)");
  EXPECT_EQ(only->roots.size(), 1u);
  EXPECT_TRUE(bench.Run(only, {}, 0).status.ok());
}

TEST_P(ExecutorTest, AConstantIsNotWrittenByItsConsumers) {
  // Neg may run in place, but only on its own input.
  auto exec =
      bench.Make("a = Const(3) ; b = Neg(a) ; c = Neg(b) ; d = Neg(c) ; r = _Retval[index=0](d)");
  for (int i = 0; i < 5; ++i) EXPECT_EQ(bench.Run(exec).retvals[0].tensor.scalar<int32_t>(), -3);
}

TEST_P(ExecutorTest, EmptyGraph) {
  auto exec = bench.Make("");
  EXPECT_TRUE(bench.Run(exec, {}, 0).status.ok());
  EXPECT_TRUE(bench.Run(exec, {}, 0).status.ok());
}

// --- cond ---

constexpr char kCond[] = R"(
    x = _Arg[index=0, T=int32] ; p = _Arg[index=1, T=bool]
    s = Switch(x, p) ; f = Neg(s:0) ; t = Add(s:1, s:1) ; m = Merge(f, t)
    r = _Retval[index=0](m) ; which = _Retval[index=1](m:1)
    dead = _Retval[index=2](f) ; kept = NoOp(^f) ; lives = ControlTrigger(^f) ; number = Const(1, ^lives)
    r3 = _Retval[index=3](number))";

TEST_P(ExecutorTest, CondTakesOneBranch) {
  auto exec = bench.Make(kCond);
  for (bool p : {true, false, false, true}) {
    auto out = bench.Run(exec, {Int(5), Bool(p)}, 4);
    ASSERT_TRUE(out.status.ok()) << out.status;
    EXPECT_EQ(out.retvals[0].tensor.scalar<int32_t>(), p ? 10 : -5);
    EXPECT_EQ(out.retvals[1].tensor.scalar<int32_t>(), p ? 1 : 0);
    EXPECT_EQ(out.retvals[2].dead, p);
    EXPECT_EQ(out.retvals[3].tensor.scalar<int32_t>(), 1)
        << "a ControlTrigger lives on dead inputs";
  }
}

TEST_P(ExecutorTest, NestedCond) {
  auto exec = bench.Make(R"(
      x = _Arg[index=0, T=int32] ; p = _Arg[index=1, T=bool] ; q = _Arg[index=2, T=bool]
      s = Switch(x, p) ; qs = Switch(q, p)
      s2 = Switch(s:1, qs:1) ; a = Neg(s2:0) ; b = Add(s2:1, s2:1) ; m2 = Merge(a, b)
      f = Identity(s:0) ; m = Merge(f, m2) ; r = _Retval[index=0](m))");
  EXPECT_EQ(bench.Run(exec, {Int(5), Bool(false), Bool(true)}).retvals[0].tensor.scalar<int32_t>(),
            5);
  EXPECT_EQ(bench.Run(exec, {Int(5), Bool(true), Bool(true)}).retvals[0].tensor.scalar<int32_t>(),
            10);
  EXPECT_EQ(bench.Run(exec, {Int(5), Bool(true), Bool(false)}).retvals[0].tensor.scalar<int32_t>(),
            -5);
}

TEST_P(ExecutorTest, DeadValuesReachFetchesAndControlEdges) {
  auto exec = bench.Make(R"(
      x = _Arg[index=0, T=int32] ; p = _Arg[index=1, T=bool] ; s = Switch(x, p)
      n = NoOp(^f) ; f = Identity(s:0) ; after = Identity(x, ^n) ; r = _Retval[index=0](after)
      both = Merge(f, g) ; g = Neg(f) ; r1 = _Retval[index=1](both))");
  auto out = bench.Run(exec, {Int(5), Bool(true)}, 2);
  ASSERT_TRUE(out.status.ok()) << out.status;
  EXPECT_TRUE(out.retvals[0].dead);
  EXPECT_TRUE(out.retvals[1].dead);
}

TEST_P(ExecutorTest, MergeWaitsForItsControlInputs) {
  auto exec = bench.Make(R"(
      x = _Arg[index=0, T=int32] ; p = _Arg[index=1, T=bool] ; s = Switch(x, p) ; late = Neg(x)
      m = Merge(s:0, s:1, ^late) ; r = _Retval[index=0](m))");
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(bench.Run(exec, {Int(5), Bool(i % 2 == 0)}).retvals[0].tensor.scalar<int32_t>(), 5);
  }
}

// --- loops ---

// i from 0 to n (argument 0); j doubles the sum's work with a longer body.
std::string Loop(int parallel_iterations) {
  return absl::StrReplaceAll(R"(
      n = _Arg[index=0, T=int32] ; zero = Const(0)
      ei = Enter[frame_name="w", parallel_iterations=P](zero)
      ej = Enter[frame_name="w", parallel_iterations=P](zero)
      en = Enter[frame_name="w", is_constant=true, parallel_iterations=P](n)
      mi = Merge(ei, ni) ; mj = Merge(ej, nj)
      less = Less(mi, en) ; cond = LoopCond(less)
      si = Switch(mi, cond) ; sj = Switch(mj, cond)
      bi = Identity(si:1) ; one = Const(1, ^bi) ; i1 = Add(bi, one) ; ni = NextIteration(i1)
      j1 = Add(sj:1, bi) ; j2 = Neg(j1) ; j3 = Neg(j2) ; j4 = Identity(j3) ; nj = NextIteration(j4)
      xi = Exit(si:0) ; xj = Exit(sj:0)
      r = _Retval[index=0](xi) ; r1 = _Retval[index=1](xj))",
                             {{"=P]", absl::StrCat("=", parallel_iterations, "]")}});
}

TEST_P(ExecutorTest, WhileLoops) {
  for (int parallel : {1, 2, 32}) {
    auto exec = bench.Make(Loop(parallel));
    for (int n : {0, 1, 2, 3, 100, 10'000, 7}) {
      auto out = bench.Run(exec, {Int(n)}, 2);
      ASSERT_TRUE(out.status.ok()) << out.status;
      EXPECT_EQ(out.retvals[0].tensor.scalar<int32_t>(), n) << parallel;
      EXPECT_EQ(out.retvals[1].tensor.scalar<int32_t>(), n * (n - 1) / 2) << parallel;
    }
  }
}

TEST_P(ExecutorTest, AConstantEnterMayArriveLate) {
  for (int parallel : {1, 2, 32}) {
    // The sum needs the late value, the counter does not: iterations begin, and wait for the value.
    auto exec = bench.Make(absl::StrReplaceAll(R"(
        n = _Arg[index=0, T=int32] ; zero = Const(0) ; step = _Arg[index=1, T=int32] ; late1 = Neg(step) ; late2 = Neg(late1)
        ei = Enter[frame_name="w", parallel_iterations=P](zero)
        ej = Enter[frame_name="w", parallel_iterations=P](zero)
        en = Enter[frame_name="w", is_constant=true, parallel_iterations=P](n)
        es = Enter[frame_name="w", is_constant=true, parallel_iterations=P](late2)
        mi = Merge(ei, ni) ; mj = Merge(ej, nj) ; less = Less(mi, en) ; cond = LoopCond(less)
        si = Switch(mi, cond) ; sj = Switch(mj, cond)
        bi = Identity(si:1) ; one = Const(1, ^bi) ; i1 = Add(bi, one) ; ni = NextIteration(i1)
        j1 = Add(sj:1, es) ; nj = NextIteration(j1)
        xi = Exit(si:0) ; xj = Exit(sj:0)
        r = _Retval[index=0](xj))",
                                               {{"=P]", absl::StrCat("=", parallel, "]")}}));
    for (int i = 0; i < 20; ++i) {
      auto out = bench.Run(exec, {Int(25), Int(3)});
      ASSERT_TRUE(out.status.ok()) << out.status;
      EXPECT_EQ(out.retvals[0].tensor.scalar<int32_t>(), 75);
    }
  }
}

// Three loops inside each other, each `n` times: counts n^3.
std::string Nested(int parallel) {
  std::string text = "n = _Arg[index=0, T=int32] ; zero = Const(0)\n";
  std::string count = "zero", bound = "n", init = "zero";
  for (int d = 0; d < 3; ++d) {
    const std::string p = absl::StrCat(d);
    const std::string frame =
        absl::StrCat("frame_name=\"w", d, "\", parallel_iterations=", parallel);
    absl::StrAppend(&text, "ei", p, " = Enter[", frame, "](", init, ")\n");
    absl::StrAppend(&text, "ec", p, " = Enter[", frame, "](", count, ")\n");
    absl::StrAppend(&text, "en", p, " = Enter[", frame, ", is_constant=true](", bound, ")\n");
    absl::StrAppend(&text, "mi", p, " = Merge(ei", p, ", ni", p, ") ; mc", p, " = Merge(ec", p,
                    ", nc", p, ")\n");
    absl::StrAppend(&text, "cond", p, " = LoopCond(less", p, ") ; less", p, " = Less(mi", p, ", en",
                    p, ")\n");
    absl::StrAppend(&text, "si", p, " = Switch(mi", p, ", cond", p, ") ; sc", p, " = Switch(mc", p,
                    ", cond", p, ")\n");
    absl::StrAppend(&text, "bi", p, " = Identity(si", p, ":1) ; bc", p, " = Identity(sc", p,
                    ":1)\n");
    absl::StrAppend(&text, "one", p, " = Const(1, ^bi", p, ") ; ni", p, " = NextIteration(i1", p,
                    ")\n");
    absl::StrAppend(&text, "i1", p, " = Add(bi", p, ", one", p, ") ; xc", p, " = Exit(sc", p,
                    ":0) ; xi", p, " = Exit(si", p, ":0)\n");
    absl::StrAppend(&text, "init", p, " = Const(0, ^bi", p, ")\n");
    const std::string inner = d < 2 ? absl::StrCat("xc", d + 1) : absl::StrCat("c1", p);
    absl::StrAppend(&text, "nc", p, " = NextIteration(", inner, ")\n");
    if (d == 2) absl::StrAppend(&text, "c1", p, " = Add(bc", p, ", one", p, ")\n");
    count = absl::StrCat("bc", p);
    bound = absl::StrCat("en", p);
    init = absl::StrCat("init", p);
  }
  return text + "r = _Retval[index=0](xc0)\n";
}

TEST_P(ExecutorTest, NestedLoops) {
  for (int parallel : {1, 2, 32}) {
    auto exec = bench.Make(Nested(parallel));
    for (int n : {0, 1, 2, 7, 12, 3}) {
      auto out = bench.Run(exec, {Int(n)});
      ASSERT_TRUE(out.status.ok()) << out.status;
      EXPECT_EQ(out.retvals[0].tensor.scalar<int32_t>(), n * n * n) << parallel;
    }
  }
}

TEST_P(ExecutorTest, ALoopOnABranchNotTakenIsDead) {
  auto exec = bench.Make(R"(
      n = _Arg[index=0, T=int32] ; p = _Arg[index=1, T=bool] ; sn = Switch(n, p) ; zero = Const(0, ^live) ; live = Identity(sn:1)
      limit = Const(1000)
      ei = Enter[frame_name="w"](zero) ; en = Enter[frame_name="w", is_constant=true](live)
      el = Enter[frame_name="w", is_constant=true](limit)
      mi = Merge(ei, ni) ; least = Minimum(en, el) ; less = Less(mi, least) ; cond = LoopCond(less) ; si = Switch(mi, cond)
      bi = Identity(si:1) ; one = Const(1, ^bi) ; i1 = Add(bi, one) ; ni = NextIteration(i1) ; xi = Exit(si:0)
      other = Neg(sn:0) ; m = Merge(xi, other) ; r = _Retval[index=0](m) ; r1 = _Retval[index=1](xi))");
  for (bool p : {true, false, true, false, false}) {
    auto out = bench.Run(exec, {Int(6), Bool(p)}, 2);
    ASSERT_TRUE(out.status.ok()) << out.status;
    EXPECT_EQ(out.retvals[0].tensor.scalar<int32_t>(), p ? 6 : -6);
    EXPECT_EQ(out.retvals[1].dead, !p);
  }
}

TEST_P(ExecutorTest, CondInsideALoop) {
  // Adds i when it is below 3, subtracts it otherwise.
  auto exec = bench.Make(R"(
      n = _Arg[index=0, T=int32] ; zero = Const(0) ; three = Const(3)
      ei = Enter[frame_name="w"](zero) ; ej = Enter[frame_name="w"](zero) ; en = Enter[frame_name="w", is_constant=true](n)
      e3 = Enter[frame_name="w", is_constant=true](three)
      mi = Merge(ei, ni) ; mj = Merge(ej, nj) ; less = Less(mi, en) ; cond = LoopCond(less)
      si = Switch(mi, cond) ; sj = Switch(mj, cond) ; bi = Identity(si:1) ; bj = Identity(sj:1)
      one = Const(1, ^bi) ; i1 = Add(bi, one) ; ni = NextIteration(i1)
      small = Less(bi, e3) ; ci = Switch(bi, small) ; cj = Switch(bj, small)
      plus = Add(cj:1, ci:1) ; minus = Sub(cj:0, ci:0) ; both = Merge(minus, plus) ; nj = NextIteration(both)
      xi = Exit(si:0) ; xj = Exit(sj:0) ; r = _Retval[index=0](xj))");
  for (int n : {0, 3, 6, 50}) {
    int expected = 0;
    for (int i = 0; i < n; ++i) expected += i < 3 ? i : -i;
    auto out = bench.Run(exec, {Int(n)});
    ASSERT_TRUE(out.status.ok()) << out.status;
    EXPECT_EQ(out.retvals[0].tensor.scalar<int32_t>(), expected);
  }
}

TEST_P(ExecutorTest, LateKernelsInsideALoop) {
  auto text = absl::StrReplaceAll(
      Loop(4), {{"j2 = Neg(j1)", "late2 = Neg(j1)"}, {"Neg(j2)", "Identity(late2)"}});
  auto exec = bench.Make(text);
  for (int n : {0, 1, 500}) {
    auto out = bench.Run(exec, {Int(n)}, 2);
    ASSERT_TRUE(out.status.ok()) << out.status;
    EXPECT_EQ(out.retvals[1].tensor.scalar<int32_t>(), n * (n - 1) / 2);
  }
}

// Its kernels need what the device does around them, such as making it the thread's current one.
class CountingDevice final : public Device {
 public:
  CountingDevice()
      : Device([] {
          DeviceAttributes attributes;
          attributes.name = Bench::kDevice;
          return attributes;
        }()) {}

  Allocator& allocator() const override { return CpuAllocator(); }
  WorkQueue* pool() const override { return nullptr; }
  bool has_own_memory() const override { return true; }
  absl::Status Run(const Kernel& kernel, KernelContext& ctx) override {
    ++ran;
    return kernel.Run(ctx);
  }
  void Start(const Kernel& kernel, KernelContext& ctx, Done done) override {
    ++started;
    kernel.Start(ctx, std::move(done));
  }

  std::atomic<int> ran{0}, started{0};
};

TEST(ExecutorTest, ADeviceWithItsOwnMemoryRunsAndStartsItsKernels) {
  auto owned = std::make_unique<CountingDevice>();
  const CountingDevice& device = *owned;
  Bench bench(std::move(owned));
  const auto exec = bench.Make(R"(
      a = _Arg[index=0, T=int32] ; late1 = Neg(a) ; now1 = Neg(late1) ; count1 = Neg(now1)
      r = _Retval[index=0](count1))");
  const auto out = bench.Run(exec, {Int(7)});
  ASSERT_TRUE(out.status.ok()) << out.status;
  EXPECT_EQ(out.retvals[0].tensor.scalar<int32_t>(), 7);
  EXPECT_EQ(device.started, 3);  // with _Retval
  EXPECT_EQ(device.ran, 2);      // with _Arg
}

// --- errors ---

TEST_P(ExecutorTest, TheFirstCauseIsReportedAndTheNextStepRuns) {
  auto exec = bench.Make(R"(
      a = _Arg[index=0, T=int32] ; p = _Arg[index=1, T=bool] ; s = Switch(a, p) ; fails = Neg(s:1) ; ok = Neg(s:0)
      hang1 = Neg(s:1) ; m = Merge(ok, fails, hang1) ; r = _Retval[index=0](m))");
  for (int i = 0; i < 20; ++i) {
    auto out = bench.Run(exec, {Int(5), Bool(true)});
    EXPECT_EQ(out.status.code(), absl::StatusCode::kOutOfRange) << out.status;
    EXPECT_THAT(std::string(out.status.message()), HasSubstr("this node was made to fail"));
    EXPECT_THAT(std::string(out.status.message()), HasSubstr("{{node fails}}"));
    EXPECT_THAT(std::string(out.status.message()),
                HasSubstr("(Neg on /job:localhost/replica:0/task:0/device:CPU:0)"));
    EXPECT_THAT(std::string(out.status.message()), Not(HasSubstr("hang")));
    EXPECT_EQ(out.on_error_calls, 1);
    EXPECT_EQ(bench.Run(exec, {Int(5), Bool(false)}).retvals[0].tensor.scalar<int32_t>(), -5);
  }
}

TEST_P(ExecutorTest, AnErrorInALoopLeavesNothingBehind) {
  const int64_t before = CpuAllocator().stats().live_bytes;
  {
    auto exec = bench.Make(
        absl::StrReplaceAll(Nested(4), {{"c12 = Add(bc2, one2)",
                                         "five = Const(5, ^bi2) ; below = Less(bi2, five) ; t = "
                                         "Switch(bc2, below) ; fails = Neg(t:0) ; "
                                         "m = Merge(fails, t:1) ; c12 = Add(m, one2)"}}));
    for (int i = 0; i < 5; ++i) {
      auto out = bench.Run(exec, {Int(9)});
      EXPECT_EQ(out.status.code(), absl::StatusCode::kOutOfRange) << out.status;
      out = bench.Run(exec, {Int(4)});
      ASSERT_TRUE(out.status.ok()) << out.status;
      EXPECT_EQ(out.retvals[0].tensor.scalar<int32_t>(), 64);
    }
  }
  if (GetParam() != Mode::kAsync) {
    EXPECT_EQ(CpuAllocator().stats().live_bytes, before);
  }
}

TEST_P(ExecutorTest, CancelEndsAnEndlessLoop) {
  auto exec = bench.Make(R"(
      zero = _Arg[index=0, T=int32] ; t = _Arg[index=1, T=bool]
      ei = Enter[frame_name="w"](zero) ; et = Enter[frame_name="w", is_constant=true](t)
      mi = Merge(ei, ni) ; cond = LoopCond(et, ^mi) ; si = Switch(mi, cond) ; ni = NextIteration(si:1) ; xi = Exit(si:0)
      r = _Retval[index=0](xi))");
  for (int i = 0; i < 3; ++i) {
    CancelToken cancel;
    std::thread canceller([&] {
      absl::SleepFor(absl::Milliseconds(20));
      cancel.Cancel(absl::CancelledError("enough"));
    });
    auto out = bench.Run(exec, {Int(0), Bool(true)}, 1, &cancel);
    canceller.join();
    EXPECT_EQ(out.status.code(), absl::StatusCode::kCancelled) << out.status;
    EXPECT_THAT(std::string(out.status.message()), HasSubstr("enough"));
    EXPECT_EQ(bench.Run(exec, {Int(3), Bool(false)}).retvals[0].tensor.scalar<int32_t>(), 3);
  }
}

TEST_P(ExecutorTest, CancelledBeforeItBegins) {
  auto exec = bench.Make("a = _Arg[index=0, T=int32] ; b = Neg(a) ; r = _Retval[index=0](b)");
  CancelToken cancel;
  cancel.Cancel(absl::CancelledError("never"));
  EXPECT_EQ(bench.Run(exec, {Int(0)}, 1, &cancel).status.code(), absl::StatusCode::kCancelled);
}

TEST_P(ExecutorTest, SwitchRequiresABoolScalar) {
  auto exec = bench.Make(R"(
      x = _Arg[index=0, T=int32] ; p = _Arg[index=1, T=bool] ; s = Switch(x, p) ; r = _Retval[index=0](s:1))");
  auto out = bench.Run(exec, {Int(1), Tensor::Of<bool>(Shape{2}, {true, false})});
  EXPECT_EQ(out.status.code(), absl::StatusCode::kInvalidArgument) << out.status;
}

TEST_P(ExecutorTest, OpsWithoutKernelAndUnknownOps) {
  auto unknown = bench.Compile(graph::FromText("a = Const(1) ; b = NoSuchOp(a)"));
  EXPECT_EQ(unknown.status().code(), absl::StatusCode::kNotFound) << unknown.status();
  EXPECT_THAT(std::string(unknown.status().message()), HasSubstr("NoSuchOp"));
  auto missing = bench.Compile(graph::FromText("a = ConfigureDistributedTPU"));
  EXPECT_EQ(missing.status().code(), absl::StatusCode::kUnimplemented) << missing.status();
  EXPECT_THAT(std::string(missing.status().message()), HasSubstr("ConfigureDistributedTPU"));
}

// --- references ---

TEST_P(ExecutorTest, ReferencesAreReadAtValueInputs) {
  constexpr char kVariable[] = "v = VariableV2[shape=[], dtype=int32, shared_name=\"v\"]\n";
  auto read = bench.Make(absl::StrCat(kVariable, "i = Identity(v) ; r = _Retval[index=0](i)"));
  auto out = bench.Run(read);
  EXPECT_EQ(out.status.code(), absl::StatusCode::kFailedPrecondition) << out.status;
  EXPECT_THAT(std::string(out.status.message()),
              HasSubstr("Attempting to use uninitialized value v"));
  auto assign = bench.Make(absl::StrCat(
      kVariable, "x = _Arg[index=0, T=int32] ; a = Assign(v, x) ; r = _Retval[index=0](a)"));
  EXPECT_EQ(bench.Run(assign, {Int(41)}).retvals[0].tensor.scalar<int32_t>(), 41);
  auto add = bench.Make(absl::StrCat(
      kVariable, "x = _Arg[index=0, T=int32] ; a = AssignAdd(v, x) ; r = _Retval[index=0](a)"));
  EXPECT_EQ(bench.Run(add, {Int(1)}).retvals[0].tensor.scalar<int32_t>(), 42);
  EXPECT_EQ(bench.Run(read).retvals[0].tensor.scalar<int32_t>(), 42);
  auto asked = bench.Make(
      "w = VariableV2[shape=[], dtype=int32, shared_name=\"w\"] ; i = IsVariableInitialized(w) ; r "
      "= _Retval[index=0](i)");
  auto answer = bench.Run(asked);
  ASSERT_TRUE(answer.status.ok()) << answer.status;
  EXPECT_FALSE(answer.retvals[0].tensor.scalar<bool>());
}

// The order of `y`'s read and `u`'s write is not defined. In TensorFlow `y` reads first, in both
// orders of creation.
TEST(ExecutorTest, NodesRunInTheOrderInWhichTheyBecomeReady) {
  Bench bench(Mode::kAllCheap);
  constexpr char kVariable[] = "v = VariableV2[shape=[], dtype=int32, shared_name=\"v\"]\n";
  auto assign = bench.Make(absl::StrCat(
      kVariable, "x = _Arg[index=0, T=int32] ; a = Assign(v, x) ; r = _Retval[index=0](a)"));
  const std::string update = "minus = Neg(v) ; u = AssignAdd(v, minus)\n";
  const std::string read = "x = _Arg[index=0, T=int32] ; y = Add(v, x) ; r = _Retval[index=0](y)\n";
  for (const std::string& text : {update + read, read + update}) {
    ASSERT_TRUE(bench.Run(assign, {Int(40)}).status.ok());
    auto both = bench.Make(kVariable + text);
    EXPECT_EQ(bench.Run(both, {Int(2)}).retvals[0].tensor.scalar<int32_t>(), 42);
  }
}

// --- many at once ---

TEST_P(ExecutorTest, RunsOfOneExecutableAtOnce) {
  auto exec = bench.Make(Loop(4));
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 20; ++i) {
        const int n = t * 13 + i;
        auto out = bench.Run(exec, {Int(n)}, 2);
        const bool right = out.status.ok() && out.retvals[0].tensor.scalar<int32_t>() == n &&
                           out.retvals[1].tensor.scalar<int32_t>() == n * (n - 1) / 2;
        if (!right) ++wrong;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong.load(), 0);
}

TEST(ExecutorTest, SerialAndSharedAreChosenWhenCompiled) {
  constexpr char kText[] =
      "a = _Arg[index=0, T=int32] ; b = Neg(a) ; c = Add(b, a) ; r = _Retval[index=0](c)";
  EXPECT_TRUE(Bench(Mode::kAllCheap).Make(kText)->serial);
  EXPECT_FALSE(Bench(Mode::kNoneCheap).Make(kText)->serial);
}

TEST(ExecutorTest, LearnsThatAllKernelsAreSmallAndThatTheyNoLongerAre) {
  Bench bench(Mode::kNoneCheap);
  auto exec = bench.Make(
      "a = _Arg[index=0, T=int32] ; slow = Neg(a) ; c = Add(slow, a) ; r = _Retval[index=0](c)");
  EXPECT_FALSE(exec->RunsSerially());
  const auto runs_until = [&](bool serially) {
    for (int i = 0; i < 5000 && exec->RunsSerially() != serially; ++i) {
      const auto out = bench.Run(exec, {Int(i)});
      if (!out.status.ok() || out.retvals[0].tensor.scalar<int32_t>() != 2 * i) return false;
    }
    return exec->RunsSerially() == serially;
  };
  EXPECT_TRUE(runs_until(true));
  bench.set_slow(true);
  EXPECT_TRUE(runs_until(false));
  bench.set_slow(false);
  EXPECT_TRUE(runs_until(true));
}

TEST(ExecutorTest, AKernelRunsOnceANode) {
  Bench bench(Mode::kNoneCheap);
  auto exec = bench.Make(
      "a = _Arg[index=0, T=int32] ; count1 = Neg(a) ; count2 = Neg(count1, ^count1) ; r = "
      "_Retval[index=0](count2)");
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(bench.Run(exec, {Int(1)}).status.ok());
  EXPECT_EQ(bench.counted(), 200);
}

}  // namespace
}  // namespace sluice::worker
