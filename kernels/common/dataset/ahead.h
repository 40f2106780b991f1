// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_DATASET_AHEAD_H_
#define SLUICE_KERNELS_COMMON_DATASET_AHEAD_H_

#include <memory>
#include <utility>

#include "kernels/common/dataset/data_set.h"

namespace sluice::kernels {

// What a worker of a stage does for one element: it takes the input of the element, in order, and
// makes the element of it, while other workers do the same.
//
// Threads:  Take one at a time, Make any number at once.
class Work {
 public:
  explicit Work(std::unique_ptr<Stage> input) : input_(std::move(input)) {}
  virtual ~Work() = default;
  // False at the end of the input.
  absl::StatusOr<bool> Take(Element& input) { return input_->Next(input); }
  absl::Status SaveOrRestore(SavedState& state) { return input_->SaveOrRestore(state); }
  // False if the data set ends here.
  virtual absl::StatusOr<bool> Make(Element& element) const {
    (void)element;
    return true;
  }

 private:
  const std::unique_ptr<Stage> input_;
};

// The order of elements that are made at once: that of the input, any, or as an option of the data
// set says.
enum class Order { kInput, kAny, kByOption };
// As the attribute sloppy or deterministic of a node says.
Order OrderOf(const NodeSpec& node);
bool IsAnyOrder(Order order, const Running& running);

// The record that a stage keeps for statistics, if the run has any.
enum class AheadStats {
  kNone,
  kBuffer,  // how many elements are made when one is taken
  kCalls,   // which part of the workers makes elements
};

struct AheadOptions {
  int64_t workers = 1;    // at most so many at a time
  int64_t elements = 1;   // at most so many are made or being made
  bool autotune = false;  // `elements` grows within the budget while the consumer finds none
  // As many workers and elements as the run's budget has cores, if it has one, and memory.
  bool all_cpus = false;
  Order order = Order::kInput;
  AheadStats stats = AheadStats::kNone;
};

// A stage whose elements are made before they are asked for, on threads of its own. They begin with
// the first call of Next, and end with the stage.
std::unique_ptr<Stage> WorkAhead(std::unique_ptr<Work> work, const AheadOptions& options,
                                 const Running& running);
// The elements of `input`, made ahead.
std::unique_ptr<Stage> PrefetchOf(std::unique_ptr<Stage> input, int64_t elements, bool autotune,
                                  const Running& running, AheadStats stats = AheadStats::kNone);

int64_t NumCores();  // that this process may use, at least 1
// The number of calls at a time, which is the number of cores for -1. INVALID_ARGUMENT unless it is
// positive.
absl::StatusOr<int64_t> CallsInput(const KernelContext& ctx, int i);
bool IsAutotuned(const KernelContext& ctx, int i);  // the number of calls is -1

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_DATASET_AHEAD_H_
