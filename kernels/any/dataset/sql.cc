// SPDX-License-Identifier: Apache-2.0
// SqlDataset: the rows of a query to an SQLite database.
#include <sqlite3.h>

#include "absl/algorithm/container.h"
#include "absl/strings/strip.h"
#include "core/io/file_policy.h"
#include "core/io/file_system.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/any/dataset/register.h"
#include "kernels/common/dataset/data_set.h"

namespace sluice::kernels {
namespace {

constexpr DType kColumnTypes[] = {kString, kInt8,   kInt16, kInt32, kInt64,
                                  kUint8,  kUint16, kBool,  kDouble};

absl::StatusCode CodeOf(int result) {
  switch (result & 0xff) {
    case SQLITE_ABORT:
      return absl::StatusCode::kAborted;
    case SQLITE_READONLY:
    case SQLITE_MISMATCH:
      return absl::StatusCode::kFailedPrecondition;
    case SQLITE_MISUSE:
    case SQLITE_INTERNAL:
      return absl::StatusCode::kInternal;
    case SQLITE_RANGE:
      return absl::StatusCode::kOutOfRange;
    case SQLITE_CANTOPEN:
    case SQLITE_CONSTRAINT:
    case SQLITE_NOTFOUND:
    case SQLITE_NOTADB:
      return absl::StatusCode::kInvalidArgument;
    case SQLITE_CORRUPT:
      return absl::StatusCode::kDataLoss;
    case SQLITE_AUTH:
    case SQLITE_PERM:
      return absl::StatusCode::kPermissionDenied;
    case SQLITE_FULL:
    case SQLITE_TOOBIG:
    case SQLITE_NOLFS:
      return absl::StatusCode::kResourceExhausted;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL:
    case SQLITE_NOMEM:
      return absl::StatusCode::kUnavailable;
    case SQLITE_INTERRUPT:
      return absl::StatusCode::kCancelled;
    default:
      return absl::StatusCode::kUnknown;
  }
}

// A query that is being read. The database is read only.
//
// Threads:  one at a time.
class Query {
 public:
  // `cancel` ends a step of the query that takes long, and outlives it.
  static absl::StatusOr<std::unique_ptr<Query>> Open(const std::string& path,
                                                     const std::string& text, size_t columns,
                                                     const CancelToken& cancel) {
    std::string file = path;
    if (!SchemeOf(path).empty()) {
      SLUICE_RETURN_IF_ERROR(FileSystemOf(path).status());
      if (SchemeOf(path) != "file")
        return Unimplemented("SQLite reads databases on this machine only (file: '", path, "')");
      file = std::string(absl::StripPrefix(path, "file://"));
    }
    SLUICE_RETURN_IF_ERROR(CheckFileAccess(file, FileAccess::kRead));
    auto query = std::unique_ptr<Query>(new Query);
    int result = sqlite3_open_v2(file.c_str(), &query->database_, SQLITE_OPEN_READONLY, nullptr);
    if (result != SQLITE_OK) {
      return MakeStatus(CodeOf(result), "Sqlite::Open(", file,
                        ") failed: ", sqlite3_errstr(result));
    }
    sqlite3_extended_result_codes(query->database_, 1);
    // A row of a damaged page may reach over the end of the page.
    sqlite3_exec(query->database_, "PRAGMA cell_size_check = ON", nullptr, nullptr, nullptr);
    sqlite3_progress_handler(
        query->database_, kStepsPerCheck,
        [](void* token) -> int { return static_cast<const CancelToken*>(token)->cancelled(); },
        const_cast<CancelToken*>(&cancel));
    result = sqlite3_prepare_v2(query->database_, text.data(), static_cast<int>(text.size()),
                                &query->statement_, nullptr);
    if (result != SQLITE_OK) {
      return MakeStatus(CodeOf(result), "Prepare() failed: [", result, "] ",
                        sqlite3_errmsg(query->database_), ": ", text);
    }
    const int found = sqlite3_column_count(query->statement_);
    if (found != static_cast<int>(columns)) {
      return InvalidArgument("The number of columns in query (", found,
                             ") must match the number of elements in output_types (", columns,
                             ").");
    }
    return query;
  }
  ~Query() {
    sqlite3_finalize(statement_);
    sqlite3_close(database_);
  }
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  // Moves to the next row. False at the end.
  absl::StatusOr<bool> Step() {
    if (statement_ == nullptr) return false;  // a text without a statement
    const int result = sqlite3_step(statement_);
    if (result == SQLITE_ROW || result == SQLITE_DONE) return result == SQLITE_ROW;
    return MakeStatus(CodeOf(result), "Step() failed: [", result, "] ", sqlite3_errmsg(database_),
                      ": ", sqlite3_sql(statement_));
  }
  // A value of the current row, as SQLite converts it.
  Tensor Value(int column, DType dtype) const {
    switch (dtype) {
      case kString: {
        const void* bytes = sqlite3_column_blob(statement_, column);
        const auto size = static_cast<size_t>(sqlite3_column_bytes(statement_, column));
        return Tensor::Scalar<std::string>(
            bytes == nullptr ? std::string() : std::string(static_cast<const char*>(bytes), size));
      }
      case kDouble:
        return Tensor::Scalar<double>(sqlite3_column_double(statement_, column));
      case kBool:
        return Tensor::Scalar<bool>(Integer(column) != 0);
      case kInt8:
        return Tensor::Scalar<int8_t>(static_cast<int8_t>(Integer(column)));
      case kInt16:
        return Tensor::Scalar<int16_t>(static_cast<int16_t>(Integer(column)));
      case kInt32:
        return Tensor::Scalar<int32_t>(static_cast<int32_t>(Integer(column)));
      case kUint8:
        return Tensor::Scalar<uint8_t>(static_cast<uint8_t>(Integer(column)));
      case kUint16:
        return Tensor::Scalar<uint16_t>(static_cast<uint16_t>(Integer(column)));
      default:
        return Tensor::Scalar<int64_t>(Integer(column));
    }
  }

