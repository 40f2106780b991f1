// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/parsing/sequence_parser.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "kernels/common/parsing/feature_values.h"

namespace sluice::kernels {
namespace {

// A Feature of one example, or its FeatureList. Null data: the example lacks it.
using Piece = absl::string_view;

// Packed floats of this message end at a whole value.
int64_t ReadRowValues(WireReader& in, float* to, int64_t room) {
  if (in.Peek() != WireReader::Delimited(1)) return ReadValues(in, to, room);
  const char* outer = nullptr;
  in.Take(WireReader::Delimited(1));
  if (!in.Enter(&outer) || in.left() % sizeof(float) != 0) return -1;
  const auto n = static_cast<int64_t>(in.left() / sizeof(float));
  const auto stored = static_cast<size_t>(std::min(n, room));
  if (stored > 0) std::memcpy(to, in.at(), stored * sizeof(float));
  in.SkipRest();
  in.Leave(outer);
  return n;
}
template <typename T>
int64_t ReadRowValues(WireReader& in, T* to, int64_t room) {
  return ReadValues(in, to, room);
}

// Reads a Feature of type T: its number of values, or -1.
template <typename T>
int64_t ReadFeature(WireReader& in, T* to, int64_t room) {
  const char* outer = nullptr;
  uint32_t length = 0;
  if (!in.Take(FeatureTag(kDTypeOf<T>)) || !in.Enter(&outer, &length)) return -1;
  if (length > 0 && in.AtEnd() && !std::is_same_v<T, std::string>) return -1;
  const int64_t n = length == 0 ? 0 : ReadRowValues(in, to, room);
  in.Leave(outer);
  return n;
}

template <typename T>
int64_t ReadPiece(Piece piece, T* to, int64_t room) {
  if (piece.empty()) return 0;
  WireReader in(piece);
  return ReadFeature(in, to, room);
}

enum class RowError { kNone, kMalformed, kType };

// Reads a row of a FeatureList.
template <typename T>
RowError ReadRow(WireReader& in, T* to, int64_t room, int64_t* count) {
  uint32_t length = 0;
  *count = 0;
  if (!in.Take(WireReader::Delimited(1)) || !in.Varint32(&length)) return RowError::kMalformed;
  if (length == 0) return RowError::kNone;
  if (length == 1) return RowError::kMalformed;
  if (length == 2) {  // a list without values
    uint32_t values = 0;
    const bool empty = in.Take(FeatureTag(kDTypeOf<T>)) && in.Varint32(&values) && values == 0;
    return empty ? RowError::kNone : RowError::kType;
  }
  const char* const outer = in.Limit(length);
  *count = ReadFeature(in, to, room);
  in.Leave(outer);
  return *count < 0 ? RowError::kType : RowError::kNone;
}

// The pieces of one kind of features: of the context, or of the lists. Features are numbered: dense
// ones, sparse ones, ragged ones.
class Pieces {
 public:
  Pieces(const ExampleFeatures& features, size_t batch)
      : batch_(batch),
        sparse_begin_(features.dense.size()),
        ragged_begin_(sparse_begin_ + features.sparse.size()) {
    for (const auto& f : features.dense) Add(f.key, f.dtype);
    for (const auto& f : features.sparse) Add(f.key, f.dtype);
    for (const auto& f : features.ragged) Add(f.key, f.dtype);
  }

  // INVALID_ARGUMENT if a key is of two kinds.
  absl::Status CheckKinds(absl::string_view what) const {
    for (size_t i = 0; i < keys_.size(); ++i) {
      const size_t first = first_.at(keys_[i]);
      if (Kind(first) == Kind(i)) continue;
      return InvalidArgument(what, " feature ", keys_[i], " cannot be both ",
                             first < sparse_begin_ ? "dense and sparse" : "ragged and sparse");
    }
    return absl::OkStatus();
  }

  // The map of an example.
  bool Read(WireReader& in, size_t example) {
    const char* outer = nullptr;
    if (!in.Enter(&outer)) return false;
    while (!in.AtEnd()) {
      const char* end = nullptr;
      absl::string_view key, value;
      if (!in.Take(WireReader::Delimited(1)) || !in.Enter(&end) ||
          !in.Take(WireReader::Delimited(1)) || !in.Bytes(&key) ||
          !in.Take(WireReader::Delimited(2)) || !in.Bytes(&value) || !in.AtEnd()) {
        return false;
      }
      in.Leave(end);
      const auto found = first_.find(key);
      for (size_t i = found == first_.end() ? kNone : found->second; i != kNone; i = next_[i]) {
        pieces_[i][example] = value;
      }
    }
    in.Leave(outer);
    return true;
  }

