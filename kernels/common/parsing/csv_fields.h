// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_PARSING_CSV_FIELDS_H_
#define SLUICE_KERNELS_COMMON_PARSING_CSV_FIELDS_H_

#include <string>
#include <type_traits>

#include "absl/types/span.h"
#include "core/tensor/tensor.h"
#include "kernels/common/parsing/parse_number.h"

namespace sluice::kernels {

// The types that a column of CSV may have.
using CsvTypes = TypeList<float, double, int32_t, int64_t, std::string>;

// INVALID_ARGUMENT unless the numbers of columns rise from 0 or more. `name` is the argument's.
absl::Status CheckCsvColumns(absl::Span<const int64_t> columns, absl::string_view name);
// INVALID_ARGUMENT unless it is the default value of field `field`, or empty.
absl::Status CheckCsvDefault(const Tensor& given, size_t field);
// Without the quotes that stand before quotes.
std::string UnescapedCsv(absl::string_view text);

// How the texts of fields are read.
struct CsvReading {
  std::string na;         // stands for a missing value
  bool as_in_1x = false;  // no integer begins with "+"
};

// The value of a field: `given` for an empty text and for `na`. `record` is the record's number in
// error texts, or empty.
template <typename T>
absl::Status ParseCsvField(absl::string_view text, const CsvReading& how, const Tensor& given,
                           size_t field, absl::string_view record, T* to) {
  const absl::string_view space = record.empty() ? "" : " ";
  if (text.empty() || text == how.na) {
    if (given.num_elements() != 1) {
      return InvalidArgument("Field ", field, " is required but missing in record", space, record,
                             "!");
    }
    *to = given.flat<T>()[0];
  } else if constexpr (std::is_same_v<T, std::string>) {
    to->assign(text.data(), text.size());
  } else if (!ParseNumber(text, to, how.as_in_1x)) {
    return InvalidArgument("Field ", field, " in record", space, record, " is not a valid ",
                           kDTypeOf<T>, ": ", text);
  }
  return absl::OkStatus();
}

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_PARSING_CSV_FIELDS_H_
