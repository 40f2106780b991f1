// SPDX-License-Identifier: Apache-2.0
// DatasetToTFRecord: the elements of a data set as the records of a file.
#include "core/io/file.h"
#include "core/io/record.h"
#include "core/runtime/kernel_registry.h"
#include "core/threads/blocking_threads.h"
#include "kernels/any/dataset/register.h"
#include "kernels/common/dataset/run_in_step.h"

namespace sluice::kernels {
namespace {

struct ToRecords {
  static constexpr size_t kBuffer = 256 << 10;

  absl::Status Write(KernelContext& ctx) const {
    SLUICE_ASSIGN(const RefPtr<const DataSet> set, DataSetInput(ctx, 0));
    SLUICE_ASSIGN(const std::string path, ScalarInput<std::string>(ctx, 1, "filename"));
    SLUICE_ASSIGN(const std::string name, ScalarInput<std::string>(ctx, 2, "compression_type"));
    SLUICE_ASSIGN(const Compression how, ParseCompression(name));
    if (set->spec().types != std::vector<DType>{kString}) {
      return InvalidArgument("records are scalar strings, but the data set has other elements");
    }
    SLUICE_ASSIGN(std::unique_ptr<OutputFile> file, CreateFile(path, WriteMode::kReplace));
    if (how != Compression::kNone) file = Compressed(std::move(file), how);
    const RunInStep run(ctx);
    SLUICE_ASSIGN(const std::unique_ptr<Stage> stage, set->Begin(run.running));
    std::string pending;
    for (;;) {
      SLUICE_RETURN_IF_ERROR(run.running.Check());
      Element element;
      SLUICE_ASSIGN(const bool more, stage->Next(element));
      if (more && element[0].rank() != 0) {
        return InvalidArgument("records are scalar strings, but an element has shape ",
                               element[0].shape());
      }
      if (more) pending += FramedRecord(element[0].scalar<std::string>());
      if (more && pending.size() < kBuffer) continue;
      SLUICE_RETURN_IF_ERROR(file->Append(pending));
      pending.clear();
      if (!more) return file->Close();
    }
  }
  void Start(KernelContext& ctx, Done done) const {
    RunBlocking([this, &ctx, done = std::move(done)]() mutable { done(Write(ctx)); });
  }
};

}  // namespace

void RegisterToRecords(KernelRegistry& kernels) {
  for (auto op : {"DatasetToTFRecord", "ExperimentalDatasetToTFRecord"})
    kernels.Add<ToRecords>(op, kCpu);
}

}  // namespace sluice::kernels
