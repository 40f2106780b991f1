// SPDX-License-Identifier: Apache-2.0
// All-reduces between GPUs of different tasks, on the double of NCCL.
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

#include "client/ops/array.h"
#include "client/ops/collective.h"
#include "client/ops/data_flow.h"
#include "client/ops/math.h"
#include "core/log.h"
#include "server/server.h"
#include "tests/cluster/two_tasks.h"
#include "tests/cuda_double/session/session_fixture.h"

namespace sluice::cuda_double {
namespace {

namespace ops = client::ops;
using client::Constant;
using client::Output;
using client::Scope;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr int kSystemError = 2;  // ncclSystemError

// Tasks in this process, each with one GPU and one session.
class NcclTasksTest : public GpuSessionTest {
 protected:
  void SetUp() override {
#if !__has_include(<nccl.h>)
    GTEST_SKIP() << "the build has no NCCL: nccl.h was not found";
#endif
  }
  ~NcclTasksTest() override {
    FailNcclCall(0, 0);
    SetDelay(0);
    sessions_.clear();
    servers_.clear();
  }

  void Start(int tasks) {
    SetDevices(tasks, 256 * kMiB);
    std::string addresses;
    for (int i = 0; i < tasks; ++i)
      addresses += Cat(i == 0 ? "" : ", ", "\"localhost:", FreePort(), "\"");
    auto cluster = server::ClusterSpec::Parse(Cat("{\"worker\": [", addresses, "]}"));
    ASSERT_TRUE(cluster.ok()) << cluster.status();
    for (int i = 0; i < tasks; ++i) {
      server::ServerOptions options;
      options.cluster = *cluster;
      options.job = "worker";
      options.task = i;
      options.inter_op_threads = 4;
      options.intra_op_threads = 1;
      options.gpus.visible = Cat(i);
      options.gpus.memory_limit = 64 * kMiB;
      auto server = server::Server::Start(options);
      ASSERT_TRUE(server.ok()) << server.status();
      servers_.push_back(*std::move(server));
      graphs_.push_back(std::make_unique<client::Graph>());
      fetches_.emplace_back();
    }
  }
  int tasks() const { return static_cast<int>(servers_.size()); }
  static std::string Gpu(int task) { return Cat("/job:worker/task:", task, "/device:GPU:0"); }
  Scope On(int task) { return Scope(graphs_[static_cast<size_t>(task)].get()).On(Gpu(task)); }

  // A member's part of an instance, which is fetched.
  Output Reduce(int task, int64_t instance, const Output& input, const std::string& merge = "Add",
                const std::string& final_op = "Id") {
    const Output result = ops::CollectiveReduce(On(task), input,
                                                {.group_size = tasks(),
                                                 .group_key = 1,
                                                 .instance_key = instance,
                                                 .merge_op = merge,
                                                 .final_op = final_op,
                                                 .subdiv_offsets = {0}});
    fetches_[static_cast<size_t>(task)].push_back(result.name());
    return result;
  }
  Output Value(int task, const Tensor& value) {
    const Scope scope = On(task);
    return ops::Identity(scope, Constant(scope.On("/cpu:0"), value));
  }

  // One session for each task, on its own server.
  void OpenAll(const std::vector<bool>& use_nccl = {}) {
    for (int task = 0; task < tasks(); ++task) {
      proto::ConfigProto config;
      config.add_device_filters(Cat("/job:worker/task:", task));
      const bool asks = use_nccl.empty() || use_nccl[static_cast<size_t>(task)];
      config.mutable_experimental()->set_collective_nccl(asks);
      client::SessionOptions options;
      options.config = config.SerializeAsString();
      options.target = servers_[static_cast<size_t>(task)]->target();
      auto session = client::Session::Create(graphs_[static_cast<size_t>(task)].get(), options);
      ASSERT_TRUE(session.ok()) << session.status();
      sessions_.push_back(*std::move(session));
    }
  }
  using Result = absl::StatusOr<std::vector<Tensor>>;
  // A step of all sessions at once.
  std::vector<Result> Run(const client::RunOptions& options = {}) {
    std::vector<Result> results(sessions_.size());
    std::vector<std::thread> threads;
    for (size_t i = 0; i < sessions_.size(); ++i) {
      threads.emplace_back(
          [&, i] { results[i] = sessions_[i]->Run({}, fetches_[i], {}, options); });
    }
    for (std::thread& thread : threads) thread.join();
    return results;
  }
  void ExpectAll(const std::vector<std::string>& expected) {
    const std::vector<Result> results = Run();
    for (const Result& result : results) {
      ASSERT_TRUE(result.ok()) << result.status();
      for (size_t k = 0; k < expected.size(); ++k)
        EXPECT_EQ((*result)[k].ToString(), expected[k]) << k;
    }
  }
  // All members fail, with this text, and the next step is right.
  void ExpectFailure(const std::string& text, const std::vector<std::string>& expected,
                     const client::RunOptions& options = {}) {
    for (const Result& result : Run(options)) {
      EXPECT_FALSE(result.ok());
      EXPECT_THAT(Message(result.status()), HasSubstr(text));
    }
    SetDelay(0);
    ExpectAll(expected);
  }

