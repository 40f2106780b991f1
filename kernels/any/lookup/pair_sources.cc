// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/lookup/pair_sources.h"

#include <algorithm>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "core/io/file.h"

namespace sluice::kernels {
namespace {

class TensorPairs final : public PairSource {
 public:
  TensorPairs(Tensor keys, Tensor values) : keys_(std::move(keys)), values_(std::move(values)) {}

  absl::StatusOr<bool> Next() override { return !std::exchange(read_, true); }
  const Tensor& keys() const override { return keys_; }
  const Tensor& values() const override { return values_; }
  int64_t size() const override { return keys_.num_elements(); }

 private:
  const Tensor keys_, values_;
  bool read_ = false;
};

// A line is a pair. Lines are read one at a time, so a file may be larger than memory.
class TextFilePairs final : public PairSource {
 public:
  TextFilePairs(std::unique_ptr<Input> file, const TextFormat& format, const PairType& type)
      : input_(std::move(file)),
        format_(format),
        keys_(type.key, Shape{1}),
        values_(type.value, Shape{1}) {}

  // An error of the first line is one of the file. OUT_OF_RANGE if there is none.
  absl::Status Begin() {
    SLUICE_ASSIGN(begun_, Read());
    if (begun_) return absl::OkStatus();
    if (input_.position() > 0)
      return OutOfRange("Finished reading 0 of lines from ", input_.path());
    return OutOfRange("Read less bytes than requested");
  }

  absl::StatusOr<bool> Next() override {
    if (std::exchange(begun_, false)) return true;
    return Read();
  }
  const Tensor& keys() const override { return keys_; }
  const Tensor& values() const override { return values_; }
  int64_t size() const override { return format_.lines; }

 private:
  absl::StatusOr<bool> Read() {
    std::string line;
    SLUICE_ASSIGN(const bool more, input_.ReadLine(&line));
    if (!more) {
      if (format_.lines < 0 || next_ == format_.lines) return false;
      return InvalidArgument("Invalid vocab_size in ", input_.path(), ": expected ", format_.lines,
                             " but got ", next_);
    }
    if (format_.lines >= 0 && next_ >= format_.lines) return false;
    if (line.empty()) {
      return InvalidArgument("Invalid content in ", input_.path(),
                             ": empty line found at position ", input_.position(), ".");
    }
    std::vector<absl::string_view> columns;
    const int64_t last = std::max(format_.key_column, format_.value_column);
    if (last >= 0) {
      columns = absl::StrSplit(line, format_.delimiter);
      if (last >= static_cast<int64_t>(columns.size())) {
        return InvalidArgument("Invalid number of columns in ", input_.path(), " line ", next_,
                               " (", line, ") : expected at least ", last + 1, " got ",
                               columns.size());
      }
    }
    SLUICE_RETURN_IF_ERROR(Set(format_.key_column, line, columns, keys_));
    SLUICE_RETURN_IF_ERROR(Set(format_.value_column, line, columns, values_));
    ++next_;
    return true;
  }

  absl::Status Set(int64_t column, absl::string_view line,
                   absl::Span<const absl::string_view> columns, Tensor& to) const {
    if (column == TextFormat::kLineNumber) {
      int64_t number = 0;
      if (!AddFits(next_, format_.offset, &number))
        return InvalidArgument("offset ", format_.offset, " is too large");
      *to.mutable_data<int64_t>() = number;
      return absl::OkStatus();
    }
    const absl::string_view text =
        column == TextFormat::kWholeLine ? line : columns[static_cast<size_t>(column)];
    bool valid = true;
    switch (to.dtype()) {
      case kInt32:
        valid = absl::SimpleAtoi(text, to.mutable_data<int32_t>());
        break;
      case kInt64:
        valid = absl::SimpleAtoi(text, to.mutable_data<int64_t>());
        break;
      case kFloat:
        valid = absl::SimpleAtof(text, to.mutable_data<float>());
        break;
      case kDouble:
        valid = absl::SimpleAtod(text, to.mutable_data<double>());
        break;
      case kString:
        to.mutable_data<std::string>()->assign(text.data(), text.size());
        break;
      default:
        return InvalidArgument("Data type ", to.dtype(), " not supported.");
    }
    if (valid) return absl::OkStatus();
    return InvalidArgument("Field ", text, " in line ", next_, " is not a valid ", to.dtype(), ".");
  }

  BufferedInput input_;
  const TextFormat format_;
  int64_t next_ = 0;    // the number of the next line
  bool begun_ = false;  // the first line is read, but not yet returned
  Tensor keys_, values_;
};

absl::Status CheckColumns(const TextFormat& format, const PairType& type) {
  const DTypeSet line{kString, kInt32, kInt64};
  if (format.key_column == TextFormat::kLineNumber && type.key != kInt64) {
    return InvalidArgument("Key index for line number requires table key dtype of int64, got ",
                           type.key);
  }
  if (format.key_column == TextFormat::kWholeLine && !line.contains(type.key)) {
    return InvalidArgument("Key index for whole line requires string or integer table key, got ",
                           type.key);
  }
  if (format.value_column == TextFormat::kLineNumber && type.value != kInt64) {
    return InvalidArgument("Value index for line number requires table value dtype of int64, got ",
                           type.value);
  }
  if (format.value_column == TextFormat::kWholeLine && !line.contains(type.value)) {
    return InvalidArgument(
        "Value index for whole line requires table value "
        "dtype of integer or string, got ",
        type.value);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<PairSource>> PairsOfTensors(const Tensor& keys,
                                                           const Tensor& values) {
  if (keys.num_elements() == 0) return InvalidArgument("keys and values cannot be empty tensors.");
  return std::make_unique<TensorPairs>(keys, values);
}

absl::StatusOr<std::unique_ptr<PairSource>> PairsOfTextFile(const std::string& path,
                                                            const TextFormat& format,
                                                            const PairType& type) {
  SLUICE_RETURN_IF_ERROR(CheckColumns(format, type));
  SLUICE_ASSIGN(std::unique_ptr<Input> file, OpenFile(path));
  auto pairs = std::make_unique<TextFilePairs>(std::move(file), format, type);
  SLUICE_RETURN_IF_ERROR(pairs->Begin());
  return pairs;
}

}  // namespace sluice::kernels
