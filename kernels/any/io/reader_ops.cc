// SPDX-License-Identifier: Apache-2.0
// The ops of readers, with handles of both kinds.
#include "absl/strings/strip.h"
#include "kernels/any/io/reader.h"
#include "kernels/any/io/register.h"
#include "kernels/common/resource_handle.h"

namespace sluice::kernels {
namespace {

struct NewReader {
  NodeSpec node;
  NamedResource<Reader> reader;

  NewReader(const NodeSpec& node, ResourcePlace place) : node(node), reader(std::move(place)) {}

  static absl::StatusOr<std::unique_ptr<NewReader>> Create(const NodeSpec& node) {
    SLUICE_RETURN_IF_ERROR(MakeRecordSource(node).status());
    SLUICE_ASSIGN(ResourcePlace place, ResourcePlace::Create(node));
    return std::make_unique<NewReader>(node, std::move(place));
  }
  absl::Status Run(KernelContext& ctx) const {
    return reader.HandOut(ctx, [&](const std::string&) -> absl::StatusOr<RefPtr<Reader>> {
      SLUICE_ASSIGN(std::unique_ptr<RecordSource> source, MakeRecordSource(node));
      const auto type = absl::StripSuffix(node.op, "V2");
      return MakeRefCounted<Reader>(node.name, std::string(type), std::move(source));
    });
  }
};

Tensor Strings(std::vector<std::string> values) { return Tensor::Vector<std::string>(values); }

// ReaderRead: reader, queue; ReaderReadUpTo: reader, queue, num_records.
struct Read {
  bool up_to;

  static absl::StatusOr<Read> Create(const NodeSpec& node) {
    return Read{node.op.find("UpTo") != std::string::npos};
  }
  void Start(KernelContext& ctx, Done done) const {
    const auto reader = ResourceOf<Reader>(ctx, 0);
    if (!reader.ok()) return done(reader.status());
    const auto queue = ResourceOf<Queue>(ctx, 1);
    if (!queue.ok()) return done(queue.status());
    if (!up_to) return Take(ctx, **reader, *queue, 1, std::move(done));
    KeepInputs(ctx, 2, 1,
               [this, &ctx, reader = *reader, queue = *queue,
                done = std::move(done)](absl::StatusOr<std::vector<Tensor>> inputs) mutable {
                 const auto limit = inputs.ok() ? IntScalar((*inputs)[0]) : inputs.status();
                 if (!limit.ok()) return done(limit.status());
                 if (*limit < 0) {
                   return done(InvalidArgument("num_records must not be negative, got ", *limit));
                 }
                 Take(ctx, *reader, queue, *limit, std::move(done));
               });
  }
  void Take(KernelContext& ctx, Reader& reader, const RefPtr<Queue>& queue, int64_t limit,
            Done done) const {
    auto kept = std::make_unique<Reader::Records>();
    Reader::Records* records = kept.get();
    reader.Read(
        ctx, queue, limit, records,
        [this, &ctx, kept = std::move(kept), done = std::move(done)](absl::Status s) mutable {
          if (s.ok()) SetRecords(ctx, *kept);
          done(std::move(s));
        });
  }
  void SetRecords(KernelContext& ctx, Reader::Records& records) const {
    if (up_to) {
      ctx.SetOutput(0, Strings(std::move(records.keys)));
      ctx.SetOutput(1, Strings(std::move(records.values)));
    } else {
      ctx.SetOutput(0, Tensor::Scalar<std::string>(std::move(records.keys[0])));
      ctx.SetOutput(1, Tensor::Scalar<std::string>(std::move(records.values[0])));
    }
  }
};

struct NumRecords {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const RefPtr<Reader> reader, ResourceOf<Reader>(ctx, 0));
    ctx.SetOutput(0, Tensor::Scalar<int64_t>(reader->records_produced()));
    return absl::OkStatus();
  }
};

struct NumWorkUnits {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const RefPtr<Reader> reader, ResourceOf<Reader>(ctx, 0));
    ctx.SetOutput(0, Tensor::Scalar<int64_t>(reader->work_completed()));
    return absl::OkStatus();
  }
};

struct Reset {
  void Start(KernelContext& ctx, Done done) const {
    const auto reader = ResourceOf<Reader>(ctx, 0);
    if (!reader.ok()) return done(reader.status());
    (*reader)->Exclusively(
        ctx, [reader = *reader] { return reader->Reset(); }, std::move(done));
  }
};

struct SerializeState {
  void Start(KernelContext& ctx, Done done) const {
    const auto reader = ResourceOf<Reader>(ctx, 0);
    if (!reader.ok()) return done(reader.status());
    auto serialize = [&ctx, reader = *reader]() -> absl::Status {
      SLUICE_ASSIGN(std::string state, reader->SerializeState());
      ctx.SetOutput(0, Tensor::Scalar<std::string>(std::move(state)));
      return absl::OkStatus();
    };
    (*reader)->Exclusively(ctx, std::move(serialize), std::move(done));
  }
};

// reader, state.
struct RestoreState {
  void Start(KernelContext& ctx, Done done) const {
    const auto reader = ResourceOf<Reader>(ctx, 0);
    if (!reader.ok()) return done(reader.status());
    if (ctx.input(1).rank() != 0) {
      return done(
          InvalidArgument("Reader state must be scalar, but had shape: ", ctx.input(1).shape()));
    }
    (*reader)->Exclusively(
        ctx,
        [reader = *reader, state = ctx.input(1).scalar<std::string>()] {
          return reader->RestoreState(state);
        },
        std::move(done));
  }
};

}  // namespace

void RegisterReaders(KernelRegistry& kernels) {
  for (const char* version : {"", "V2"}) {
    const auto op = [&](absl::string_view name) { return absl::StrCat(name, version); };
    for (auto name : {"WholeFileReader", "IdentityReader", "TextLineReader",
                      "FixedLengthRecordReader", "TFRecordReader"}) {
      kernels.Add<NewReader>(op(name), kCpu, {}, kCheap);
    }
    for (auto name : {"ReaderRead", "ReaderReadUpTo"}) kernels.Add<Read>(op(name), kCpu);
    kernels.Add<NumRecords>(op("ReaderNumRecordsProduced"), kCpu, {}, kCheap);
    kernels.Add<NumWorkUnits>(op("ReaderNumWorkUnitsCompleted"), kCpu, {}, kCheap);
    kernels.Add<Reset>(op("ReaderReset"), kCpu, {}, kCheap);
    kernels.Add<SerializeState>(op("ReaderSerializeState"), kCpu, {}, kCheap);
    kernels.Add<RestoreState>(op("ReaderRestoreState"), kCpu, {}, kCheap);
  }
  kernels.Add<NewReader>("LMDBReader", kCpu, {}, kCheap);
}

}  // namespace sluice::kernels