  size_t size() const { return keys_.size(); }
  size_t sparse_begin() const { return sparse_begin_; }
  size_t ragged_begin() const { return ragged_begin_; }
  const std::vector<Piece>& of(size_t number) const { return pieces_[number]; }
  absl::string_view key(size_t number) const { return keys_[number]; }
  DType dtype(size_t number) const { return dtypes_[number]; }

 private:
  static constexpr size_t kNone = ~size_t{0};

  void Add(absl::string_view key, DType dtype) {
    const auto [at, added] = first_.emplace(key, keys_.size());
    if (!added) {
      size_t last = at->second;
      while (next_[last] != kNone) last = next_[last];
      next_[last] = keys_.size();
    }
    keys_.push_back(key);
    dtypes_.push_back(dtype);
    next_.push_back(kNone);
    pieces_.emplace_back(batch_);
  }
  int Kind(size_t number) const {
    return (number >= sparse_begin_ ? 1 : 0) + (number >= ragged_begin_ ? 1 : 0);
  }

  const size_t batch_, sparse_begin_, ragged_begin_;
  absl::flat_hash_map<absl::string_view, size_t> first_;  // by key
  std::vector<size_t> next_;                              // with the same key
  std::vector<absl::string_view> keys_;
  std::vector<DType> dtypes_;
  std::vector<std::vector<Piece>> pieces_;  // by number and example
};

// Values of a feature.
struct Counts {
  std::vector<int64_t> values, rows;  // by example
  int64_t total = 0, most = 0;
  int64_t total_rows = 0, most_rows = 0, widest_row = 0;

  void Add(int64_t n, int64_t row_count = 0) {
    values.push_back(n);
    rows.push_back(row_count);
    total += n;
    most = std::max(most, n);
    total_rows += row_count;
    most_rows = std::max(most_rows, row_count);
  }
};

class SequenceParser {
 public:
  SequenceParser(const SequenceFeatures& features, absl::Span<const std::string> serialized,
                 absl::Span<const std::string> names, bool batch, Tensor::Making make)
      : features_(features),
        serialized_(serialized),
        names_(names),
        batch_(batch),
        make_(make),
        examples_(static_cast<int64_t>(serialized.size())),
        context_(features.context, serialized.size()),
        lists_(features.lists, serialized.size()) {}

  absl::StatusOr<ParsedSequences> Run() {
    if (!names_.empty() && names_.size() != serialized_.size()) {
      return InvalidArgument("example_names must be empty or have the correct number of elements");
    }
    SLUICE_RETURN_IF_ERROR(context_.CheckKinds("Context"));
    SLUICE_RETURN_IF_ERROR(lists_.CheckKinds("Sequence"));
    SLUICE_RETURN_IF_ERROR(FindPieces());
    std::vector<Counts> context(context_.size()), lists(lists_.size());
    SLUICE_RETURN_IF_ERROR(CountContext(context));
    SLUICE_RETURN_IF_ERROR(CountLists(lists));
    SLUICE_RETURN_IF_ERROR(EachFeature(context_, [&]<typename T>(Type<T>, size_t i) {
      if (i < context_.sparse_begin()) return ContextDense<T>(i, context[i]);
      if (i < context_.ragged_begin()) return ContextSparse<T>(i, context[i]);
      return ContextRagged<T>(i, context[i]);
    }));
    SLUICE_RETURN_IF_ERROR(EachFeature(lists_, [&]<typename T>(Type<T>, size_t i) {
      if (i < lists_.sparse_begin()) return ListDense<T>(i, lists[i]);
      if (i < lists_.ragged_begin()) return ListSparse<T>(i, lists[i]);
      return ListRagged<T>(i, lists[i]);
    }));
    return std::move(result_);
  }

 private:
  template <typename Visit>
  static absl::Status EachFeature(const Pieces& pieces, Visit visit) {
    for (size_t i = 0; i < pieces.size(); ++i) {
      SLUICE_RETURN_IF_ERROR(VisitDType(FeatureTypes{}, pieces.dtype(i),
                                        [&]<typename T>(Type<T> type) { return visit(type, i); }));
    }
    return absl::OkStatus();
  }

