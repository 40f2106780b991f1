// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/parsing/example_parser.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "kernels/common/parsing/each_element.h"
#include "kernels/common/parsing/feature_values.h"

namespace sluice::kernels {
namespace {

struct Entry {
  absl::string_view key;
  absl::string_view feature;
};

// The fields of a map's entry, in any order.
bool ReadEntry(WireReader& in, Entry* entry) {
  const char* outer = nullptr;
  if (!in.Enter(&outer)) return false;
  for (int n = 0; n < 2; ++n) {
    uint32_t tag = 0;
    if (!in.Varint32(&tag)) return false;
    if (tag != WireReader::Delimited(1) && tag != WireReader::Delimited(2)) return false;
    if (!in.Bytes(tag == WireReader::Delimited(1) ? &entry->key : &entry->feature)) return false;
  }
  if (!in.AtEnd()) return false;
  in.Leave(outer);
  return true;
}

bool ReadExample(absl::string_view serialized, std::vector<Entry>* entries) {
  WireReader in(serialized);
  while (!in.AtEnd()) {
    if (!in.Take(WireReader::Delimited(1))) {
      if (!in.SkipField()) return false;
      continue;
    }
    const char* outer = nullptr;
    if (!in.Enter(&outer)) return false;
    while (!in.AtEnd()) {
      Entry entry;
      if (!in.Take(WireReader::Delimited(1)) || !ReadEntry(in, &entry)) return false;
      entries->push_back(entry);
    }
    in.Leave(outer);
  }
  return true;
}

// The values of one example for a feature whose count varies.
struct List {
  absl::string_view bytes;  // with their length; empty if there are none
  int64_t count = 0;
};

// What one thread keeps from example to example.
struct Scratch {
  std::vector<Entry> entries;
  // By position: the key there in the example before, and its feature. Writers mostly keep their
  // order, so a comparison saves the hash.
  std::vector<std::pair<absl::string_view, int>> expected;
  std::vector<int64_t> seen;  // by feature: the last example that has it
};

// Parses a batch. Features are numbered: dense ones, sparse ones, ragged ones.
class BatchParser {
 public:
  BatchParser(const ExampleFeatures& features, absl::Span<const std::string> serialized,
              absl::Span<const std::string> names, bool scalar, WorkQueue* pool,
              Tensor::Making make, std::vector<ExampleCounts>* counts = nullptr)
      : features_(features),
        serialized_(serialized),
        names_(names),
        scalar_(scalar),
        pool_(pool),
        make_(make),
        batch_(static_cast<int64_t>(serialized.size())),
        counts_(counts) {
    if (counts_ != nullptr) counts_->assign(serialized.size(), {});
  }

  absl::StatusOr<ParsedFeatures> Run() {
    SLUICE_RETURN_IF_ERROR(Index());
    SLUICE_RETURN_IF_ERROR(AllocateDense());
    SLUICE_RETURN_IF_ERROR(Scan());
    SLUICE_RETURN_IF_ERROR(AllocateLists());
    ParallelFor(pool_, batch_, CostOfExample(), [&](int64_t begin, int64_t end) {
      for (Listed& listed : listed_) CopyLists(listed, begin, end);
    });
    return std::move(result_);
  }

 private:
  // A feature of varying count, and where its values go.
  struct Listed {
    DType dtype = kInvalid;
    std::vector<List> lists;       // by example
    std::vector<int64_t> offsets;  // in `values`; of the values of an example
    Tensor* values = nullptr;
    int64_t* indices = nullptr;  // of sparse tensors
  };

  int sparse_begin() const { return static_cast<int>(features_.dense.size()); }
  int ragged_begin() const { return sparse_begin() + static_cast<int>(features_.sparse.size()); }
  int num_features() const { return ragged_begin() + static_cast<int>(features_.ragged.size()); }

