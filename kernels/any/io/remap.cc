// SPDX-License-Identifier: Apache-2.0
// Vocabulary changes of a model: GenerateVocabRemapping finds the rows of the old vocabulary,
// LoadAndRemapMatrix reads them from a checkpoint.
#include <algorithm>

#include "absl/container/flat_hash_map.h"
#include "core/io/checkpoint/bundle_reader.h"
#include "core/io/file.h"
#include "kernels/any/io/checkpoint.h"
#include "kernels/any/io/register.h"

namespace sluice::kernels {
namespace {

absl::StatusOr<std::string> FileName(const Tensor& tensor, absl::string_view input) {
  if (tensor.rank() != 0) {
    return InvalidArgument(input, " should be a single string, but got ", tensor.shape());
  }
  if (tensor.scalar<std::string>().empty()) return InvalidArgument(input, " cannot be empty");
  return tensor.scalar<std::string>();
}

// The lines of a file, or the first `wanted`, which must exist; -1: all.
absl::StatusOr<std::vector<std::string>> ReadVocabulary(const std::string& path, int64_t wanted) {
  SLUICE_ASSIGN(std::unique_ptr<Input> file, OpenFile(path));
  BufferedInput input(std::move(file));
  std::vector<std::string> words;
  while (wanted < 0 || static_cast<int64_t>(words.size()) < wanted) {
    std::string line;
    SLUICE_ASSIGN(const bool more, input.ReadLine(&line));
    if (!more) break;
    if (line.empty()) {
      return InvalidArgument("Invalid content in ", path, ": empty line found at position ",
                             input.position(), ".");
    }
    words.push_back(std::move(line));
  }
  const auto found = static_cast<int64_t>(words.size());
  if (found == 0) return OutOfRange("Finished reading 0 of lines from ", path);
  if (found < wanted) {
    return InvalidArgument("Invalid vocab_size in ", path, ": expected ", wanted, " but got ",
                           found);
  }
  return words;
}

// new_vocab_file, old_vocab_file -> for each new word, the old word's line, or -1; and the number
// of matches.
struct GenerateVocabRemapping {
  int64_t offset, size, old_size;

  static absl::StatusOr<GenerateVocabRemapping> Create(const NodeSpec& node) {
    GenerateVocabRemapping made;
    SLUICE_ASSIGN(made.offset, node.Get<int64_t>("new_vocab_offset"));
    SLUICE_ASSIGN(made.size, node.Get<int64_t>("num_new_vocab"));
    made.old_size = GetAttrOr<int64_t>(node.attrs, "old_vocab_size", -1);
    return made;
  }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const std::string new_file, FileName(ctx.input(0), "new_vocab_file"));
    SLUICE_ASSIGN(const std::string old_file, FileName(ctx.input(1), "old_vocab_file"));
    SLUICE_ASSIGN(const auto new_words, ReadVocabulary(new_file, -1));
    const auto count = static_cast<int64_t>(new_words.size());
    if (offset > count || size > count - offset) {
      return InvalidArgument("lookup table size must be larger than last new vocab entry's line: ",
                             new_file, " has ", count, " lines");
    }
    SLUICE_ASSIGN(const auto lines, LinesOf(old_file));
    SLUICE_ASSIGN(Tensor * remapping, ctx.AllocateOutput(0, Shape{size}));
    int32_t present = 0;
    for (int64_t i = 0; i < size; ++i) {
      const auto found = lines.find(new_words[offset + i]);
      remapping->mutable_data<int64_t>()[i] = found == lines.end() ? -1 : found->second;
      present += found == lines.end() ? 0 : 1;
    }
    ctx.SetOutput(1, Tensor::Scalar<int32_t>(present));
    return absl::OkStatus();
  }

