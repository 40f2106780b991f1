// SPDX-License-Identifier: Apache-2.0
// DecodeCSV: records of RFC 4180 to one tensor per column.
#include <list>
#include <vector>

#include "core/op/producer_version.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/any/parsing/register.h"
#include "kernels/common/parsing/csv_fields.h"
#include "kernels/common/parsing/each_element.h"

namespace sluice::kernels {
namespace {

// The fields of one record.
struct Fields {
  std::vector<absl::string_view> texts;
  std::list<std::string> unescaped;  // texts that had escaped quotes

  void Clear() {
    texts.clear();
    unescaped.clear();
  }
};

class DecodeCsv {
 public:
  static absl::StatusOr<DecodeCsv> Create(const NodeSpec& node) {
    DecodeCsv kernel;
    SLUICE_ASSIGN(kernel.types_, node.Get<std::vector<DType>>("OUT_TYPE"));
    SLUICE_ASSIGN(kernel.use_quotes_, node.Get<bool>("use_quote_delim"));
    SLUICE_ASSIGN(kernel.how_.na, node.Get<std::string>("na_value"));
    kernel.how_.as_in_1x = IsFrom1x(node);
    SLUICE_ASSIGN(kernel.columns_, node.Get<std::vector<int64_t>>("select_cols"));
    SLUICE_ASSIGN(const std::string delimiter, node.Get<std::string>("field_delim"));
    if (delimiter.size() != 1) return InvalidArgument("field_delim should be only 1 char");
    kernel.delimiter_ = delimiter[0];
    SLUICE_RETURN_IF_ERROR(kernel.CheckColumns());
    return kernel;
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& records = ctx.input(0);
    std::vector<Tensor*> outputs(types_.size());
    for (size_t f = 0; f < types_.size(); ++f) {
      SLUICE_RETURN_IF_ERROR(CheckCsvDefault(ctx.input(static_cast<int>(f) + 1), f));
      SLUICE_ASSIGN(outputs[f], ctx.AllocateOutput(static_cast<int>(f), records.shape()));
    }
    const double cost = 40.0 * static_cast<double>(types_.size());
    return EachElement(ctx.pool(), records.num_elements(), cost, [&] {
      return [&, fields = Fields()](int64_t i) mutable { return Decode(ctx, i, fields, outputs); };
    });
  }

 private:
  absl::Status CheckColumns() const {
    if (columns_.empty()) return absl::OkStatus();
    if (columns_.size() != types_.size()) {
      return InvalidArgument("select_cols should match output size");
    }
    return CheckCsvColumns(columns_, "select_cols");
  }

  absl::Status Decode(const KernelContext& ctx, int64_t i, Fields& fields,
                      const std::vector<Tensor*>& outputs) const {
    fields.Clear();
    SLUICE_RETURN_IF_ERROR(Split(ctx.input(0).data<std::string>()[i], fields));
    if (fields.texts.size() != types_.size()) {
      return InvalidArgument("Expect ", types_.size(), " fields but have ", fields.texts.size(),
                             " in record ", i);
    }
    const absl::AlphaNum number(i);
    for (size_t f = 0; f < types_.size(); ++f) {
      const Tensor& given = ctx.input(static_cast<int>(f) + 1);
      SLUICE_RETURN_IF_ERROR(VisitDType(CsvTypes{}, types_[f], [&]<typename T>(Type<T>) {
        return ParseCsvField(fields.texts[f], how_, given, f, number.Piece(),
                             outputs[f]->mutable_data<T>() + i);
      }));
    }
    return absl::OkStatus();
  }

  bool Selected(size_t taken, int64_t column) const {
    return columns_.empty() || columns_[taken] == column;
  }

  absl::Status Split(absl::string_view record, Fields& fields) const {
    size_t at = 0;
    int64_t column = 0;
    while (at < record.size()) {
      if (record[at] == '\n' || record[at] == '\r') {
        ++at;
        continue;
      }
      absl::string_view text;
      const bool quoted = use_quotes_ && record[at] == '"';
      SLUICE_RETURN_IF_ERROR(quoted ? Quoted(record, &at, &text, fields)
                                    : Unquoted(record, &at, &text));
      if (Selected(fields.texts.size(), column++)) {
        fields.texts.push_back(text);
        if (fields.texts.size() == columns_.size()) return absl::OkStatus();
      }
    }
    const bool ends_empty = !record.empty() && record.back() == delimiter_;
    if (ends_empty && Selected(fields.texts.size(), column)) fields.texts.emplace_back();
    return absl::OkStatus();
  }

  // Each moves `at` behind the delimiter that ends the field.
  absl::Status Unquoted(absl::string_view record, size_t* at, absl::string_view* text) const {
    const size_t begin = *at;
    size_t end = begin;
    for (; end < record.size() && record[end] != delimiter_; ++end) {
      const char c = record[end];
      if ((!use_quotes_ || c != '"') && c != '\n' && c != '\r') continue;
      return InvalidArgument("Unquoted fields cannot have quotes/CRLFs inside");
    }
    *text = record.substr(begin, end - begin);
    *at = end + 1;
    return absl::OkStatus();
  }

  absl::Status Quoted(absl::string_view record, size_t* at, absl::string_view* text,
                      Fields& fields) const {
    const size_t begin = *at + 1, last = record.size() - 1;
    size_t end = begin, escapes = 0;
    while (end < last && (record[end] != '"' || record[end + 1] != delimiter_)) {
      if (record[end] == '"') {
        if (record[end + 1] != '"') {
          return InvalidArgument("Quote inside a string has to be escaped by another quote");
        }
        ++escapes;
        ++end;
      }
      ++end;
    }
    const bool closed =
        end <= last && record[end] == '"' && (end == last || record[end + 1] == delimiter_);
    if (!closed) {
      return InvalidArgument("Quoted field has to end with quote followed by delim or end");
    }
    *text = record.substr(begin, end - begin);
    *at = end + 2;
    if (escapes > 0) *text = fields.unescaped.emplace_back(UnescapedCsv(*text));
    return absl::OkStatus();
  }

  std::vector<DType> types_;
  std::vector<int64_t> columns_;  // the selected ones; empty: all
  CsvReading how_;
  char delimiter_ = ',';
  bool use_quotes_ = true;
};

}  // namespace

void RegisterDecodeCsv(KernelRegistry& kernels) { kernels.Add<DecodeCsv>("DecodeCSV", kCpu); }

}  // namespace sluice::kernels