  std::vector<std::unique_ptr<server::Server>> servers_;
  std::vector<std::unique_ptr<client::Graph>> graphs_;
  std::vector<std::vector<std::string>> fetches_;
  std::vector<std::unique_ptr<client::Session>> sessions_;
};

int64_t Operations() { return CountLibraryCalls().collectives; }

TEST_F(NcclTasksTest, SumsOfTwoTasks) {
  Start(2);
  for (int task = 0; task < 2; ++task)
    Reduce(task, 1, Value(task, Tensor::Vector<float>({1.5f + task, 2, 3})));
  OpenAll();
  const int64_t before = Operations();
  for (int i = 0; i < 3; ++i) ExpectAll({"float [3] {4, 4, 6}"});
  EXPECT_EQ(Operations(), before + 3);
}

TEST_F(NcclTasksTest, OneSessionOverTwoTasks) {
  Start(2);
  client::Graph* const graph = graphs_[0].get();
  std::vector<std::string> fetches;
  for (int task = 0; task < 2; ++task) {
    const Scope scope = Scope(graph).On(Gpu(task));
    fetches.push_back(ops::CollectiveReduce(scope,
                                            ops::Identity(scope, Constant(scope, 2.f + task)),
                                            {.group_size = 2,
                                             .group_key = 1,
                                             .instance_key = 1,
                                             .merge_op = "Mul",
                                             .final_op = "Id",
                                             .subdiv_offsets = {0}})
                          .name());
  }
  proto::ConfigProto config;
  config.mutable_experimental()->set_collective_nccl(true);
  client::SessionOptions options;
  options.config = config.SerializeAsString();
  options.target = servers_[1]->target();
  auto session = client::Session::Create(graph, options);
  ASSERT_TRUE(session.ok()) << session.status();
  const int64_t before = Operations();
  const auto found = (*session)->Run({}, fetches, {});
  ASSERT_TRUE(found.ok()) << found.status();
  for (const Tensor& value : *found) EXPECT_EQ(value.ToString(), "float [] {6}");
  EXPECT_EQ(Operations(), before + 1);
}

TEST_F(NcclTasksTest, ReducesInEachType) {
  constexpr int kTasks = 3;
  Start(kTasks);
  std::vector<std::string> expected;
  int64_t instance = 0;
  const auto add = [&](DType dtype, const std::string& merge, const std::string& final_op,
                       double result, int64_t count) {
    ++instance;
    Tensor whole(dtype, Shape{count});
    for (int task = 0; task < kTasks; ++task) {
      Tensor value(dtype, Shape{count});
      (void)VisitDType(NumericTypes{}, dtype, [&]<typename T>(Type<T>) {
        for (T& element : value.mutable_flat<T>()) element = static_cast<T>(float(2 * task + 1));
        for (T& element : whole.mutable_flat<T>()) element = static_cast<T>(float(result));
        return absl::OkStatus();
      });
      Reduce(task, instance, Value(task, value), merge, final_op);
    }
    expected.push_back(whole.ToString());
  };
  for (const DType dtype : {kHalf, kBfloat16, kFloat, kDouble, kInt32, kInt64}) {
    add(dtype, "Add", "Id", 9, 3);
    add(dtype, "Add", "Div", 3, 2);  // of integers: on the host
    add(dtype, "Mul", "Id", 15, 5);
    add(dtype, "Min", "Id", 1, 1);
    add(dtype, "Max", "Id", 5, 2);
    add(dtype, "Max", "Id", 5, 0);
  }
  OpenAll();
  const int64_t before = Operations();
  ExpectAll(expected);
  EXPECT_EQ(Operations(), before + 6 * 5 - 2);  // nothing for no elements
}

// Each member has its own order of the instances, and each GPU its own delays.
TEST_F(NcclTasksTest, InstancesInAnyOrder) {
  constexpr int kTasks = 3, kInstances = 20;
  Start(kTasks);
  std::vector<std::string> expected;
  for (int i = 0; i < kInstances; ++i) expected.push_back(Cat("float [1] {", 3 * i + 3, "}"));
  for (int task = 0; task < kTasks; ++task) {
    std::vector<Output> results(kInstances);
    for (int k = 0; k < kInstances; ++k) {
      const int i = task == 0 ? k : task == 1 ? kInstances - 1 - k : (7 * k) % kInstances;
      results[static_cast<size_t>(i)] =
          Reduce(task, i, Value(task, Tensor::Vector<float>({static_cast<float>(i + task)})));
    }
    fetches_[static_cast<size_t>(task)].clear();
    for (const Output& result : results)
      fetches_[static_cast<size_t>(task)].push_back(result.name());
  }
  OpenAll();
  const int64_t before = Operations();
  for (const uint64_t seed : {0, 1, 2, 3}) {
    SetSeed(seed);
    SetDelay(200);
    ExpectAll(expected);
  }
  EXPECT_EQ(Operations(), before + 4 * kInstances);
}

// An operation that uses the result of another, and of the other task's GPU.
TEST_F(NcclTasksTest, OperationsInARow) {
  Start(2);
  for (int task = 0; task < 2; ++task) {
    Output value = Value(task, Tensor::Vector<float>({1}));
    for (int i = 0; i < 5; ++i) value = Reduce(task, i, ops::Neg(On(task), value));
  }
  OpenAll();
  SetDelay(100);
  ExpectAll(
      {"float [1] {-2}", "float [1] {4}", "float [1] {-8}", "float [1] {16}", "float [1] {-32}"});
}

TEST_F(NcclTasksTest, AFailingCallEndsItForAll) {
  Start(2);
  for (int task = 0; task < 2; ++task) Reduce(task, 1, Value(task, Tensor::Vector<float>({1})));
  OpenAll();
  // Of the two calls that connect the members, and of the two that begin the operation.
  for (int k = 1; k <= 4; ++k) {
    FailNcclCall(k, kSystemError);
    ExpectFailure("NCCL failed in ", {"float [1] {2}"});
    // The group is new: it connects again.
    for (auto& session : sessions_) session.reset();
    sessions_.clear();
    OpenAll();
  }
}

TEST_F(NcclTasksTest, AnErrorThatNcclFindsEndsItForAll) {
  Start(2);
  for (int task = 0; task < 2; ++task) Reduce(task, 1, Value(task, Tensor::Vector<float>({1})));
  OpenAll();
  ExpectAll({"float [1] {2}"});
  const int64_t aborts = CountLibraryCalls().aborts;
  SetNcclAsyncError(kSystemError);
  ExpectFailure("an operation between tasks", {"float [1] {2}"});
  EXPECT_GE(CountLibraryCalls().aborts, aborts + 2);
}

// The deadline of one member passes while the operation is on the GPUs.
TEST_F(NcclTasksTest, TheDeadlineOfAMemberAbortsTheOperation) {
  Start(2);
  // A constant is on its GPU before the step.
  for (int task = 0; task < 2; ++task)
    Reduce(task, 1, Constant(On(task), Tensor::Vector<float>({1})));
  OpenAll();
  ExpectAll({"float [1] {2}"});
  HoldStreams(true);  // the operation does not begin
  client::RunOptions options;
  options.timeout_ms = 300;
  Result other;
  std::thread thread([&] { other = sessions_[1]->Run({}, fetches_[1], {}); });
  const Result one = sessions_[0]->Run({}, fetches_[0], {}, options);
  HoldStreams(false);
  thread.join();
  EXPECT_TRUE(absl::IsDeadlineExceeded(one.status())) << one.status();
  EXPECT_FALSE(other.ok());
  EXPECT_THAT(Message(other.status()),
              AllOf(HasSubstr("member 0, /job:worker/replica:0/task:0/device:GPU:0 at localhost:"),
                    HasSubstr("ended group 1")));
  ExpectAll({"float [1] {2}"});
}

TEST_F(NcclTasksTest, NamesTheMemberThatDoesNotCome) {
  Start(2);
  for (int task = 0; task < 2; ++task) Reduce(task, 1, Value(task, Tensor::Vector<float>({1})));
  OpenAll();
  ExpectAll({"float [1] {2}"});
  client::RunOptions options;
  options.timeout_ms = 300;
  for (const size_t waiting : {0, 1}) {
    const absl::Status status =
        sessions_[waiting]->Run({}, fetches_[waiting], {}, options).status();
    EXPECT_TRUE(absl::IsDeadlineExceeded(status)) << status;
    EXPECT_THAT(Message(status), HasSubstr(Cat("waiting for member ", 1 - waiting,
                                               ", /job:worker/replica:0/task:", 1 - waiting)));
    // The other member gets the error of the group's end.
    EXPECT_FALSE(sessions_[1 - waiting]->Run({}, fetches_[1 - waiting], {}, options).ok());
    ExpectAll({"float [1] {2}"});
  }
}

TEST_F(NcclTasksTest, MembersThatDisagreeAllFail) {
  Start(2);
  Reduce(0, 1, Value(0, Tensor::Vector<float>({1})));
  Reduce(1, 1, Value(1, Tensor::Vector<float>({1, 2})));
  OpenAll();
  for (const Result& result : Run()) {
    EXPECT_TRUE(absl::IsInvalidArgument(result.status())) << result.status();
    EXPECT_THAT(Message(result.status()),
                AllOf(HasSubstr("disagree about instance 1"), HasSubstr("of float[2]")));
  }
}

TEST_F(NcclTasksTest, ATaskThatEndsFailsTheOthers) {
  Start(2);
  for (int task = 0; task < 2; ++task) Reduce(task, 1, Value(task, Tensor::Vector<float>({1})));
  OpenAll();
  ExpectAll({"float [1] {2}"});
  Result waiting;
  std::thread thread([&] { waiting = sessions_[0]->Run({}, fetches_[0], {}); });
  sessions_[1].reset();
  servers_[1].reset();
  thread.join();
  EXPECT_FALSE(waiting.ok());
  EXPECT_THAT(Message(waiting.status()), HasSubstr("/job:worker/replica:0/task:1"));
}

// The lines that a test logs.
class NcclTasksLogTest : public NcclTasksTest {
 protected:
  NcclTasksLogTest() {
    file_ = Cat(::testing::TempDir(), "/nccl_tasks_", getpid(), ".log");
    EXPECT_TRUE(SetLogFile(file_).ok());
    SetLogLevel(LogLevel::kInfo);
  }
  ~NcclTasksLogTest() override {
    SetLogLevel(LogLevel::kWarning);
    EXPECT_TRUE(SetLogFile("/dev/stderr").ok());
    unlink(file_.c_str());
  }
  int64_t Times(const std::string& text) {
    std::stringstream log;
    log << std::ifstream(file_).rdbuf();
    int64_t times = 0;
    const std::string all = log.str();
    for (size_t at = all.find(text); at != std::string::npos; at = all.find(text, at + 1)) ++times;
    return times;
  }