 private:
  static constexpr int kStepsPerCheck = 10000;  // of SQLite's machine: well below 1 ms

  Query() = default;
  int64_t Integer(int column) const { return sqlite3_column_int64(statement_, column); }

  sqlite3* database_ = nullptr;
  sqlite3_stmt* statement_ = nullptr;
};

// The rows of a query. State: how many were given.
class Rows final : public DataSet {
 public:
  Rows(ElementSpec spec, std::string path, std::string text)
      : DataSet(std::move(spec)), path_(std::move(path)), text_(std::move(text)) {}
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    return std::make_unique<Run>(*this, running);
  }

 private:
  class Run final : public Stage {
   public:
    Run(const Rows& set, const Running& running) : set_(set), running_(running) {}
    absl::StatusOr<bool> Next(Element& element) override {
      if (ended_) return false;
      if (query_ == nullptr) SLUICE_RETURN_IF_ERROR(Open());
      SLUICE_ASSIGN(const bool more, query_->Step());
      if (!more) {
        ended_ = true;
        query_.reset();
        return false;
      }
      ++given_;
      element.clear();
      int column = 0;
      for (const DType dtype : set_.spec().types) element.push_back(query_->Value(column++, dtype));
      return true;
    }
    absl::Status SaveOrRestore(SavedState& state) override {
      SLUICE_RETURN_IF_ERROR(state.Fields("Sql", given_, ended_));
      if (!state.restoring() || ended_ || given_ == 0) return absl::OkStatus();
      SLUICE_RETURN_IF_ERROR(Open());
      for (int64_t i = 0; i < given_; ++i) {
        SLUICE_ASSIGN(const bool more, query_->Step());
        if (!more) {
          return DataLoss("the query gives ", i, " rows, but the saved state is behind row ",
                          given_);
        }
      }
      return absl::OkStatus();
    }

   private:
    absl::Status Open() {
      SLUICE_ASSIGN(
          query_, Query::Open(set_.path_, set_.text_, set_.spec().types.size(), running_.cancel()));
      return absl::OkStatus();
    }

    const Rows& set_;
    const Running running_;
    std::unique_ptr<Query> query_;  // null: not begun, or ended
    int64_t given_ = 0;
    bool ended_ = false;
  };
  const std::string path_, text_;
};

struct SqlDataset {
  ElementSpec spec;

  static absl::StatusOr<SqlDataset> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    for (const DType dtype : spec.types) {
      if (absl::c_linear_search(kColumnTypes, dtype)) continue;
      return InvalidArgument(
          "Each element of `output_types_` must be one of: DT_STRING, DT_INT8, DT_INT16, DT_INT32, "
          "DT_INT64, DT_UINT8, DT_UINT16, DT_BOOL, DT_DOUBLE ");
    }
    for (const PartialShape& shape : spec.shapes) {
      if (shape.CompatibleWith(Shape{})) continue;
      return InvalidArgument("Each element of `output_shapes_` must be a scalar.");
    }
    return SqlDataset{std::move(spec)};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const std::string driver, ScalarInput<std::string>(ctx, 0, "driver_name"));
    SLUICE_ASSIGN(std::string path, ScalarInput<std::string>(ctx, 1, "data_source_name"));
    SLUICE_ASSIGN(std::string text, ScalarInput<std::string>(ctx, 2, "query"));
    if (driver != "sqlite") {
      return InvalidArgument("The database type, ", driver,
                             ", is not supported by SqlDataset. The set of supported databases "
                             "is: {'sqlite'}.");
    }
    constexpr size_t kMostText = size_t{1} << 30;
    if (text.size() > kMostText) return InvalidArgument("the query has ", text.size(), " bytes");
    SetDataSet(ctx, MakeRefCounted<Rows>(spec, std::move(path), std::move(text)));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterSql(KernelRegistry& kernels) {
  for (auto op : {"SqlDataset", "ExperimentalSqlDataset"}) kernels.Add<SqlDataset>(op, kCpu);
}

}  // namespace sluice::kernels
