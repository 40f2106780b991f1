// SPDX-License-Identifier: Apache-2.0
#include "core/io/file.h"
#include "core/io/record.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/kernels/started.h"

namespace sluice::kernels {
namespace {

using testing::HasSubstr;

Tensor String(std::string value) { return Tensor::Scalar<std::string>(std::move(value)); }

// Turns, waiting and cancelling; malformed states. tests/interop/ops/staging_readers_test.py
// compares the records with TensorFlow's.
class ReaderTest : public testing::Test {
 protected:
  ReaderTest() {
    // They have names; otherwise they would be removed with their nodes.
    queue_ = One("FIFOQueueV2",
                 {{"component_types", std::vector<DType>{kString}}, {"shared_name", "queue"}}, {});
    read_ = *runner_.Make("ReaderReadV2", {}, {kResource, kResource}, "read");
  }

  Tensor One(absl::string_view op, AttrMap attrs, std::vector<Tensor> inputs) {
    auto out = runner_.Run(op, std::move(attrs), std::move(inputs));
    EXPECT_TRUE(out.ok()) << out.status();
    return out.ok() && !out->empty() ? (*out)[0] : Tensor();
  }
  std::string Text(absl::string_view op, std::vector<Tensor> inputs) {
    auto out = runner_.Run(op, {}, std::move(inputs));
    if (!out.ok()) return std::string(out.status().message());
    return out->empty() ? "OK" : (*out)[0].ToString();
  }
  std::unique_ptr<Started> Read(const Tensor& reader) {
    return std::make_unique<Started>(runner_, read_,
                                     std::vector<Slot>{ValueSlot(reader), ValueSlot(queue_)});
  }
  static std::string Value(const Started& read) {
    read.Await();
    return read.code() == absl::StatusCode::kOk ? read.outputs()[1].value.scalar<std::string>()
                                                : read.Text();
  }
  void Enqueue(const std::string& work) { One("QueueEnqueueV2", {}, {queue_, String(work)}); }
  std::string File(const std::string& name, const std::string& contents) {
    const std::string path = testing::TempDir() + "/sluice_reader_" + name;
    EXPECT_TRUE(WriteFile(path, contents).ok());
    return path;
  }