  std::string file_;
};

constexpr char kOnHost[] = "group 1 reduces the memory of its GPUs on the host: ";

TEST_F(NcclTasksLogTest, ReducesOnTheHostWithoutTheLibrary) {
  Start(2);
  for (int task = 0; task < 2; ++task)
    Reduce(task, 1, Value(task, Tensor::Vector<float>({1.f + task, 5})), "Add", "Div");
  cuda::UseLibraryForTest("NCCL", [] { return Unimplemented("no library here"); });
  OpenAll();
  const int64_t before = Operations();
  for (int i = 0; i < 3; ++i) ExpectAll({"float [2] {1.5, 5}"});
  EXPECT_EQ(Operations(), before);
  EXPECT_EQ(Times(kOnHost), 2);  // each task once
  EXPECT_EQ(Times("task:0/device:GPU:0 at localhost:"), Times("has no library: no library here"));
}

TEST_F(NcclTasksLogTest, ReducesOnTheHostIfOneSessionDoesNotAsk) {
  Start(2);
  for (int task = 0; task < 2; ++task)
    Reduce(task, 1, Value(task, Tensor::Vector<float>({1.f + task})));
  OpenAll({true, false});
  const int64_t before = Operations();
  ExpectAll({"float [1] {3}"});
  EXPECT_EQ(Operations(), before);
  EXPECT_EQ(Times(kOnHost), 1);
  EXPECT_EQ(Times("has no library: its session does not set collective_nccl"), 1);
}

}  // namespace
}  // namespace sluice::cuda_double
