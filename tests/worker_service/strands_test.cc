// SPDX-License-Identifier: Apache-2.0
#include "worker_service/strands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/worker_service/exec_fixture.h"

namespace sluice::worker {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

Tensor Int(int32_t value) { return Tensor::Scalar<int32_t>(value); }

class StrandsTest : public testing::TestWithParam<Mode> {
 protected:
  int32_t Value(const std::shared_ptr<const Executable>& exec, std::vector<Tensor> args) {
    auto out = bench.Run(exec, std::move(args));
    EXPECT_TRUE(out.status.ok()) << out.status;
    return out.retvals.empty() ? 0 : out.retvals[0].tensor.scalar<int32_t>();
  }
  Bench bench{GetParam()};
};

INSTANTIATE_TEST_SUITE_P(Modes, StrandsTest,
                         testing::Values(Mode::kNatural, Mode::kAllCheap, Mode::kNoneCheap),
                         [](const auto& info) { return Name(info.param); });

// Names of the nodes of each strand, "a b c".
std::vector<std::string> StrandsOf(const Executable& exec) {
  std::vector<std::string> strands;
  for (size_t s = 1; s < exec.strands.size(); ++s) {
    std::string& names = strands.emplace_back();
    for (uint32_t k = exec.strands[s].first; k < exec.strands[s].end; ++k) {
      if (!names.empty()) names += " ";
      names += exec.names[exec.strand_nodes[k].node];
    }
  }
  return strands;
}

TEST_P(StrandsTest, AreSoleReadersThatReadWhatTheFirstReads) {
  auto exec = bench.Make(R"(
      x = _Arg[index=0, T=int32] ; y = _Arg[index=1, T=int32]
      a = Add(x, y) ; b = Mul(a, y) ; c = Sub(y, b) ; d = Neg(c) ; e = Add(d, x)
      r = _Retval[index=0](e))");
  EXPECT_THAT(StrandsOf(*exec), ElementsAre("a b c d e"));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Value(exec, {Int(2), Int(3)}), -(3 - 5 * 3) + 2);
}

TEST_P(StrandsTest, EndWhereAnotherReaderOrAnotherOperandComesIn) {
  auto exec = bench.Make(R"(
      x = _Arg[index=0, T=int32] ; y = _Arg[index=1, T=int32]
      a = Neg(x) ; b = Neg(a) ; c = Add(b, y) ; d = Neg(c)
      e = Add(d, d) ; f = Neg(e) ; g = Mul(f, e) ; h = Neg(g) ; i = Neg(h, ^f)
      r = _Retval[index=0](i))");
  // c waits for y, which x does not; e has two readers; i waits for f, which g reads.
  EXPECT_THAT(StrandsOf(*exec), UnorderedElementsAre("x a b", "c d e", "g h i"));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Value(exec, {Int(2), Int(3)}), -100);
}

TEST_P(StrandsTest, ConstantsStayInTheirOwnSlots) {
  auto exec = bench.Make(R"(
      x = _Arg[index=0, T=int32] ; two = Const(2) ; five = Const(5)
      a = Mul(x, two) ; b = Add(five, a) ; c = Mul(b, b) ; d = Sub(c, x) ; e = Mul(d, two)
      r = _Retval[index=0](e))");
  EXPECT_THAT(StrandsOf(*exec), ElementsAre("a b c d e"));
  for (int x : {1, 4, 1}) EXPECT_EQ(Value(exec, {Int(x)}), ((2 * x + 5) * (2 * x + 5) - x) * 2);
}

TEST_P(StrandsTest, DoNotWriteIntoWhatIsReadAgain) {
  // Every op here may run in place. `x` is the step's own tensor after the copy in Neg.
  auto exec = bench.Make(R"(
      in = _Arg[index=0, T=int32] ; x = Neg(in) ; side = Neg(x)
      a = Neg(x) ; b = Add(a, x) ; c = Sub(b, x) ; d = Add(x, c)
      both = Mul(d, side) ; r = _Retval[index=0](both))");
  const Tensor in = Int(7);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(Value(exec, {in}), 7 * (7 - 7 + 7 - 7));
    EXPECT_EQ(in.scalar<int32_t>(), 7);
  }
}

