// SPDX-License-Identifier: Apache-2.0
// Sends malformed bytes to a live cluster: each call ends with a status, and the next session
// works. SLUICE_FUZZ_SECONDS and SLUICE_FUZZ_SEED set the duration and the seed.
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdlib>
#include <iostream>
#include <map>
#include <random>

#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "client/session.h"
#include "core/io/crc32c.h"
#include "core/log.h"
#include "core/version.h"
#include "proto/config.pb.h"
#include "proto/graph.pb.h"
#include "proto/master.pb.h"
#include "proto/worker.pb.h"
#include "tests/cluster/two_tasks.h"
#include "transport/backends/grpc/stream_server.h"
#include "transport/protocol/frames.h"
#include "transport/rpc/codec.h"

namespace sluice {
namespace {

using Random = std::mt19937_64;

std::string BytesOf(const grpc::ByteBuffer& buffer) {
  std::vector<grpc::Slice> slices;
  (void)buffer.Dump(&slices);
  std::string bytes;
  for (const grpc::Slice& slice : slices)
    bytes.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
  return bytes;
}
grpc::ByteBuffer BufferOf(const std::string& bytes) {
  const grpc::Slice slice(bytes);
  return grpc::ByteBuffer(&slice, 1);
}

// Changes bytes at a few positions: cut, flipped, overwritten, doubled, dropped, replaced by a huge
// number or by another message's.
std::string Mutated(std::string bytes, const std::string& other, Random& random) {
  const int changes = 1 + static_cast<int>(random() % 4);
  for (int i = 0; i < changes && !bytes.empty(); ++i) {
    const size_t at = random() % bytes.size();
    const size_t length = std::min<size_t>(bytes.size() - at, 1 + random() % 16);
    switch (random() % 7) {
      case 0:
        bytes.resize(at);
        break;
      case 1:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << (random() % 8)));
        break;
      case 2:
        for (size_t k = at; k < at + length; ++k) bytes[k] = static_cast<char>(random());
        break;
      case 3:
        bytes.insert(at, bytes.substr(at, length));
        break;
      case 4:
        bytes.erase(at, length);
        break;
      case 5:
        bytes.replace(at, 1, "\xff\xff\xff\xff\xff\xff\xff\xff\x7f");
        break;
      default:
        if (!other.empty()) bytes.insert(at, other.substr(random() % other.size(), length));
    }
  }
  return bytes;
}

// Changes the head of one frame, which gets the right length and sum, so that its fields are read.
std::string MutatedHead(const std::string& frames, const std::string& other, Random& random) {
  size_t begin = 0, end = 0;
  for (size_t next = 0; next < frames.size() && (end == 0 || random() % 3 != 0);) {
    begin = next;
    end = begin + transport::kFramePrefix + *transport::HeadLength(&frames[begin]);
    transport::StreamFrame frame;
    const size_t head = begin + transport::kFramePrefix;
    EXPECT_TRUE(transport::ReadHead(frames.substr(head, end - head), &frame).ok());
    next = end + frame.bytes;
  }
  const size_t head = begin + transport::kFramePrefix, sum = end - transport::kSumBytes;
  std::string changed = Mutated(frames.substr(head, sum - head), other, random);
  changed.resize(std::min(changed.size(), transport::kMaxFrameHead - transport::kSumBytes));
  const uint32_t crc = Crc32c(changed);
  changed.resize(changed.size() + transport::kSumBytes);
  transport::WriteSum(crc, &changed[changed.size() - transport::kSumBytes]);
  std::string prefix(transport::kFramePrefix, '\0');
  transport::WritePrefix(changed.size(), prefix.data());
  return frames.substr(0, begin) + prefix + changed + frames.substr(end);
}

class Attacker {
 public:
  explicit Attacker(const std::string& target)
      : channel_(grpc::CreateChannel(std::string(absl::StripPrefix(target, "grpc://")),
                                     grpc::InsecureChannelCredentials())),
        stub_(channel_) {}

  // Returns the status; the answer's bytes if it is OK.
  grpc::Status Call(const std::string& path, const std::string& bytes, std::string* answer) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(3));
    grpc::CompletionQueue queue;
    auto call = stub_.PrepareUnaryCall(&context, path, BufferOf(bytes), &queue);
    call->StartCall();
    grpc::ByteBuffer response;
    grpc::Status status;
    call->Finish(&response, &status, this);
    Drain(queue, 1);
    if (status.ok() && answer != nullptr) *answer = BytesOf(response);
    Close(queue);
    return status;
  }

  // Sends messages on a tensor stream, then ends it.
  grpc::Status Stream(const std::vector<std::string>& messages) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(3));
    grpc::CompletionQueue queue;
    auto stream = stub_.PrepareCall(&context, transport::kTensorStreamMethod, &queue);
    stream->StartCall(this);
    bool ok = Drain(queue, 1);
    for (const std::string& message : messages) {
      if (!ok) break;
      stream->Write(BufferOf(message), this);
      ok = Drain(queue, 1);
    }
    if (ok) {
      stream->WritesDone(this);
      (void)Drain(queue, 1);
    }
    grpc::Status status;
    grpc::ByteBuffer answer;
    do {
      stream->Read(&answer, this);
    } while (Drain(queue, 1));
    stream->Finish(&status, this);
    (void)Drain(queue, 1);
    Close(queue);
    return status;
  }

 private:
  static bool Drain(grpc::CompletionQueue& queue, int events) {
    bool ok = false;
    void* tag = nullptr;
    for (int i = 0; i < events; ++i) queue.Next(&tag, &ok);
    return ok;
  }
  static void Close(grpc::CompletionQueue& queue) {
    queue.Shutdown();
    void* tag = nullptr;
    bool ok = false;
    while (queue.Next(&tag, &ok)) {
    }
  }

  std::shared_ptr<grpc::Channel> channel_;
  grpc::GenericStub stub_;
};

