// SPDX-License-Identifier: Apache-2.0
#include "tests/file_kernels/formats.h"

#include "absl/strings/str_cat.h"
#include "core/io/file.h"
#include "core/tensor/variant.h"
#include "gtest/gtest.h"
#include "kernels/common/dataset/data_set.h"

namespace sluice::kernels {
namespace {

constexpr int kMostElements = 100;

absl::StatusOr<Tensor> MakeDataSet(KernelRunner& runner, absl::string_view op, AttrMap attrs,
                                   std::vector<Tensor> inputs) {
  SLUICE_ASSIGN(auto outputs, runner.Run(op, std::move(attrs), std::move(inputs)));
  return outputs.at(0);
}

std::string Describe(const absl::Status& status) { return status.ToString(); }

// Appends the next elements to `found`. False at the end. SQLite reads the file anew after each
// error, so that a damaged one may give errors without end.
bool ReadElements(Stage& stage, int count, std::string* found) {
  constexpr int kMostErrors = 16;  // in succession
  for (int i = 0, errors = 0; i < count && errors < kMostErrors; ++i) {
    Element element;
    const absl::StatusOr<bool> more = stage.Next(element);
    if (more.ok() && !*more) return false;
    errors = more.ok() ? 0 : errors + 1;
    absl::StrAppend(found, more.ok() ? "element" : Describe(more.status()));
    if (more.ok())
      for (const Tensor& tensor : element) absl::StrAppend(found, " ", Digest(tensor));
  }
  return true;
}

std::string ReadAll(const DataSet& set) {
  RunState state;
  const Running running{&state, {}};
  absl::StatusOr<std::unique_ptr<Stage>> stage = set.Begin(running);
  if (!stage.ok()) return Describe(stage.status());
  std::string found;
  if (!ReadElements(**stage, 2, &found)) return found;
  SavedState saved;
  const absl::Status can = (*stage)->SaveOrRestore(saved);
  if (can.ok()) {
    auto again = set.Begin(running);
    if (!again.ok()) return Describe(again.status());
    SavedState restored(saved.values());
    absl::StrAppend(&found, Describe((*again)->SaveOrRestore(restored)));
    ReadElements(**again, 2, &found);
  }
  ReadElements(**stage, kMostElements, &found);
  return found;
}

}  // namespace

std::string FileOf(const std::string& bytes) {
  static const std::string path =
      absl::StrCat(testing::TempDir(), "/file_kernels_", getpid(), "/input");
  EXPECT_TRUE(WriteFile(path, bytes).ok());
  return path;
}

std::string Digest(const Tensor& tensor) {
  std::string bytes;
  if (tensor.dtype() == kString) {
    for (const std::string& text : tensor.flat<std::string>())
      absl::StrAppend(&bytes, text.size(), ":", text);
  } else if (tensor.num_elements() > 0) {
    bytes.assign(static_cast<const char*>(tensor.raw()), tensor.bytes());
  }
  return absl::StrCat(tensor.shape().ToString(), "#", std::hash<std::string>{}(bytes));
}

std::string ReadWith(KernelRunner& runner, absl::string_view op, AttrMap attrs,
                     std::vector<Tensor> inputs) {
  const auto outputs = runner.Run(op, std::move(attrs), std::move(inputs));
  if (!outputs.ok()) return Describe(outputs.status());
  std::string found;
  for (const Tensor& output : *outputs) absl::StrAppend(&found, Digest(output), " ");
  return found;
}

std::string ReadDataSet(KernelRunner& runner, absl::string_view op, AttrMap attrs,
                        std::vector<Tensor> inputs) {
  const auto made = MakeDataSet(runner, op, std::move(attrs), std::move(inputs));
  if (!made.ok()) return Describe(made.status());
  const auto set = DataSetOf({*made});
  return set.ok() ? ReadAll(**set) : Describe(set.status());
}

}  // namespace sluice::kernels