  std::string NameOf(size_t example) const {
    return names_.empty() ? "<unknown>" : names_[example];
  }

  absl::StatusOr<Tensor> Make(DType dtype, const Shape::Dims& dims) const {
    SLUICE_ASSIGN(const Shape shape, Shape::Create(dims));
    return make_(dtype, shape);
  }
  // Dimensions that begin with that of the batch, if there is one.
  Shape::Dims Batched(absl::Span<const int64_t> dims) const {
    Shape::Dims all;
    if (batch_) all.push_back(examples_);
    all.insert(all.end(), dims.begin(), dims.end());
    return all;
  }

  absl::Status FindPieces() {
    for (size_t e = 0; e < serialized_.size(); ++e) {
      WireReader in(serialized_[e]);
      bool good = true;
      while (good && !in.AtEnd()) {
        if (in.Take(WireReader::Delimited(1))) {
          good = context_.Read(in, e);
        } else if (in.Take(WireReader::Delimited(2))) {
          good = lists_.Read(in, e);
        } else {
          good = in.SkipField();
        }
      }
      if (good) continue;
      return InvalidArgument("Invalid protocol message input, example id: ", NameOf(e));
    }
    return absl::OkStatus();
  }

  absl::Status CountContext(std::vector<Counts>& counts) const {
    return EachFeature(context_, [&]<typename T>(Type<T>, size_t i) {
      for (size_t e = 0; e < serialized_.size(); ++e) {
        const int64_t n = ReadPiece<T>(context_.of(i)[e], nullptr, 0);
        if (n < 0) {
          return InvalidArgument("Name: ", NameOf(e), ", Context feature: ", context_.key(i),
                                 ".  Data types don't match. Expected type: ", kDTypeOf<T>);
        }
        counts[i].Add(n);
      }
      return absl::OkStatus();
    });
  }

  absl::Status CountLists(std::vector<Counts>& counts) const {
    return EachFeature(lists_, [&]<typename T>(Type<T>, size_t i) {
      for (size_t e = 0; e < serialized_.size(); ++e) {
        int64_t values = 0, rows = 0, n = 0;
        for (WireReader in(lists_.of(i)[e]); !in.AtEnd(); ++rows) {
          const RowError error = ReadRow<T>(in, nullptr, 0, &n);
          if (error != RowError::kNone) return BadRow(error, i, e, rows);
          values += n;
          counts[i].widest_row = std::max(counts[i].widest_row, n);
        }
        counts[i].Add(values, rows);
      }
      return absl::OkStatus();
    });
  }

  absl::Status BadRow(RowError error, size_t list, size_t example, int64_t row) const {
    if (error == RowError::kMalformed) {
      return InvalidArgument("Error in sequence feature ", lists_.key(list), " in example ",
                             NameOf(example));
    }
    return InvalidArgument("Name: ", NameOf(example), ", Feature list: ", lists_.key(list),
                           ", Index: ", row,
                           ".  Data types don't match. Expected type: ", lists_.dtype(list));
  }

  template <typename T>
  absl::Status ContextDense(size_t i, const Counts& counts) {
    const DenseFeature& f = features_.context.dense[i];
    const int64_t size = f.row.num_elements();
    const int64_t most = std::max(counts.most, f.default_value.num_elements());
    if (most != size) {
      return InvalidArgument("Inconsistent max number of elements for feature ", f.key,
                             ": expected ", size, ", but found ", most);
    }
    SLUICE_ASSIGN(Tensor out, Make(f.dtype, Batched(f.row.dims())));
    T* to = out.mutable_data<T>();
    for (size_t e = 0; e < serialized_.size(); ++e, to += size) {
      const Piece piece = context_.of(i)[e];
      if (piece.data() == nullptr) {
        if (f.default_value.num_elements() == 0) {
          return InvalidArgument("Feature: ", f.key, " (data type: ", f.dtype,
                                 ") is required but could not be found.");
        }
        std::copy_n(f.default_value.data<T>(), size, to);
      } else if (ReadPiece<T>(piece, to, size) != size) {
        return InvalidArgument("Unexpected number of elements in example ", NameOf(e));
      }
    }
    result_.context.dense.push_back(std::move(out));
    return absl::OkStatus();
  }

