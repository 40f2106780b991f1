// SPDX-License-Identifier: Apache-2.0
// StringNGrams: runs of consecutive strings within each row.
#include "absl/strings/str_join.h"
#include "core/runtime/kernel_registry.h"
#include "core/threads/cancel_scope.h"
#include "kernels/any/strings/register.h"

namespace sluice::kernels {
namespace {

using Strings = absl::Span<const std::string>;

// data, data_splits -> ngrams, ngrams_splits. A row is padded on both sides, limited so that every
// run contains a string of the row.
template <typename Split>
struct StringNGrams {
  std::vector<int64_t> widths;
  std::string separator, left, right;
  int64_t pad;  // negative: as much as possible
  bool keep_short;

  static absl::StatusOr<StringNGrams> Create(const NodeSpec& node) {
    StringNGrams made;
    SLUICE_ASSIGN(made.widths, node.Get<std::vector<int64_t>>("ngram_widths"));
    SLUICE_ASSIGN(made.separator, node.Get<std::string>("separator"));
    SLUICE_ASSIGN(made.left, node.Get<std::string>("left_pad"));
    SLUICE_ASSIGN(made.right, node.Get<std::string>("right_pad"));
    SLUICE_ASSIGN(made.pad, node.Get<int64_t>("pad_width"));
    SLUICE_ASSIGN(made.keep_short, node.Get<bool>("preserve_short_sequences"));
    for (const int64_t width : made.widths) {
      if (width <= 0) return InvalidArgument("ngram_widths must contain positive values");
    }
    return made;
  }

  absl::Status Run(KernelContext& ctx) const {
    const Strings data = ctx.input(0).flat<std::string>();
    const auto splits = ctx.input(1).flat<Split>();
    SLUICE_RETURN_IF_ERROR(CheckSplits(splits, static_cast<int64_t>(data.size())));
    SLUICE_ASSIGN(Tensor * ends, ctx.AllocateOutput(1, ctx.input(1).shape()));
    std::vector<std::string> runs;
    // Without rows, or without any text, there are no n-grams, not even of padding.
    if (splits.empty()) return ctx.AllocateOutput(0, ctx.input(0).shape()).status();
    if (data.empty()) {
      std::fill_n(ends->mutable_data<Split>(), splits.size(), Split{0});
      return ctx.AllocateOutput(0, {0}).status();
    }
    for (const int64_t row : Cancellable(static_cast<int64_t>(splits.size()))) {
      if (row > 0) {
        const Split begin = splits[row - 1];
        SLUICE_RETURN_IF_ERROR(AddRow(data.subspan(begin, splits[row] - begin), &runs));
      }
      ends->mutable_data<Split>()[row] = static_cast<Split>(runs.size());
    }
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, {static_cast<int64_t>(runs.size())}));
    std::move(runs.begin(), runs.end(), out->mutable_data<std::string>());
    return absl::OkStatus();
  }

  absl::Status AddRow(Strings row, std::vector<std::string>* runs) const {
    const size_t before = runs->size();
    for (const int64_t width : widths) {
      SLUICE_RETURN_IF_ERROR(
          AddRuns(row, width, pad < 0 ? width - 1 : std::min(pad, width - 1), runs));
    }
    if (!keep_short || row.empty() || runs->size() > before) return absl::OkStatus();
    if (pad < 0) {
      return InvalidArgument(
          "Pad width should be >= 0 when preserve_short_sequences is True and ngram_widths are "
          "not provided, got ",
          pad);
    }
    if (pad > kMost) return TooLong(pad);
    return AddRuns(row, static_cast<int64_t>(row.size()) + 2 * pad, pad, runs);
  }

  // A hostile width is an error instead of an exhausted machine.
  static constexpr int64_t kMost = 1 << 20;
  static absl::Status TooLong(int64_t width) {
    return InvalidArgument("runs of ", width, " strings are too long");
  }

  absl::Status AddRuns(Strings row, int64_t width, int64_t padding,
                       std::vector<std::string>* runs) const {
    const auto size = static_cast<int64_t>(row.size());
    if (padding < width - size - padding) return absl::OkStatus();  // there are none
    if (width > kMost) return TooLong(width);
    std::vector<absl::string_view> parts;
    CancelPoints points(1 << 14);
    for (int64_t first = -padding; first + width <= size + padding; ++first) {
      points.Pass(width);
      parts.clear();
      for (int64_t i = first; i < first + width; ++i) {
        parts.push_back(i < 0 ? left : i >= size ? right : row[i]);
      }
      runs->push_back(absl::StrJoin(parts, separator));
    }
    return absl::OkStatus();
  }

  static absl::Status CheckSplits(absl::Span<const Split> splits, int64_t size) {
    if (splits.empty()) return absl::OkStatus();
    if (splits[0] != 0) return InvalidArgument("First split value must be 0, got ", splits[0]);
    for (size_t i = 1; i < splits.size(); ++i) {
      if (splits[i] >= splits[i - 1] && splits[i] <= size) continue;
      return InvalidArgument("Invalid split value ", splits[i], ", must be in [", splits[i - 1],
                             ",", size, "]");
    }
    if (splits.back() == size) return absl::OkStatus();
    return InvalidArgument("Last split value must be data size. Expected ", size, ", got ",
                           splits.back());
  }
};

}  // namespace

void RegisterStringNGrams(KernelRegistry& kernels) {
  kernels.Add<StringNGrams<int32_t>>("StringNGrams", kCpu, {{"Tsplits", {kInt32}}});
  kernels.Add<StringNGrams<int64_t>>("StringNGrams", kCpu, {{"Tsplits", {kInt64}}});
}

}  // namespace sluice::kernels
