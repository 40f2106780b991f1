// SPDX-License-Identifier: Apache-2.0
// Converts dimensions and vectors of sizes from one layout of images to another.
#include <algorithm>
#include <string>

#include "core/runtime/kernel_registry.h"
#include "kernels/cpu/nn/register.h"

namespace sluice::kernels {
namespace {

struct Formats {
  std::string from, to;

  static absl::StatusOr<Formats> Create(const NodeSpec& node) {
    Formats formats;
    SLUICE_ASSIGN(formats.from, node.Get<std::string>("src_format"));
    SLUICE_ASSIGN(formats.to, node.Get<std::string>("dst_format"));
    if (formats.from.size() != 4 && formats.from.size() != 5) {
      return InvalidArgument("Source format must be of length 4 or 5, received src_format = ",
                             formats.from);
    }
    if (formats.to.size() != 4 && formats.to.size() != 5) {
      return InvalidArgument("Destination format must be of length 4 or 5, received dst_format = ",
                             formats.to);
    }
    if (!std::is_permutation(formats.from.begin(), formats.from.end(), formats.to.begin(),
                             formats.to.end())) {
      return InvalidArgument("Destination and source format must determine a permutation, got ",
                             formats.from, " and ", formats.to);
    }
    return formats;
  }
};

struct DataFormatDimMap {
  Formats formats;

  static absl::StatusOr<DataFormatDimMap> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(Formats formats, Formats::Create(node));
    return DataFormatDimMap{std::move(formats)};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& in = ctx.input(0);
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, in.shape()));
    return VisitDType(IndexTypes{}, in.dtype(), [&]<typename T>(Type<T>) -> absl::Status {
      const auto rank = static_cast<int64_t>(formats.from.size());
      for (int64_t i = 0; i < in.num_elements(); ++i) {
        const int64_t at = in.data<T>()[i];
        const int64_t dimension = (at % rank + rank) % rank;
        out->mutable_data<T>()[i] = static_cast<T>(formats.to.find(formats.from[dimension]));
      }
      return absl::OkStatus();
    });
  }
};

// A value, or a pair of values, for each dimension; or only for the dimensions of space.
struct DataFormatVecPermute {
  Formats formats;

  static absl::StatusOr<DataFormatVecPermute> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(Formats formats, Formats::Create(node));
    return DataFormatVecPermute{std::move(formats)};
  }

  static std::string Space(const std::string& format) {
    std::string space = format;
    space.erase(
        std::remove_if(space.begin(), space.end(), [](char c) { return c == 'N' || c == 'C'; }),
        space.end());
    return space;
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& in = ctx.input(0);
    if (in.rank() != 1 && in.rank() != 2) {
      return InvalidArgument("input must be a vector or 2D tensor, but got shape ", in.shape());
    }
    std::string from = formats.from, to = formats.to;
    if (in.dim(0) == static_cast<int64_t>(from.size()) - 2) {
      from = Space(from);
      to = Space(to);
    }
    if (in.dim(0) != static_cast<int64_t>(from.size())) {
      return InvalidArgument(in.rank(), "D input must be of size ", formats.from.size() - 2, " or ",
                             formats.from.size(), ", but got shape ", in.shape());
    }
    if (in.rank() == 2 && in.dim(1) != 2) {
      return InvalidArgument("Second dimension of 2D input must be of size 2, but got shape ",
                             in.shape());
    }
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, in.shape()));
    const int64_t width = in.rank() == 2 ? 2 : 1;
    return VisitDType(IndexTypes{}, in.dtype(), [&]<typename T>(Type<T>) {
      for (size_t i = 0; i < to.size(); ++i) {
        std::copy_n(in.data<T>() + static_cast<int64_t>(from.find(to[i])) * width, width,
                    out->mutable_data<T>() + static_cast<int64_t>(i) * width);
      }
      return absl::OkStatus();
    });
  }
};

}  // namespace

void RegisterDataFormats(KernelRegistry& kernels) {
  kernels.Add<DataFormatDimMap>("DataFormatDimMap", kCpu, {{"T", kIndex}});
  kernels.Add<DataFormatVecPermute>("DataFormatVecPermute", kCpu, {{"T", kIndex}});
}

}  // namespace sluice::kernels
