// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_DATASET_CAPTURED_FUNCTION_H_
#define SLUICE_KERNELS_COMMON_DATASET_CAPTURED_FUNCTION_H_

#include <memory>
#include <string>
#include <vector>

#include "kernels/common/dataset/data_set.h"

namespace sluice::proto {
class FunctionDefLibrary;
}  // namespace sluice::proto

namespace sluice::kernels {

// A function attribute of a data set's node with the tensors that the function captures: those of
// the argument `captures`.
struct FunctionAttr {
  FunctionRef function;
  NodeSpec::Range captures;
  std::string device;

  static absl::StatusOr<FunctionAttr> Create(const NodeSpec& node, absl::string_view attr = "f",
                                             absl::string_view captures = "other_arguments");
};

// A function of a data set, with the values of the captured tensors when the data set was made.
//
// Owner:    its data set.
// Threads:  immutable.
struct CapturedFunction {
  std::shared_ptr<const Function> function;
  std::string name;
  // Of the graph; null if it has none.
  std::shared_ptr<const proto::FunctionDefLibrary> definitions;
  std::vector<Tensor> captured;

  // Waits until the function is compiled.
  static absl::StatusOr<CapturedFunction> Create(KernelContext& ctx, const FunctionAttr& attr);
  // INVALID_ARGUMENT unless it returns these types.
  absl::Status CheckResults(const std::vector<DType>& wanted) const;
};

// What a stage gives if its function failed: an OUT_OF_RANGE ends the data set. If the number of
// elements is to be that of the input, it is an error.
absl::StatusOr<bool> EndOrError(const absl::Status& failure, bool keeps_count);

// The calls of a stage.
//
// Threads:  any number of calls at once.
class StageFunction {
 public:
  static absl::StatusOr<StageFunction> Create(const CapturedFunction& function,
                                              const Running& running);

  // `done` runs once, perhaps before Start returns.
  void Start(Element args, Function::Results done) const;
  // Waits for the results.
  absl::StatusOr<Element> Call(Element args) const;
  // Replaces the element by the results. False if the data set ends with it; see EndOrError.
  absl::StatusOr<bool> Apply(Element& element, bool keeps_count) const;
  // Waits, for a function that returns one scalar of a bool or an int64.
  template <typename T>
  absl::StatusOr<T> CallForScalar(Element args, absl::string_view what) const {
    SLUICE_ASSIGN(const Element results, Call(std::move(args)));
    if (results.size() != 1 || results[0].dtype() != kDTypeOf<T> || results[0].num_elements() != 1)
      return InvalidArgument(what, " must return a scalar ", kDTypeOf<T>, ".");
    return results[0].flat<T>()[0];
  }

 private:
  std::shared_ptr<const Function> function_;
  const std::vector<Tensor>* captured_ = nullptr;
  CancelToken* cancel_ = nullptr;
  CallLimit* limit_ = nullptr;  // null: none
  WorkQueue* pool_ = nullptr;   // null: the device's

  // The times of calls, for statistics.
  struct CallTimes;
  std::shared_ptr<CallTimes> times_;  // null: none
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_DATASET_CAPTURED_FUNCTION_H_
