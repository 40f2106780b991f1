// SPDX-License-Identifier: Apache-2.0
// The ops on tables, with handles of both kinds.
#include <algorithm>

#include "core/runtime/kernel_registry.h"
#include "core/threads/blocking_threads.h"
#include "kernels/any/data_flow/signature_text.h"
#include "kernels/any/lookup/pair_sources.h"
#include "kernels/any/lookup/register.h"
#include "kernels/any/lookup/table.h"
#include "kernels/common/dataset/run_in_step.h"
#include "kernels/common/resource_handle.h"

namespace sluice::kernels {
namespace {

// The table in input 0, for a node with keys and values of the table's dtypes.
absl::StatusOr<RefPtr<Table>> TableFor(KernelContext& ctx) {
  SLUICE_ASSIGN(RefPtr<Table> table, ResourceOf<Table>(ctx, 0));
  const PairType& type = table->type();
  std::vector<DType> inputs, outputs;
  if (ctx.num_inputs() > 1) inputs.push_back(type.key);
  if (ctx.num_inputs() > 2) inputs.push_back(type.value);
  if (ctx.num_outputs() > 1) outputs.push_back(type.key);
  if (ctx.num_outputs() > 0) outputs.push_back(type.value);
  SLUICE_RETURN_IF_ERROR(CheckSignature(ctx, inputs, outputs, *table));
  return table;
}

// The table in input 0, if it is of a kind that is initialised.
absl::StatusOr<RefPtr<Table>> InitializableTable(KernelContext& ctx) {
  SLUICE_ASSIGN(RefPtr<Table> table, ResourceOf<Table>(ctx, 0));
  if (table->initializable()) return table;
  return InvalidArgument("Table ", *table, " is not initializable");
}

// table_handle, keys, default_value.
struct Find {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const RefPtr<Table> table, TableFor(ctx));
    return table->Find(ctx, ctx.input(1), ctx.input(2));
  }
};

struct Size {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const RefPtr<Table> table, ResourceOf<Table>(ctx, 0));
    ctx.SetOutput(0, Tensor::Scalar<int64_t>(table->size()));
    return absl::OkStatus();
  }
};

// table_handle, keys, values.
struct Insert {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const RefPtr<Table> table, TableFor(ctx));
    return table->Insert(ctx.input(1), ctx.input(2));
  }
};

// table_handle, keys.
struct Remove {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const RefPtr<Table> table, TableFor(ctx));
    return table->Remove(ctx.input(1));
  }
};

struct Export {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const RefPtr<Table> table, TableFor(ctx));
    return table->Export(ctx);
  }
};

// table_handle, keys, values.
struct Import {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const RefPtr<Table> table, TableFor(ctx));
    return table->Import(ctx.input(1), ctx.input(2));
  }
};

// table_handle, keys, values.
struct Initialize {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const RefPtr<Table> table, InitializableTable(ctx));
    SLUICE_RETURN_IF_ERROR(TableFor(ctx).status());
    const Tensor &keys = ctx.input(1), &values = ctx.input(2);
    if (keys.rank() != 1)
      return InvalidArgument("Keys must be a vector, but received shape", keys.shape());
    if (values.rank() != 1)
      return InvalidArgument("Values must be a vector, but received shape", values.shape());
    if (keys.num_elements() != values.num_elements()) {
      return InvalidArgument("Keys and values must have the same size ", keys.num_elements(),
                             " vs ", values.num_elements());
    }
    SLUICE_ASSIGN(const auto pairs, PairsOfTensors(keys, values));
    return table->Initialize(*pairs);
  }
};

// table_handle, filename.
struct InitializeFromTextFile {
  TextFormat format;