  KernelRunner runner_;
  Tensor queue_;
  TestNode read_;
};

TEST_F(ReaderTest, ReadersWaitForWorkAndForEachOther) {
  const Tensor reader = One("TextLineReaderV2", {{"shared_name", "reader"}}, {});
  std::vector<std::unique_ptr<Started>> reads;
  for (int i = 0; i < 5; ++i) reads.push_back(Read(reader));
  for (const auto& read : reads) EXPECT_EQ(read->Text(), "waits");
  EXPECT_EQ(Text("ReaderNumRecordsProducedV2", {reader}), "int64 [] {0}");  // does not wait
  Enqueue(File("lines", "one\ntwo\nthree\n"));
  EXPECT_EQ(Value(*reads[0]), "one");
  EXPECT_EQ(Value(*reads[1]), "two");
  EXPECT_EQ(Value(*reads[2]), "three");
  EXPECT_FALSE(reads[3]->ended());
  Enqueue(File("more lines", "four\nfive"));
  EXPECT_EQ(Value(*reads[3]), "four");
  EXPECT_EQ(Value(*reads[4]), "five");
}

TEST_F(ReaderTest, CancellingPassesTheTurnToTheNext) {
  const Tensor reader = One("TextLineReaderV2", {{"shared_name", "reader"}}, {});
  const auto first = Read(reader), second = Read(reader), third = Read(reader);
  first->Cancel();
  EXPECT_THAT(Value(*first), HasSubstr("operation was cancelled"));
  second->Cancel();
  EXPECT_THAT(Value(*second), HasSubstr("operation was cancelled"));
  Enqueue(File("line", "one\n"));
  EXPECT_EQ(Value(*third), "one");
}

TEST_F(ReaderTest, ManyEmptyFilesNeedNoStack) {
  const Tensor reader = One("TextLineReaderV2", {{"shared_name", "reader"}}, {});
  const std::string empty = File("empty", "");
  const auto read = Read(reader);
  for (int i = 0; i < 3000; ++i) Enqueue(empty);
  Enqueue(File("end", "last"));
  EXPECT_EQ(Value(*read), "last");
  EXPECT_EQ(Text("ReaderNumWorkUnitsCompletedV2", {reader}), "int64 [] {3000}");
}

TEST_F(ReaderTest, DamageIsReportedEachTime) {
  const Tensor reader = One("TFRecordReaderV2", {{"shared_name", "reader"}}, {});
  std::string bytes = FramedRecord("good") + FramedRecord("bad");
  bytes.back() ^= 1;
  Enqueue(File("damaged", bytes));
  EXPECT_EQ(Value(*Read(reader)), "good");
  for (int i = 0; i < 2; ++i) {
    EXPECT_THAT(Value(*Read(reader)), HasSubstr("corrupted record at 32 of"));
  }
  EXPECT_EQ(Text("ReaderResetV2", {reader}), "OK");
  Enqueue(File("whole", FramedRecord("whole")));
  EXPECT_EQ(Value(*Read(reader)), "whole");
}

TEST_F(ReaderTest, StatesAreChecked) {
  const Tensor reader = One("IdentityReaderV2", {{"shared_name", "reader"}}, {});
  Enqueue("some work");
  EXPECT_EQ(Value(*Read(reader)), "some work");
  const Tensor state = One("ReaderSerializeStateV2", {}, {reader});
  EXPECT_EQ(Text("ReaderRestoreStateV2", {reader, state}), "OK");
  EXPECT_EQ(Text("ReaderNumRecordsProducedV2", {reader}), "int64 [] {1}");
  const std::string& good = state.scalar<std::string>();
  for (size_t cut = 1; cut < good.size(); ++cut) {
    Text("ReaderRestoreStateV2", {reader, String(good.substr(0, cut))});
  }
  const std::string negative("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11);
  EXPECT_THAT(Text("ReaderRestoreStateV2", {reader, String(negative)}), HasSubstr("negative"));
  EXPECT_THAT(Text("ReaderRestoreStateV2", {reader, String("\x08\x05")}),
              HasSubstr("Inconsistent work started vs. finished"));
  EXPECT_THAT(Text("ReaderRestoreStateV2", {reader, String("\x22\x7f")}),
              HasSubstr("Could not parse state"));
  const Tensor lines = One("TextLineReaderV2", {{"shared_name", "lines"}}, {});
  EXPECT_EQ(Text("ReaderSerializeStateV2", {lines}), "Reader SerializeState");
}

TEST_F(ReaderTest, LayoutsAreChecked) {
  auto code = [&](AttrMap attrs) {
    return runner_.Run("FixedLengthRecordReaderV2", std::move(attrs), {}).status().code();
  };
  EXPECT_EQ(code({{"record_bytes", 4}}), absl::StatusCode::kOk);
  EXPECT_EQ(code({{"record_bytes", -1}}), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code({{"record_bytes", 4}, {"footer_bytes", INT64_MAX}}),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code({{"record_bytes", 4}, {"encoding", "LZMA"}}), absl::StatusCode::kInvalidArgument);
}

TEST_F(ReaderTest, FilesComeAndGo) {
  const std::string path = testing::TempDir() + "/sluice_reader_dir/file";
  EXPECT_EQ(Text("WriteFile", {String(path), String("contents")}), "OK");
  EXPECT_EQ(Text("ReadFile", {String(path)}), "string [] {\"contents\"}");
  EXPECT_EQ(Text("MatchingFiles", {String(path.substr(0, path.size() - 2) + "*")}),
            "string [1] {\"" + path + "\"}");
  EXPECT_THAT(Text("ReadFile", {Tensor::Vector<std::string>({path})}), HasSubstr("must be scalar"));
}

}  // namespace
}  // namespace sluice::kernels