struct Sample {
  std::string path, bytes;
};

// One valid message for every method, with open sessions.
class Samples {
 public:
  Samples(Attacker& master, TwoTasks& tasks) : master_(master), tasks_(tasks) {
    const auto graph = SmallGraph();
    EXPECT_TRUE(graph->Export(0, &graph_).ok());
  }

  std::vector<Sample> Make() {
    proto::CreateSessionRequest create;
    *create.mutable_graph_def() = graph_;
    create.mutable_config()->add_device_filters("/job:ps");
    create.mutable_config()->add_device_filters("/job:worker");
    create.mutable_config()->set_operation_timeout_in_ms(500);
    std::string answer;
    EXPECT_TRUE(
        master_.Call("/tensorflow.MasterService/CreateSession", create.SerializeAsString(), &answer)
            .ok());
    proto::CreateSessionResponse created;
    EXPECT_TRUE(created.ParseFromString(answer));
    const std::string session = created.session_handle();
    const Tensor two = Tensor::Scalar<float>(2);

    std::vector<Sample> samples = {Master("CreateSession", create)};
    transport::RunStepRequest run;
    run.session = session;
    run.feeds = {{"x:0", two}, {"y:0", two}};
    run.fetches = {"product:0", "sum:0"};
    run.targets = {"set"};
    run.options.trace = true;
    samples.push_back(
        {"/tensorflow.MasterService/RunStep", BytesOf(*transport::EncodeRunStep(run))});
    proto::ExtendSessionRequest extend;
    extend.set_session_handle(session);
    *extend.mutable_graph_def()->add_node() = graph_.node(0);
    extend.mutable_graph_def()->mutable_node(0)->set_name("late");
    *extend.mutable_graph_def()->mutable_versions() = graph_.versions();
    samples.push_back(Master("ExtendSession", extend));
    proto::PartialRunSetupRequest parts;
    parts.set_session_handle(session);
    parts.add_feed("x:0");
    parts.add_feed("y:0");
    parts.add_fetch("sum:0");
    samples.push_back(Master("PartialRunSetup", parts));
    proto::MakeCallableRequest callable;
    callable.set_session_handle(session);
    callable.mutable_options()->add_feed("x:0");
    callable.mutable_options()->add_fetch("sum:0");
    auto* connection = callable.mutable_options()->add_tensor_connection();
    connection->set_from_tensor("x:0");
    connection->set_to_tensor("y:0");
    samples.push_back(Master("MakeCallable", callable));
    samples.push_back({"/tensorflow.MasterService/RunCallable",
                       BytesOf(*transport::EncodeRunCallable({session, 0, {two}}))});
    proto::ListDevicesRequest list;
    list.set_session_handle(session);
    samples.push_back(Master("ListDevices", list));
    AddWorkerSamples(samples);
    return samples;
  }

  // A stream's messages: hello, and frames of every kind.
  std::vector<std::string> Frames() const {
    std::string hello, frames;
    // The sender is unknown to the cluster: a second stream from the ps would end the first.
    transport::WriteHello({transport::kStreamProtocol, "/job:ghost/replica:0/task:0", kVersion, 1,
                           tasks_.worker().task(), 1 << 20},
                          &hello);
    const transport::ParcelId id{{77, 1}, {3, 0, 0, 0}};
    transport::TensorHead head;
    head.dtype = kFloat;
    head.shape = Shape({2, 2});
    transport::WriteTensor(id, head, 16, &frames);
    frames.append(16, 'x');
    transport::WritePart({{77, 1}, {4, 0, 0, 0}}, head, 16, {1, 0}, 16, &frames);
    frames.append(16, 'y');
    transport::WriteAnnounce({{77, 1}, {5, 0, 0, 0}}, head, &frames);
    transport::WritePull(id, &frames);
    transport::WriteCredit(id.step, 100, &frames);
    transport::WriteEnd(id.step, &frames);
    return {hello, frames};
  }

 private:
  template <typename Message>
  static Sample Master(const char* method, const Message& message) {
    return {absl::StrCat("/tensorflow.MasterService/", method), message.SerializeAsString()};
  }
  template <typename Message>
  static Sample Worker(const char* method, const Message& message) {
    return {absl::StrCat("/tensorflow.WorkerService/", method), message.SerializeAsString()};
  }

