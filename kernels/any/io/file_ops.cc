// SPDX-License-Identifier: Apache-2.0
// ReadFile, WriteFile, MatchingFiles.
#include "core/io/file.h"
#include "core/op/producer_version.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/any/io/register.h"

namespace sluice::kernels {
namespace {

absl::StatusOr<std::string> PathIn(const KernelContext& ctx, int input) {
  const Tensor& path = ctx.input(input);
  if (path.rank() == 0) return path.scalar<std::string>();
  return InvalidArgument("Input filename tensor must be scalar, but had shape: ", path.shape());
}

struct ReadFileOp {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const std::string path, PathIn(ctx, 0));
    SLUICE_ASSIGN(std::string contents, ReadFile(path));
    ctx.SetOutput(0, Tensor::Scalar<std::string>(std::move(contents)));
    return absl::OkStatus();
  }
};

struct WriteFileOp {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const std::string path, PathIn(ctx, 0));
    const Tensor& contents = ctx.input(1);
    if (contents.rank() != 0) {
      return InvalidArgument("Contents tensor must be scalar, but had shape: ", contents.shape());
    }
    return WriteFile(path, contents.scalar<std::string>());
  }
};

// NOT_FOUND if the folder before a pattern's first wildcard is missing.
absl::Status CheckFolder(const std::string& pattern) {
  const std::string fixed = pattern.substr(0, pattern.find_first_of("*?[\\"));
  const size_t slash = fixed.rfind('/');
  if (slash == std::string::npos || slash == 0) return absl::OkStatus();
  const std::string folder = fixed.substr(0, slash);
  const absl::Status status = DescribeFile(folder).status();
  return absl::IsNotFound(status) ? NotFound(folder, "; No such file or directory") : status;
}

// The files of all patterns, sorted. In graphs of 1.x, the folders of patterns must exist.
struct MatchingFilesOp {
  bool as_in_1x;

  static absl::StatusOr<MatchingFilesOp> Create(const NodeSpec& node) {
    return MatchingFilesOp{IsFrom1x(node)};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& patterns = ctx.input(0);
    if (patterns.rank() > 1) {
      return InvalidArgument("Input patterns tensor must be scalar or vector, but had shape: ",
                             patterns.shape());
    }
    std::vector<std::string> all;
    for (const std::string& pattern : patterns.flat<std::string>()) {
      if (as_in_1x) SLUICE_RETURN_IF_ERROR(CheckFolder(pattern));
      SLUICE_ASSIGN(const std::vector<std::string> found, MatchingFiles(pattern));
      all.insert(all.end(), found.begin(), found.end());
    }
    std::sort(all.begin(), all.end());
    ctx.SetOutput(0, Tensor::Vector<std::string>(all));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterFileOps(KernelRegistry& kernels) {
  kernels.Add<ReadFileOp>("ReadFile", kCpu);
  kernels.Add<WriteFileOp>("WriteFile", kCpu);
  kernels.Add<MatchingFilesOp>("MatchingFiles", kCpu);
}

}  // namespace sluice::kernels