TEST_P(StrandsTest, MovedValuesAreRestoredForLaterNodes) {
  auto exec = bench.Make(R"(
      x = _Arg[index=0, T=int32] ; y = _Arg[index=1, T=int32] ; s = Add(x, y)
      more = Neg(s) ; a = Identity(s) ; b = Add(s, a) ; c = Identity(b) ; d = Sub(s, c)
      e = Add(d, more) ; r = _Retval[index=0](e))");
  EXPECT_THAT(StrandsOf(*exec), ElementsAre("a b c d"));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Value(exec, {Int(5), Int(2)}), 7 - 14 - 7);
}

TEST_P(StrandsTest, LongChainsAreSeveral) {
  std::string text = "x = _Arg[index=0, T=int32] ; y = _Arg[index=1, T=int32]\nn0 = Add(x, y)\n";
  for (int i = 1; i < 100; ++i) absl::StrAppend(&text, "n", i, " = Add(n", i - 1, ", y)\n");
  auto exec = bench.Make(text + "r = _Retval[index=0](n99)");
  EXPECT_EQ(exec->strands.size() - 1, 7u);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Value(exec, {Int(5), Int(3)}), 305);
}

TEST_P(StrandsTest, AreDeadWithTheirFirst) {
  auto exec = bench.Make(R"(
      x = _Arg[index=0, T=int32] ; p = _Arg[index=1, T=bool] ; s = Switch(x, p)
      a = Add(s:1, s:1) ; b = Neg(a) ; c = Sub(b, s:1) ; f = Neg(s:0) ; m = Merge(c, f)
      r = _Retval[index=0](m))");
  EXPECT_THAT(StrandsOf(*exec), ElementsAre("a b c"));
  for (bool p : {true, false, true, false})
    EXPECT_EQ(Value(exec, {Int(5), Tensor::Scalar<bool>(p)}), p ? -15 : -5);
}

TEST_P(StrandsTest, RunInLoops) {
  const std::string loop = R"(
      n = _Arg[index=0, T=int32] ; zero = Const(0)
      ei = Enter[frame_name="w"](zero) ; en = Enter[frame_name="w", is_constant=true](n)
      mi = Merge(ei, ni) ; less = Less(mi, en) ; cond = LoopCond(less) ; si = Switch(mi, cond)
      bi = Identity(si:1) ; one = Const(1, ^bi) ; two = Const(2, ^bi)
      a = Add(bi, one) ; b = Add(a, two) ; c = Sub(b, two) ; ni = NextIteration(c)
      xi = Exit(si:0) ; r = _Retval[index=0](xi))";
  auto exec = bench.Make(loop);
  EXPECT_THAT(StrandsOf(*exec), UnorderedElementsAre("less cond", "a b c"));
  for (int n : {0, 1, 1000, 3}) EXPECT_EQ(Value(exec, {Int(n)}), n);
}

TEST_P(StrandsTest, AnErrorNamesTheNodeThatFailed) {
  auto exec = bench.Make(R"(
      x = _Arg[index=0, T=int32] ; a = Neg(x) ; b = Neg(a) ; fail = Neg(b) ; c = Neg(fail)
      r = _Retval[index=0](c))");
  EXPECT_THAT(StrandsOf(*exec), ElementsAre("x a b fail c"));
  for (int i = 0; i < 2; ++i) {
    auto out = bench.Run(exec, {Int(5)});
    EXPECT_THAT(std::string(out.status.message()), HasSubstr("{{node fail}}"));
    EXPECT_EQ(out.on_error_calls, 1);
  }
}

TEST_P(StrandsTest, ReferencesStayOutOfThem) {
  auto exec = bench.Make(R"(
      v = VariableV2[dtype=int32, shape=[]] ; one = Const(1) ; set = Assign(v, one)
      read = Identity(set) ; a = Neg(read) ; r = _Retval[index=0](a))");
  EXPECT_THAT(StrandsOf(*exec), IsEmpty());
  EXPECT_EQ(Value(exec, {}), -1);
}

TEST_P(StrandsTest, ReadsAndWritesOfStateKeepTheirTurns) {
  auto exec = bench.Make(R"(
      v = VarHandleOp[dtype=int32, shape=[]] ; one = Const(1)
      init = AssignVariableOp[dtype=int32](v, one) ; id = Identity(v, ^init)
      read = ReadVariableOp[dtype=int32](id) ; more = Add(read, one) ; most = Neg(more)
      write = AssignVariableOp[dtype=int32](id, most)
      late = ReadVariableOp[dtype=int32](id) ; out = Neg(late)
      r = _Retval[index=0](out, ^write))");
  EXPECT_THAT(StrandsOf(*exec), ElementsAre("more most"));
}

}  // namespace
}  // namespace sluice::worker