  // A separate worker session, whose graph does not wait for another task.
  void AddWorkerSamples(std::vector<Sample>& samples) {
    const char session[] = "fuzz";
    proto::CreateWorkerSessionRequest create;
    create.set_session_handle(session);
    create.set_master_task(tasks_.ps().task());
    create.set_sluice_version("test");
    samples.push_back(Worker("CreateWorkerSession", create));
    proto::RegisterGraphRequest graph;
    graph.set_session_handle(session);
    graph.set_create_worker_session_called(true);
    *graph.mutable_graph_def() = graph_;
    for (proto::NodeDef& node : *graph.mutable_graph_def()->mutable_node())
      node.set_device(absl::StrCat(tasks_.worker().task(), "/device:CPU:0"));
    samples.push_back(Worker("RegisterGraph", graph));
    proto::RunGraphRequest run;
    run.set_session_handle(session);
    run.set_graph_handle("1");
    run.set_step_id(++step_);
    run.set_master(77);
    samples.push_back(Worker("RunGraph", run));
    proto::DeregisterGraphRequest deregister;
    deregister.set_session_handle(session);
    deregister.set_graph_handle("1");
    samples.push_back(Worker("DeregisterGraph", deregister));
    proto::CleanupAllRequest clear;
    clear.add_container("nobody");
    samples.push_back(Worker("CleanupAll", clear));
    samples.push_back(Worker("GetStatus", proto::GetStatusRequest()));
  }

  Attacker& master_;
  TwoTasks& tasks_;
  proto::GraphDef graph_;
  int64_t step_ = 0;
};

void ExpectThatASessionWorks(const std::string& target) {
  const auto graph = SmallGraph();
  client::SessionOptions options;
  options.target = target;
  auto session = client::Session::Create(graph.get(), options);
  ASSERT_TRUE(session.ok()) << session.status();
  client::RunOptions run;
  run.timeout_ms = 20000;
  auto product =
      (*session)->Run({{"x:0", Tensor::Scalar<float>(2)}, {"y:0", Tensor::Scalar<float>(3)}},
                      {"product:0"}, {}, run);
  ASSERT_TRUE(product.ok()) << product.status();
  EXPECT_EQ((*product)[0].scalar<float>(), 15);
}

int Setting(const char* name, int otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr ? std::atoi(value) : otherwise;
}

TEST(ProtocolFuzzTest, EveryCallEndsAndTheServerKeepsRunning) {
  const absl::Time end = absl::Now() + absl::Seconds(Setting("SLUICE_FUZZ_SECONDS", 15));
  const int seed = Setting("SLUICE_FUZZ_SEED", 1);
  Random random(static_cast<uint64_t>(seed));
#ifndef __SANITIZE_ADDRESS__
  // a huge tensor is refused, not allocated
  const rlimit memory = {rlim_t{6} << 30, rlim_t{6} << 30};
  setrlimit(RLIMIT_AS, &memory);
#endif
  SetLogLevel(LogLevel::kError);
  TwoTasks tasks({.open = 200, .idle_s = 2});
  Attacker attacker(tasks.target());
  Samples samples(attacker, tasks);
  std::map<std::string, int> statuses;
  int64_t rounds = 0, calls = 0;
  while (absl::Now() < end) {
    const std::vector<Sample> right = samples.Make();
    // unchanged first, so that fuzzing starts from valid messages
    for (const Sample& sample : right) {
      const grpc::Status status = attacker.Call(sample.path, sample.bytes, nullptr);
      EXPECT_NE(status.error_code(), grpc::DEADLINE_EXCEEDED) << sample.path;
    }
    for (int i = 0; i < 300 && absl::Now() < end; ++i, ++calls) {
      const Sample& sample = right[random() % right.size()];
      const std::string& other = right[random() % right.size()].bytes;
      const std::string bytes = Mutated(sample.bytes, other, random);
      const absl::Time start = absl::Now();
      grpc::Status status;
      if (i % 5 == 4) {
        std::vector<std::string> frames = samples.Frames();
        std::string& harmed = frames[random() % 8 == 0 ? 0 : 1];
        harmed = i % 2 == 0 ? Mutated(harmed, other, random) : MutatedHead(harmed, other, random);
        status = attacker.Stream(frames);
      } else {
        status = attacker.Call(sample.path, bytes, nullptr);
      }
      ++statuses[absl::StrCat(status.error_code())];
      ASSERT_FALSE(status.error_code() == grpc::UNAVAILABLE &&
                   sample.path.find("/Run") == std::string::npos)
          << "seed " << seed << ", call " << calls << ", " << sample.path << ": "
          << status.error_message();
      ASSERT_LT(absl::Now() - start, absl::Seconds(10)) << sample.path;
    }
    ++rounds;
    ASSERT_NO_FATAL_FAILURE(ExpectThatASessionWorks(tasks.target())) << "after round " << rounds;
  }
  std::cout << calls << " calls in " << rounds << " rounds, by status:";
  for (const auto& [code, count] : statuses) std::cout << " " << code << ": " << count;
  std::cout << "\n";
  EXPECT_GT(calls, 50);
  SetLogLevel(LogLevel::kInfo);
}

}  // namespace
}  // namespace sluice