  // The values of all examples, one after the other.
  template <typename T>
  absl::StatusOr<Tensor> ContextValues(size_t i, const Counts& counts) const {
    SLUICE_ASSIGN(Tensor values, Make(kDTypeOf<T>, {counts.total}));
    T* to = values.mutable_data<T>();
    for (size_t e = 0; e < serialized_.size(); ++e) {
      to += ReadPiece<T>(context_.of(i)[e], to, counts.values[e]);
    }
    return values;
  }

  template <typename T>
  absl::Status ContextSparse(size_t i, const Counts& counts) {
    const int64_t rank = batch_ ? 2 : 1;
    SLUICE_ASSIGN(Tensor values, ContextValues<T>(i, counts));
    SLUICE_ASSIGN(Tensor indices, Make(kInt64, {counts.total, rank}));
    SLUICE_ASSIGN(Tensor shape, Make(kInt64, {rank}));
    int64_t* index = indices.mutable_data<int64_t>();
    for (int64_t e = 0; e < examples_; ++e) {
      for (int64_t j = 0; j < counts.values[e]; ++j) {
        if (batch_) *index++ = e;
        *index++ = j;
      }
    }
    shape.mutable_data<int64_t>()[0] = examples_;
    shape.mutable_data<int64_t>()[rank - 1] = counts.most;
    result_.context.sparse_indices.push_back(std::move(indices));
    result_.context.sparse_values.push_back(std::move(values));
    result_.context.sparse_shapes.push_back(std::move(shape));
    return absl::OkStatus();
  }

  template <typename T>
  absl::Status ContextRagged(size_t i, const Counts& counts) {
    const DType dtype = features_.context.ragged[i - context_.ragged_begin()].splits;
    SLUICE_ASSIGN(Tensor values, ContextValues<T>(i, counts));
    SLUICE_ASSIGN(Tensor splits, OuterSplits(dtype, counts.values));
    result_.context.ragged_values.push_back(std::move(values));
    result_.context.ragged_splits.push_back(std::move(splits));
    return absl::OkStatus();
  }

  // Where the parts of these sizes begin, and the last one ends.
  absl::StatusOr<Tensor> SplitsFrom(DType dtype, absl::Span<const int64_t> sizes) const {
    SLUICE_ASSIGN(Tensor splits, Make(dtype, {static_cast<int64_t>(sizes.size()) + 1}));
    SLUICE_RETURN_IF_ERROR(VisitDType(IndexTypes{}, dtype, [&]<typename S>(Type<S>) {
      S* to = splits.mutable_data<S>();
      int64_t sum = 0;
      *to++ = 0;
      for (const int64_t size : sizes) *to++ = static_cast<S>(sum += size);
      return absl::OkStatus();
    }));
    return splits;
  }
  // Without a batch, a scalar that has no meaning.
  absl::StatusOr<Tensor> OuterSplits(DType dtype, absl::Span<const int64_t> sizes) const {
    if (batch_) return SplitsFrom(dtype, sizes);
    SLUICE_ASSIGN(const Tensor zero, SplitsFrom(dtype, {}));
    return zero.Reshaped(Shape{});
  }

  template <typename T>
  absl::Status ListDense(size_t i, const Counts& counts) {
    const DenseFeature& f = features_.lists.dense[i];
    const int64_t size = f.row.num_elements();
    if (size == 0 || counts.most % size != 0) {
      return InvalidArgument("Feature list '", f.key,
                             "' has an unexpected number of values.  Total values size: ",
                             counts.most, " is not consistent with output shape: ", RowsOf(f.row));
    }
    Shape::Dims dims{counts.most / size};
    dims.insert(dims.end(), f.row.dims().begin(), f.row.dims().end());
    SLUICE_ASSIGN(Tensor out, Make(f.dtype, Batched(dims)));
    SLUICE_ASSIGN(Tensor lengths, Make(kInt64, Batched({})));
    T* to = out.mutable_data<T>();
    for (size_t e = 0; e < serialized_.size(); ++e, to += counts.most) {
      SLUICE_RETURN_IF_ERROR(DenseRows<T>(f, i, e, to));
      std::fill(to + counts.values[e], to + counts.most, T());
      lengths.mutable_data<int64_t>()[e] = counts.rows[e];
    }
    result_.lists.dense.push_back(std::move(out));
    result_.list_lengths.push_back(std::move(lengths));
    return absl::OkStatus();
  }