  absl::StatusOr<absl::flat_hash_map<std::string, int64_t>> LinesOf(const std::string& file) const {
    SLUICE_ASSIGN(auto words, ReadVocabulary(file, old_size));
    absl::flat_hash_map<std::string, int64_t> lines;
    for (size_t i = 0; i < words.size(); ++i) {
      const auto [known, added] = lines.try_emplace(std::move(words[i]), static_cast<int64_t>(i));
      if (added) continue;
      return FailedPrecondition("HashTable has different value for same key. Key ", known->first,
                                " has ", known->second, " and trying to add value ", i);
    }
    return lines;
  }
};

// A remapping holds for each new row (column) the old one; negative: there is none.
absl::Status CheckRemapping(absl::Span<const int64_t> remapping) {
  absl::flat_hash_map<int64_t, size_t> new_of;
  for (size_t i = 0; i < remapping.size(); ++i) {
    if (remapping[i] < 0) continue;
    const auto [known, added] = new_of.try_emplace(remapping[i], i);
    if (added) continue;
    return Unimplemented("Old ID ", remapping[i], " is mapped to both new ID ", known->second,
                         " and ", i, ", which is not supported.");
  }
  return absl::OkStatus();
}

// ckpt_path, old_tensor_name, row_remapping, col_remapping (empty: columns stay), values for new
// elements, row by row.
struct LoadAndRemapMatrix {
  int64_t rows, columns, rows_at_once;