  absl::Status Index() {
    listed_of_.assign(num_features(), -1);
    numbers_.reserve(num_features());
    listed_.reserve(num_features());
    dtypes_.reserve(num_features());
    int number = 0;
    for (const DenseFeature& f : features_.dense) {
      SLUICE_RETURN_IF_ERROR(Add(number++, f.key, f.dtype, f.variable_length));
    }
    for (const SparseFeature& f : features_.sparse) {
      SLUICE_RETURN_IF_ERROR(Add(number++, f.key, f.dtype, true));
    }
    for (const RaggedFeature& f : features_.ragged) {
      SLUICE_RETURN_IF_ERROR(Add(number++, f.key, f.dtype, true));
    }
    return absl::OkStatus();
  }

  absl::Status Add(int number, absl::string_view key, DType dtype, bool listed) {
    if (!SetOf(FeatureTypes{}).contains(dtype)) {
      return InvalidArgument("Invalid config dtype: ", dtype);
    }
    if (!numbers_.emplace(key, number).second) {
      return InvalidArgument("key \"", key, "\" is given twice");
    }
    dtypes_.push_back(dtype);
    if (!listed) return absl::OkStatus();
    listed_of_[number] = static_cast<int>(listed_.size());
    listed_.emplace_back();
    listed_.back().dtype = dtype;
    listed_.back().lists.resize(batch_);
    return absl::OkStatus();
  }

  Shape::Dims BatchDims() const { return scalar_ ? Shape::Dims{} : Shape::Dims{batch_}; }

  absl::StatusOr<Tensor> Make(DType dtype, const Shape::Dims& dims) const {
    SLUICE_ASSIGN(const Shape shape, Shape::Create(dims));
    return make_(dtype, shape);
  }

  absl::Status AllocateDense() {
    result_.dense.reserve(features_.dense.size());
    for (const DenseFeature& f : features_.dense) {
      result_.dense.emplace_back();
      if (f.variable_length) continue;
      Shape::Dims dims = BatchDims();
      dims.insert(dims.end(), f.row.dims().begin(), f.row.dims().end());
      SLUICE_ASSIGN(result_.dense.back(), Make(f.dtype, dims));
    }
    return absl::OkStatus();
  }

  // In ns.
  double CostOfExample() const {
    size_t bytes = 0;
    const size_t sample = std::min<size_t>(serialized_.size(), 16);
    for (size_t i = 0; i < sample; ++i) bytes += serialized_[i].size();
    const double mean = sample == 0 ? 0 : static_cast<double>(bytes) / static_cast<double>(sample);
    return 50 + 20.0 * num_features() + 0.5 * mean;
  }

  // Reads dense features, and finds and counts the values of the others.
  absl::Status Scan() {
    return EachElement(pool_, batch_, CostOfExample(), [&] {
      Scratch scratch;
      scratch.seen.assign(num_features(), -1);
      return [this, scratch = std::move(scratch)](int64_t e) mutable {
        return ScanExample(e, scratch);
      };
    });
  }

  absl::Status ScanExample(int64_t e, Scratch& scratch) {
    scratch.entries.clear();
    if (!ReadExample(serialized_[e], &scratch.entries)) {
      return InvalidArgument("Could not parse example input, value: '", serialized_[e], "'");
    }
    if (counts_ != nullptr) (*counts_)[e].features = static_cast<int64_t>(scratch.entries.size());
    scratch.expected.resize(std::max(scratch.expected.size(), scratch.entries.size()),
                            {absl::string_view(), -1});
    // The last of several entries with one key counts.
    for (size_t i = scratch.entries.size(); i-- > 0;) {
      const Entry& entry = scratch.entries[i];
      auto& [key, number] = scratch.expected[i];
      if (key.data() == nullptr || key != entry.key) {
        const auto found = numbers_.find(entry.key);
        key = entry.key;
        number = found == numbers_.end() ? -1 : found->second;
      }
      if (number >= 0) SLUICE_RETURN_IF_ERROR(ScanFeature(e, number, entry, scratch));
    }
    for (int number = 0; number < sparse_begin(); ++number) {
      if (scratch.seen[number] != e) SLUICE_RETURN_IF_ERROR(UseDefault(e, number));
    }
    return absl::OkStatus();
  }