  static absl::StatusOr<InitializeFromTextFile> Create(const NodeSpec& node) {
    TextFormat format;
    SLUICE_ASSIGN(format.key_column, node.Get<int64_t>("key_index"));
    SLUICE_ASSIGN(format.value_column, node.Get<int64_t>("value_index"));
    SLUICE_ASSIGN(format.lines, node.Get<int64_t>("vocab_size"));
    SLUICE_ASSIGN(const std::string delimiter, node.Get<std::string>("delimiter"));
    if (delimiter.size() != 1) return InvalidArgument("delimiter should be only 1 char");
    format.delimiter = delimiter[0];
    format.offset = GetAttrOr<int64_t>(node.attrs, "offset", 0);
    return InitializeFromTextFile{format};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const RefPtr<Table> table, InitializableTable(ctx));
    const Tensor& name = ctx.input(1);
    if (name.rank() != 0)
      return InvalidArgument("filename should be a single string, but got ", name.shape());
    const std::string& path = name.scalar<std::string>();
    if (path.empty()) return InvalidArgument("filename cannot be empty.");
    SLUICE_ASSIGN(const auto pairs, PairsOfTextFile(path, format, table->type()));
    // As in TensorFlow, the name of a shared table says which file it is from.
    if (table->initialized()) return absl::OkStatus();
    const absl::Status status = table->Initialize(*pairs);
    return absl::IsFailedPrecondition(status) && table->initialized() ? absl::OkStatus() : status;
  }
};

// The elements of a data set, each a key and a value.
class PairsOfDataSet final : public PairSource {
 public:
  PairsOfDataSet(const DataSet& set, std::unique_ptr<Stage> stage)
      : set_(set), stage_(std::move(stage)) {}
  absl::StatusOr<bool> Next() override { return stage_->Next(pair_); }
  const Tensor& keys() const override { return pair_[0]; }
  const Tensor& values() const override { return pair_[1]; }
  int64_t size() const override { return std::max<int64_t>(set_.Cardinality(), 0); }

 private:
  const DataSet& set_;
  const std::unique_ptr<Stage> stage_;
  Element pair_;
};

// table_handle, dataset.
struct InitializeFromDataSet {
  absl::Status RunThrough(KernelContext& ctx) const {
    SLUICE_ASSIGN(const RefPtr<Table> table, InitializableTable(ctx));
    SLUICE_ASSIGN(const RefPtr<const DataSet> set, DataSetInput(ctx, 1));
    if (set->spec().types != std::vector<DType>{table->type().key, table->type().value}) {
      return InvalidArgument("Expected a dataset of pairs of ", table->type().key, " and ",
                             table->type().value, " for the table");
    }
    if (table->initialized()) return absl::OkStatus();
    const RunInStep run(ctx);
    SLUICE_ASSIGN(std::unique_ptr<Stage> stage, set->Begin(run.running));
    PairsOfDataSet pairs(*set, std::move(stage));
    return table->Initialize(pairs);
  }
  void Start(KernelContext& ctx, Done done) const {
    RunBlocking([this, &ctx, done = std::move(done)]() mutable { done(RunThrough(ctx)); });
  }
};

}  // namespace

void RegisterTableOps(KernelRegistry& kernels) {
  for (const char* version : {"", "V2"}) {
    const auto op = [&](absl::string_view name) { return absl::StrCat(name, version); };
    kernels.Add<Find>(op("LookupTableFind"), kCpu);
    kernels.Add<Size>(op("LookupTableSize"), kCpu, {}, kCheap);
    kernels.Add<Insert>(op("LookupTableInsert"), kCpu);
    kernels.Add<Export>(op("LookupTableExport"), kCpu);
    kernels.Add<Import>(op("LookupTableImport"), kCpu);
    kernels.Add<Initialize>(op("InitializeTable"), kCpu);
    kernels.Add<InitializeFromTextFile>(op("InitializeTableFromTextFile"), kCpu);
  }
  kernels.Add<Remove>("LookupTableRemoveV2", kCpu);
  kernels.Add<InitializeFromDataSet>("InitializeTableFromDataset", kCpu);
}

}  // namespace sluice::kernels