  static absl::StatusOr<LoadAndRemapMatrix> Create(const NodeSpec& node) {
    LoadAndRemapMatrix made;
    SLUICE_ASSIGN(made.rows, node.Get<int64_t>("num_rows"));
    SLUICE_ASSIGN(made.columns, node.Get<int64_t>("num_cols"));
    made.rows_at_once = GetAttrOr<int64_t>(node.attrs, "max_rows_in_memory", -1);
    return made;
  }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const std::string path, StringScalar(ctx.input(0), "ckpt_path"));
    SLUICE_ASSIGN(const std::string name, StringScalar(ctx.input(1), "old_tensor_name"));
    SLUICE_ASSIGN(const auto old_rows, Remapping(ctx.input(2), "row_remapping"));
    SLUICE_ASSIGN(const auto old_columns, Remapping(ctx.input(3), "col_remapping"));
    SLUICE_RETURN_IF_ERROR(CheckSizes(old_rows, old_columns));
    SLUICE_ASSIGN(const std::unique_ptr<BundleReader> reader, BundleReader::Open(path));
    SLUICE_ASSIGN(const BundleReader::Stored stored, reader->Find(name));
    SLUICE_RETURN_IF_ERROR(CheckStored(name, stored, old_rows, old_columns));
    SLUICE_ASSIGN(const Shape shape, Shape::Create({rows, columns}));
    SLUICE_ASSIGN(Tensor * matrix, ctx.AllocateOutput(0, shape));
    float* const to = matrix->mutable_data<float>();
    SLUICE_RETURN_IF_ERROR(CopyOld(*reader, name, stored, old_rows, old_columns, to));
    return FillNew(ctx.input(4), old_rows, old_columns, to);
  }

  static absl::StatusOr<absl::Span<const int64_t>> Remapping(const Tensor& tensor,
                                                             absl::string_view input) {
    if (tensor.rank() == 1) return tensor.flat<int64_t>();
    return InvalidArgument("The `", input, "` tensor must be 1-D, got a tensor of shape ",
                           tensor.shape());
  }

  absl::Status CheckSizes(absl::Span<const int64_t> old_rows,
                          absl::Span<const int64_t> old_columns) const {
    if (static_cast<int64_t>(old_rows.size()) != rows) {
      return InvalidArgument("Size of row_remapping is ", old_rows.size(),
                             " instead of being equal to num_rows=", rows);
    }
    SLUICE_RETURN_IF_ERROR(CheckRemapping(old_rows));
    if (!old_columns.empty() && static_cast<int64_t>(old_columns.size()) != columns) {
      return InvalidArgument("Provided col_remapping, but its size is ", old_columns.size(),
                             " instead of being equal to num_cols=", columns);
    }
    return CheckRemapping(old_columns);
  }

  absl::Status CheckStored(const std::string& name, const BundleReader::Stored& stored,
                           absl::Span<const int64_t> old_rows,
                           absl::Span<const int64_t> old_columns) const {
    if (stored.dtype != kFloat) {
      return InvalidArgument("Tensor ", name, " has invalid type ", stored.dtype,
                             " instead of expected type float");
    }
    if (stored.shape.rank() != 2) {
      return InvalidArgument("Tensor ", name, " has shape ", stored.shape, " of invalid rank ",
                             stored.shape.rank(), " instead of expected shape of rank 2.");
    }
    if (old_columns.empty() && stored.shape.dim(1) != columns) {
      return InvalidArgument("Tensor ", name, " has shape ", stored.shape,
                             ", where the size of its 2nd dimension is ", stored.shape.dim(1),
                             " instead of being equal to num_cols=", columns);
    }
    for (const auto& [ids, dimension] : {std::pair{old_rows, 0}, std::pair{old_columns, 1}}) {
      for (const int64_t id : ids) {
        if (id < stored.shape.dim(dimension)) continue;
        return InvalidArgument("Old ID ", id, " is outside of dimension ", dimension, " of tensor ",
                               name, " of shape ", stored.shape);
      }
    }
    return absl::OkStatus();
  }

  // Reads in the order of the old rows, of which only a part is in memory.
  absl::Status CopyOld(BundleReader& reader, const std::string& name,
                       const BundleReader::Stored& stored, absl::Span<const int64_t> old_rows,
                       absl::Span<const int64_t> old_columns, float* to) const {
    std::vector<std::pair<int64_t, int64_t>> order;  // old row, new row
    for (int64_t i = 0; i < rows; ++i) {
      if (old_rows[i] >= 0) order.emplace_back(old_rows[i], i);
    }
    std::sort(order.begin(), order.end());
    const int64_t width = stored.shape.dim(1), last = order.empty() ? 0 : order.back().first + 1;
    int64_t begin = 0, end = 0;
    Tensor part;
    for (const auto& [old_row, new_row] : order) {
      if (old_row >= end) {
        begin = old_row;
        end = rows_at_once > 0 ? begin + std::min(last - begin, rows_at_once) : last;
        const TensorSlice slice = TensorSlice::Of({{begin, end - begin}, {}});
        SLUICE_ASSIGN(part, reader.ReadSlice(name, stored, slice));
      }
      const float* from = part.data<float>() + (old_row - begin) * width;
      for (int64_t j = 0; j < columns; ++j) {
        const int64_t old_column = old_columns.empty() ? j : old_columns[j];
        if (old_column >= 0) to[new_row * columns + j] = from[old_column];
      }
    }
    return absl::OkStatus();
  }

  absl::Status FillNew(const Tensor& values, absl::Span<const int64_t> old_rows,
                       absl::Span<const int64_t> old_columns, float* to) const {
    int64_t used = 0;
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = 0; j < columns; ++j) {
        if (old_rows[i] >= 0 && (old_columns.empty() || old_columns[j] >= 0)) continue;
        if (used == values.num_elements()) {
          return InvalidArgument("initializing_values contained ", used,
                                 " elements, but more missing values remain.");
        }
        to[i * columns + j] = values.data<float>()[used++];
      }
    }
    if (used == values.num_elements()) return absl::OkStatus();
    return InvalidArgument("initializing_values contained ", values.num_elements(),
                           " elements, but only ", used,
                           " elements were used to fill in missing values.");
  }
};

}  // namespace

void RegisterRemapping(KernelRegistry& kernels) {
  kernels.Add<GenerateVocabRemapping>("GenerateVocabRemapping", kCpu);
  kernels.Add<LoadAndRemapMatrix>("LoadAndRemapMatrix", kCpu);
}

}  // namespace sluice::kernels