  absl::Status ScanFeature(int64_t e, int number, const Entry& entry, Scratch& scratch) {
    DType dtype = kInvalid;
    if (!entry.feature.empty()) {
      dtype = FeatureDType(static_cast<uint8_t>(entry.feature[0]));
      if (dtype == kInvalid) return InvalidArgument("Unsupported datatype.");
    }
    const bool dense = number < sparse_begin();
    if (dtype == kInvalid && (dense || scalar_)) return absl::OkStatus();
    if (scratch.seen[number] == e) return absl::OkStatus();
    scratch.seen[number] = e;
    if (dtype == kInvalid) return absl::OkStatus();
    const DType wanted = dtypes_[number];
    if (dtype != wanted) {
      return dense ? Failure(e, entry.key, "Data types don't match. Data type: ", dtype,
                             " but expected type: ", wanted)
                   : Failure(e, entry.key, "Data types don't match. Expected type: ", wanted,
                             ", Actual type: ", dtype);
    }
    return VisitDType(FeatureTypes{}, dtype, [&]<typename T>(Type<T>) {
      const absl::string_view list = entry.feature.substr(1);
      return listed_of_[number] < 0 ? ReadDense<T>(e, number, entry.key, list)
                                    : CountList<T>(e, number, entry.key, list);
    });
  }

  template <typename T>
  absl::Status ReadDense(int64_t e, int number, absl::string_view key, absl::string_view list) {
    const int64_t size = features_.dense[number].row.num_elements();
    T* const to = result_.dense[number].mutable_data<T>();
    const int64_t count = ReadList<T>(list, to + e * size, size);
    if (count < 0 || (scalar_ && count != size)) return Unreadable(e, key);
    CountValues(e, count);
    if (count == size) return absl::OkStatus();
    return Failure(e, key, "Number of ", NameOfList<T>(),
                   " values != expected.  Values size: ", count,
                   " but output shape: ", features_.dense[number].shape);
  }

  template <typename T>
  absl::Status CountList(int64_t e, int number, absl::string_view key, absl::string_view list) {
    const int64_t count = ReadList<T>(list, nullptr, 0);
    if (count < 0) return Unreadable(e, key);
    if (number < sparse_begin() && count % features_.dense[number].row.num_elements() != 0) {
      if (scalar_) return Unreadable(e, key);
      return Failure(e, key, "Number of ", NameOfList<T>(),
                     " values is not a multiple of stride length. Saw ", count,
                     " values but output shape is: ", features_.dense[number].shape);
    }
    listed_[listed_of_[number]].lists[e] = {list, count};
    CountValues(e, count);
    return absl::OkStatus();
  }

  void CountValues(int64_t e, int64_t count) {
    if (counts_ != nullptr) (*counts_)[e].values += count;
  }

  template <typename T>
  static absl::string_view NameOfList() {
    if (std::is_same_v<T, std::string>) return "bytes";
    return std::is_same_v<T, float> ? "float" : "int64";
  }

  std::string NameOf(int64_t e) const { return names_.empty() ? "<unknown>" : names_[e]; }

  template <typename... What>
  absl::Status Failure(int64_t e, absl::string_view key, const What&... what) const {
    if (scalar_) return InvalidArgument("Key: ", key, ".  ", what...);
    return InvalidArgument("Name: ", NameOf(e), ", Key: ", key, ", Index: ", e, ".  ", what...);
  }
  absl::Status Unreadable(int64_t e, absl::string_view key) const {
    return Failure(e, key, "Can't parse serialized Example.");
  }

  // A dense feature that the example lacks.
  absl::Status UseDefault(int64_t e, int number) {
    const DenseFeature& f = features_.dense[number];
    if (f.variable_length) return absl::OkStatus();
    const int64_t size = f.row.num_elements();
    if (f.default_value.num_elements() == 0) {
      return InvalidArgument(scalar_ ? "" : Cat("Name: ", NameOf(e), ", "), "Feature: ", f.key,
                             " (data type: ", f.dtype, ") is required but could not be found.");
    }
    return VisitDType(FeatureTypes{}, f.dtype, [&]<typename T>(Type<T>) {
      T* const to = result_.dense[number].mutable_data<T>() + e * size;
      std::copy_n(f.default_value.data<T>(), size, to);
      return absl::OkStatus();
    });
  }

