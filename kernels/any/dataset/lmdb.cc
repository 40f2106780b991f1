// SPDX-License-Identifier: Apache-2.0
// LMDBDataset: the keys and values of LMDB files.
#include "core/io/lmdb_reader.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/any/dataset/register.h"
#include "kernels/common/dataset/data_set.h"

namespace sluice::kernels {
namespace {

// The entries of one file after the other. State: the file, and how many of its entries were given.
class Entries final : public DataSet {
 public:
  Entries(ElementSpec spec, std::vector<std::string> paths)
      : DataSet(std::move(spec)), paths_(std::move(paths)) {}
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    return std::make_unique<Run>(paths_, running);
  }

 private:
  class Run final : public Stage {
   public:
    Run(const std::vector<std::string>& paths, const Running& running)
        : paths_(paths), running_(running) {}
    absl::StatusOr<bool> Next(Element& element) override {
      for (;;) {
        SLUICE_RETURN_IF_ERROR(running_.Check());
        if (file_ == nullptr) {
          if (next_ == paths_.size()) return false;
          SLUICE_ASSIGN(file_, LmdbReader::Open(paths_[next_++]));
          given_ = 0;
        }
        std::string key, value;
        const absl::StatusOr<bool> more = file_->Next(&key, &value);
        if (!more.ok() || !*more) file_.reset();  // what is damaged is not read on
        if (!more.ok()) return more.status();
        if (!*more) continue;
        ++given_;
        element.clear();
        element.push_back(Tensor::Scalar<std::string>(std::move(key)));
        element.push_back(Tensor::Scalar<std::string>(std::move(value)));
        return true;
      }
    }
    absl::Status SaveOrRestore(SavedState& state) override {
      bool open = file_ != nullptr;
      SLUICE_RETURN_IF_ERROR(state.Fields("LMDB", next_, given_, open));
      if (!state.restoring()) return absl::OkStatus();
      if (next_ > paths_.size() || (open && next_ == 0)) {
        return InvalidArgument("the saved state is in file ", next_, " of ", paths_.size());
      }
      if (!open) return absl::OkStatus();
      SLUICE_ASSIGN(file_, LmdbReader::Open(paths_[next_ - 1]));
      std::string key, value;
      for (int64_t i = 0; i < given_; ++i) {
        SLUICE_RETURN_IF_ERROR(running_.Check());
        SLUICE_ASSIGN(const bool more, file_->Next(&key, &value));
        if (!more) {
          return DataLoss(paths_[next_ - 1], " has ", i,
                          " entries, but the saved state is behind entry ", given_);
        }
      }
      return absl::OkStatus();
    }

   private:
    const std::vector<std::string>& paths_;
    const Running running_;
    size_t next_ = 0;
    int64_t given_ = 0;  // entries of the open file
    std::unique_ptr<LmdbReader> file_;
  };
  const std::vector<std::string> paths_;
};

struct LmdbDataset {
  ElementSpec spec;
  static absl::StatusOr<LmdbDataset> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    return LmdbDataset{std::move(spec)};
  }
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& input = ctx.input(0);
    if (input.rank() > 1) return InvalidArgument("`filenames` must be a scalar or a vector.");
    if (spec.types != std::vector<DType>{kString, kString}) {
      return InvalidArgument("a data set of an LMDB file has two components of strings");
    }
    const auto paths = input.flat<std::string>();
    SetDataSet(ctx,
               MakeRefCounted<Entries>(spec, std::vector<std::string>(paths.begin(), paths.end())));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterLmdb(KernelRegistry& kernels) {
  for (auto op : {"LMDBDataset", "ExperimentalLMDBDataset"}) kernels.Add<LmdbDataset>(op, kCpu);
}

}  // namespace sluice::kernels