  // The shape of any number of such rows.
  static std::string RowsOf(const Shape& row) {
    std::string text = row.ToString();
    return row.rank() == 0 ? "[?]" : text.insert(1, "?,");
  }

  template <typename T>
  absl::Status DenseRows(const DenseFeature& f, size_t i, size_t e, T* to) const {
    const Piece piece = lists_.of(i)[e];
    if (piece.data() == nullptr && !f.variable_length) {
      return InvalidArgument("Name: ", NameOf(e), ", Feature list '", f.key,
                             "' is required but could not be found.  Did you mean to include it "
                             "in feature_list_dense_missing_assumed_empty or "
                             "feature_list_dense_defaults?");
    }
    const int64_t size = f.row.num_elements();
    int64_t row = 0, n = 0;
    for (WireReader in(piece); !in.AtEnd(); ++row, to += size) {
      ReadRow<T>(in, to, size, &n);
      if (n == size) continue;
      return InvalidArgument("Name: ", NameOf(e), ", Key: ", f.key, ", Index: ", row,
                             ".  Number of values != expected.  values size: ", n,
                             " but output shape: ", f.row);
    }
    return absl::OkStatus();
  }

  template <typename T>
  absl::Status ListSparse(size_t i, const Counts& counts) {
    const int64_t rank = batch_ ? 3 : 2;
    SLUICE_ASSIGN(Tensor values, Make(kDTypeOf<T>, {counts.total}));
    SLUICE_ASSIGN(Tensor indices, Make(kInt64, {counts.total, rank}));
    SLUICE_ASSIGN(Tensor shape, Make(kInt64, {rank}));
    T* to = values.mutable_data<T>();
    int64_t* index = indices.mutable_data<int64_t>();
    for (int64_t e = 0; e < examples_; ++e) {
      int64_t left = counts.values[e], row = 0, n = 0;
      for (WireReader in(lists_.of(i)[e]); !in.AtEnd(); ++row) {
        ReadRow<T>(in, to, left, &n);
        to += n;
        left -= n;
        for (int64_t j = 0; j < n; ++j) {
          if (batch_) *index++ = e;
          *index++ = row;
          *index++ = j;
        }
      }
    }
    int64_t* dims = shape.mutable_data<int64_t>();
    if (batch_) *dims++ = examples_;
    *dims++ = counts.most_rows;
    *dims++ = counts.widest_row;
    result_.lists.sparse_indices.push_back(std::move(indices));
    result_.lists.sparse_values.push_back(std::move(values));
    result_.lists.sparse_shapes.push_back(std::move(shape));
    return absl::OkStatus();
  }

  template <typename T>
  absl::Status ListRagged(size_t i, const Counts& counts) {
    const DType dtype = features_.lists.ragged[i - lists_.ragged_begin()].splits;
    SLUICE_ASSIGN(Tensor values, Make(kDTypeOf<T>, {counts.total}));
    std::vector<int64_t> row_sizes;
    row_sizes.reserve(counts.total_rows);
    T* to = values.mutable_data<T>();
    for (int64_t e = 0; e < examples_; ++e) {
      int64_t left = counts.values[e], n = 0;
      for (WireReader in(lists_.of(i)[e]); !in.AtEnd();) {
        ReadRow<T>(in, to, left, &n);
        to += n;
        left -= n;
        row_sizes.push_back(n);
      }
    }
    SLUICE_ASSIGN(Tensor inner, SplitsFrom(dtype, row_sizes));
    SLUICE_ASSIGN(Tensor outer, OuterSplits(dtype, counts.rows));
    result_.lists.ragged_values.push_back(std::move(values));
    result_.lists.ragged_splits.push_back(std::move(inner));
    result_.list_outer_splits.push_back(std::move(outer));
    return absl::OkStatus();
  }

  const SequenceFeatures& features_;
  const absl::Span<const std::string> serialized_;
  const absl::Span<const std::string> names_;
  const bool batch_;
  const Tensor::Making make_;
  const int64_t examples_;
  Pieces context_, lists_;
  ParsedSequences result_;
};

}  // namespace

absl::StatusOr<ParsedSequences> ParseSequences(const SequenceFeatures& features,
                                               absl::Span<const std::string> serialized,
                                               absl::Span<const std::string> names, bool batch,
                                               Tensor::Making make) {
  return SequenceParser(features, serialized, names, batch, make).Run();
}

}  // namespace sluice::kernels