  absl::Status AllocateLists() {
    for (int number = 0; number < num_features(); ++number) {
      if (listed_of_[number] < 0) continue;
      Listed& listed = listed_[listed_of_[number]];
      int64_t total = 0, most = 0;
      listed.offsets.reserve(batch_);
      for (const List& list : listed.lists) {
        listed.offsets.push_back(total);
        total += list.count;
        most = std::max(most, list.count);
      }
      if (number < sparse_begin()) {
        SLUICE_RETURN_IF_ERROR(AllocateVariable(number, most, listed));
      } else if (number < ragged_begin()) {
        SLUICE_RETURN_IF_ERROR(AllocateSparse(total, most, listed));
      } else {
        const DType splits = features_.ragged[number - ragged_begin()].splits;
        SLUICE_RETURN_IF_ERROR(AllocateRagged(splits, total, listed));
      }
    }
    SetTargets();
    return absl::OkStatus();
  }

  // Shorter examples are padded.
  absl::Status AllocateVariable(int number, int64_t most, Listed& listed) {
    const DenseFeature& f = features_.dense[number];
    Shape::Dims dims = BatchDims();
    dims.push_back(most / f.row.num_elements());
    dims.insert(dims.end(), f.row.dims().begin(), f.row.dims().end());
    SLUICE_ASSIGN(result_.dense[number], Make(f.dtype, dims));
    for (int64_t e = 0; e < batch_; ++e) listed.offsets[e] = e * most;
    if (scalar_) return absl::OkStatus();
    return VisitDType(FeatureTypes{}, f.dtype, [&]<typename T>(Type<T>) {
      T* const to = result_.dense[number].mutable_data<T>();
      for (int64_t e = 0; e < batch_; ++e) {
        std::fill(to + e * most + listed.lists[e].count, to + (e + 1) * most,
                  f.default_value.scalar<T>());
      }
      return absl::OkStatus();
    });
  }

  absl::Status AllocateSparse(int64_t total, int64_t most, const Listed& listed) {
    const int64_t rank = scalar_ ? 1 : 2;
    SLUICE_ASSIGN(Tensor indices, Make(kInt64, {total, rank}));
    SLUICE_ASSIGN(Tensor values, Make(listed.dtype, {total}));
    SLUICE_ASSIGN(Tensor shape, Make(kInt64, {rank}));
    shape.mutable_data<int64_t>()[0] = batch_;
    shape.mutable_data<int64_t>()[rank - 1] = most;
    result_.sparse_indices.push_back(std::move(indices));
    result_.sparse_values.push_back(std::move(values));
    result_.sparse_shapes.push_back(std::move(shape));
    return absl::OkStatus();
  }

  absl::Status AllocateRagged(DType splits_dtype, int64_t total, const Listed& listed) {
    SLUICE_ASSIGN(Tensor values, Make(listed.dtype, {total}));
    SLUICE_ASSIGN(Tensor splits, Make(splits_dtype, {scalar_ ? 0 : batch_ + 1}));
    result_.ragged_values.push_back(std::move(values));
    result_.ragged_splits.push_back(splits);
    if (scalar_) return absl::OkStatus();
    return VisitDType(IndexTypes{}, splits_dtype, [&]<typename T>(Type<T>) {
      T* const to = splits.mutable_data<T>();
      std::copy(listed.offsets.begin(), listed.offsets.end(), to);
      to[batch_] = static_cast<T>(total);
      return absl::OkStatus();
    });
  }

  // After all tensors are in their vectors.
  void SetTargets() {
    for (int number = 0; number < num_features(); ++number) {
      if (listed_of_[number] < 0) continue;
      Listed& listed = listed_[listed_of_[number]];
      if (number < sparse_begin()) {
        listed.values = &result_.dense[number];
      } else if (number < ragged_begin()) {
        const int i = number - sparse_begin();
        listed.values = &result_.sparse_values[i];
        listed.indices = result_.sparse_indices[i].mutable_data<int64_t>();
      } else {
        listed.values = &result_.ragged_values[number - ragged_begin()];
      }
    }
  }

