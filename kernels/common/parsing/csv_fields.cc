// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/parsing/csv_fields.h"

namespace sluice::kernels {

absl::Status CheckCsvColumns(absl::Span<const int64_t> columns, absl::string_view name) {
  for (size_t i = 1; i < columns.size(); ++i) {
    if (columns[i - 1] < columns[i]) continue;
    return InvalidArgument(name, " should be strictly increasing indices");
  }
  if (columns.empty() || columns.front() >= 0) return absl::OkStatus();
  return InvalidArgument(name, " should be non-negative indices");
}

absl::Status CheckCsvDefault(const Tensor& given, size_t field) {
  if (given.rank() > 1) return InvalidArgument("Each record default should be at most rank 1");
  if (given.num_elements() <= 1) return absl::OkStatus();
  return InvalidArgument("There should only be 1 default per field but field ", field, " has ",
                         given.num_elements());
}

std::string UnescapedCsv(absl::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    plain.push_back(text[i]);
    if (text[i] == '"') ++i;
  }
  return plain;
}

}  // namespace sluice::kernels
