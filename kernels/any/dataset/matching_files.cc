// SPDX-License-Identifier: Apache-2.0
// MatchingFilesDataset: the paths of the files that patterns match.
#include "core/io/file.h"
#include "core/runtime/kernel_registry.h"
#include "core/threads/cancel_scope.h"
#include "kernels/any/dataset/register.h"
#include "kernels/common/dataset/data_set.h"

namespace sluice::kernels {
namespace {

// The files of one pattern after the other, sorted, without folders. Patterns that match nothing at
// all are an error. State: the pattern, its paths, and the next of them.
class PathsOf final : public DataSet {
 public:
  PathsOf(ElementSpec spec, std::vector<std::string> patterns)
      : DataSet(std::move(spec)), patterns_(std::move(patterns)) {}
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    return std::make_unique<Run>(patterns_, running);
  }

 private:
  class Run final : public Stage {
   public:
    Run(const std::vector<std::string>& patterns, const Running& running)
        : patterns_(patterns), running_(running) {}
    absl::StatusOr<bool> Next(Element& element) override {
      for (;;) {
        SLUICE_RETURN_IF_ERROR(running_.Check());
        if (next_ < found_.size()) {
          std::string path = found_[next_++];
          const absl::StatusOr<FileInfo> file = DescribeFile(path);
          if (file.ok() && file->folder) continue;
          any_ = true;
          element.clear();
          element.push_back(Tensor::Scalar<std::string>(std::move(path)));
          return true;
        }
        if (pattern_ >= patterns_.size()) break;
        SLUICE_RETURN_IF_ERROR(UntilCancelled(&running_.cancel(), [&]() -> absl::Status {
          SLUICE_ASSIGN(found_, MatchingFiles(patterns_[pattern_++]));
          return absl::OkStatus();
        }));
        next_ = 0;
      }
      if (!any_) return NotFound("Don't find any matched files");
      return false;
    }
    absl::Status SaveOrRestore(SavedState& state) override {
      return state.Fields("MatchingFiles", pattern_, found_, next_, any_);
    }

   private:
    const std::vector<std::string>& patterns_;
    const Running running_;
    size_t pattern_ = 0, next_ = 0;
    std::vector<std::string> found_;
    bool any_ = false;
  };
  const std::vector<std::string> patterns_;
};

struct MatchingFilesDataset {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& input = ctx.input(0);
    if (input.rank() > 1) return InvalidArgument("`patterns` must be a scalar or a vector.");
    const auto patterns = input.flat<std::string>();
    SetDataSet(ctx,
               MakeRefCounted<PathsOf>(ElementSpec{{kString}, {PartialShape(Shape{})}},
                                       std::vector<std::string>(patterns.begin(), patterns.end())));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterMatchingFiles(KernelRegistry& kernels) {
  for (auto op : {"MatchingFilesDataset", "ExperimentalMatchingFilesDataset"})
    kernels.Add<MatchingFilesDataset>(op, kCpu);
}

}  // namespace sluice::kernels