  void CopyLists(const Listed& listed, int64_t begin, int64_t end) const {
    if (listed.dtype == kFloat) CopyValues<float>(listed, begin, end);
    if (listed.dtype == kInt64) CopyValues<int64_t>(listed, begin, end);
    if (listed.dtype == kString) CopyValues<std::string>(listed, begin, end);
    if (listed.indices == nullptr) return;
    for (int64_t e = begin; e < end; ++e) {
      int64_t* to = listed.indices + listed.offsets[e] * (scalar_ ? 1 : 2);
      for (int64_t i = 0; i < listed.lists[e].count; ++i) {
        if (!scalar_) *to++ = e;
        *to++ = i;
      }
    }
  }

  template <typename T>
  static void CopyValues(const Listed& listed, int64_t begin, int64_t end) {
    T* const to = listed.values->mutable_data<T>();
    for (int64_t e = begin; e < end; ++e) {
      const List& list = listed.lists[e];
      if (list.count > 0) ReadList<T>(list.bytes, to + listed.offsets[e], list.count);
    }
  }

  const ExampleFeatures& features_;
  const absl::Span<const std::string> serialized_;
  const absl::Span<const std::string> names_;
  const bool scalar_;
  WorkQueue* const pool_;
  const Tensor::Making make_;
  const int64_t batch_;
  std::vector<ExampleCounts>* const counts_;             // null: not wanted
  absl::flat_hash_map<absl::string_view, int> numbers_;  // by key
  std::vector<DType> dtypes_;                            // by number
  std::vector<int> listed_of_;                           // by number; -1: a fixed count
  std::vector<Listed> listed_;
  ParsedFeatures result_;
};

}  // namespace

absl::Status SetShape(const PartialShape& shape, size_t index, DenseFeature* feature) {
  feature->shape = shape;
  const bool variable = shape.rank() > 0 && shape.dim(0) < 0;
  const auto inner = shape.dims().subspan(variable ? 1 : 0);
  const auto unknown = [](int64_t dim) { return dim < 0; };
  if (!shape.rank_known() || std::any_of(inner.begin(), inner.end(), unknown)) {
    return InvalidArgument("dense_shapes[", index,
                           "] has unknown rank or unknown inner dimensions: ", shape);
  }
  SLUICE_ASSIGN(feature->row, Shape::Create(inner));
  feature->variable_length = variable;
  if (!variable || feature->row.num_elements() > 0) return absl::OkStatus();
  return InvalidArgument("dense_shapes[", index, "] has rows without elements: ", shape);
}

absl::Status CheckDefault(const DenseFeature& feature, size_t index) {
  const Tensor& value = feature.default_value;
  if (feature.variable_length && value.num_elements() != 1) {
    return InvalidArgument("dense_shape[", index, "] is a variable length shape: ", feature.shape,
                           ", therefore def_value[", index,
                           "] must contain a single element (the padding element).  But its "
                           "shape is: ",
                           value.shape());
  }
  if (!feature.variable_length && value.num_elements() > 0 && value.shape() != feature.row) {
    return InvalidArgument("def_value[", index, "].shape() == ", value.shape(),
                           " is not compatible with dense_shapes_[", index, "] == ", feature.shape);
  }
  if (value.dtype() == feature.dtype) return absl::OkStatus();
  return InvalidArgument("dense_defaults[", index, "].dtype() == ", value.dtype(),
                         " != dense_types_[", index, "] == ", feature.dtype);
}

absl::StatusOr<ParsedFeatures> ParseExamples(const ExampleFeatures& features,
                                             absl::Span<const std::string> serialized,
                                             absl::Span<const std::string> names, WorkQueue* pool,
                                             Tensor::Making make,
                                             std::vector<ExampleCounts>* counts) {
  return BatchParser(features, serialized, names, false, pool, make, counts).Run();
}

absl::StatusOr<ParsedFeatures> ParseOneExample(const ExampleFeatures& features,
                                               const std::string& serialized, Tensor::Making make) {
  return BatchParser(features, absl::MakeConstSpan(&serialized, 1), {}, true, nullptr, make).Run();
}

}  // namespace sluice::kernels
