// SPDX-License-Identifier: Apache-2.0
// CTCBeamSearchDecoder: the most probable sequences of labels, by a prefix beam search: Graves,
// "Supervised Sequence Labelling with Recurrent Neural Networks", section 7.5.
#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "core/runtime/kernel_registry.h"
#include "core/threads/cancel_scope.h"
#include "kernels/common/parsing/each_element.h"
#include "kernels/cpu/nn/ctc_sequences.h"
#include "kernels/cpu/nn/log_sum_exp.h"
#include "kernels/cpu/nn/register.h"

namespace sluice::kernels {
namespace {

// The logarithms of a prefix's probabilities: of the paths that end with a blank, of those that end
// with its last label, and of both.
template <typename T>
struct PrefixProbability {
  T total = kLogZero<T>, blank = kLogZero<T>, label = kLogZero<T>;
};

template <typename T>
struct Prefix {
  Prefix* parent = nullptr;  // null: the empty prefix
  int32_t label = -1;
  PrefixProbability<T> before, now;  // after the last step, after this one
  std::vector<Prefix*> longer;       // by label; empty until the first one is made

  bool Active() const { return now.total != kLogZero<T>; }
};

// The `limit` most probable prefixes of those added. Among equal ones, TensorFlow's choice and
// order follow from how its standard library keeps heaps and sorts; this class makes the same calls.
//
// Threads:  one at a time.
template <typename T>
class BestPrefixes {
 public:
  explicit BestPrefixes(size_t limit) : limit_(limit) {}

  size_t size() const { return std::min(prefixes_.size(), limit_); }
  Prefix<T>* const* begin() const { return prefixes_.data(); }
  Prefix<T>* const* end() const { return prefixes_.data() + size(); }

  void Add(Prefix<T>* prefix) {
    if (order_ == Order::kHeap) {
      if (!Above(prefix, prefixes_.front())) return;
      prefixes_.back() = prefix;
      std::push_heap(prefixes_.begin(), prefixes_.end(), Above);
      std::pop_heap(prefixes_.begin(), prefixes_.end(), Above);
      return;
    }
    prefixes_.push_back(prefix);
    if (order_ == Order::kWorstFirst && !Above(prefix, prefixes_.front()))
      std::swap(prefixes_.front(), prefixes_.back());
    if (prefixes_.size() <= limit_) return;
    std::make_heap(prefixes_.begin(), prefixes_.end(), Above);
    std::pop_heap(prefixes_.begin(), prefixes_.end(), Above);
    order_ = Order::kHeap;
  }

  // REQUIRES: size() > 0.
  Prefix<T>* Worst() {
    if (order_ == Order::kNone) {
      size_t worst = 0;
      for (size_t i = 1; i < prefixes_.size(); ++i) {
        if (Above(prefixes_[worst], prefixes_[i])) worst = i;
      }
      if (worst != 0) std::swap(prefixes_[0], prefixes_[worst]);
      order_ = Order::kWorstFirst;
    }
    return prefixes_.front();
  }

  // All prefixes, the most probable one first. Then there are none.
  std::vector<Prefix<T>*> Take() {
    std::vector<Prefix<T>*> sorted = std::move(prefixes_);
    if (order_ == Order::kHeap) {
      sorted.pop_back();
      std::sort_heap(sorted.begin(), sorted.end(), Above);
    } else {
      std::sort(sorted.begin(), sorted.end(), Above);
    }
    prefixes_.clear();
    order_ = Order::kNone;
    return sorted;
  }

 private:
  // kHeap: the first `limit` elements are a heap, with the worst at the front; the last element is
  // one that was dropped.
  enum class Order { kNone, kWorstFirst, kHeap };

  // NaN is below all numbers.
  static bool Above(const Prefix<T>* a, const Prefix<T>* b) {
    const T x = a->now.total, y = b->now.total;
    return x > y || (y != y && x == x);
  }

  size_t limit_;
  Order order_ = Order::kNone;
  std::vector<Prefix<T>*> prefixes_;
};

// The search over one sequence. The last class is the blank.
//
// Threads:  one at a time.
template <typename T>
class PrefixSearch {
 public:
  PrefixSearch(int64_t classes, int64_t width)
      : classes_(classes), width_(static_cast<size_t>(width)), beam_(width_) {
    root_.now.total = root_.now.blank = 0;
    beam_.Add(&root_);
  }

  // Extends the prefixes by one step with these scores.
  void Step(const T* scores) {
    const T highest = *std::max_element(scores, scores + classes_);
    T sum = 0;
    for (int64_t c = 0; c < classes_; ++c) sum += std::exp(scores[c] - highest);
    const T norm = highest + std::log(sum);
    const std::vector<Prefix<T>*> prefixes = beam_.Take();
    for (Prefix<T>* prefix : prefixes) prefix->before = prefix->now;
    for (Prefix<T>* prefix : prefixes) {
      Keep(*prefix, scores, norm);
      beam_.Add(prefix);
    }
    for (Prefix<T>* prefix : prefixes) {
      ThrowIfCancelled();
      if (Fits(prefix->before.total)) Extend(*prefix, scores, norm);
    }
  }

  // REQUIRES: count <= width.
  absl::Status Best(int64_t count, bool merge_repeated, CtcLabels& labels, T* log_probability) {
    if (static_cast<size_t>(count) > beam_.size())
      return InvalidArgument("Less leaves in the beam search than requested.");
    BestPrefixes<T> best(static_cast<size_t>(count));
    for (Prefix<T>* prefix : beam_) best.Add(prefix);
    for (const Prefix<T>* prefix : best.Take()) {
      *log_probability++ = prefix->now.total;
      std::vector<int32_t>& path = labels.emplace_back();
      for (int32_t later = -1; prefix->parent != nullptr; prefix = prefix->parent) {
        if (!merge_repeated || prefix->label != later) path.push_back(prefix->label);
        later = prefix->label;
      }
      std::reverse(path.begin(), path.end());
    }
    return absl::OkStatus();
  }

 private:
  // The prefix does not become longer: its last label again, or a blank.
  void Keep(Prefix<T>& prefix, const T* scores, T norm) {
    PrefixProbability<T>& now = prefix.now;
    if (const Prefix<T>* parent = prefix.parent; parent != nullptr) {
      if (parent->Active()) {
        const bool doubled = prefix.label == parent->label;
        now.label = LogSumExp(now.label, doubled ? parent->before.blank : parent->before.total);
      }
      now.label += scores[prefix.label] - norm;
    }
    now.blank = prefix.before.total + scores[classes_ - 1] - norm;
    now.total = LogSumExp(now.blank, now.label);
  }

  // Whether a prefix of this probability comes into the beam.
  bool Fits(T total) {
    return total > kLogZero<T> && (beam_.size() < width_ || total > beam_.Worst()->now.total);
  }

  void Extend(Prefix<T>& prefix, const T* scores, T norm) {
    for (int32_t label = 0; label < classes_ - 1; ++label) {
      Prefix<T>* longer = prefix.longer.empty() ? nullptr : prefix.longer[label];
      if (longer != nullptr && longer->Active()) continue;
      const bool doubled = label == prefix.label;
      const T probability =
          scores[label] - norm + (doubled ? prefix.before.blank : prefix.before.total);
      if (!Fits(probability)) {
        // One that this step has dropped is not extended, as in TensorFlow.
        if (longer != nullptr) longer->before = {};
        continue;
      }
      if (longer == nullptr) {
        prefix.longer.resize(static_cast<size_t>(classes_ - 1));
        longer = prefix.longer[label] = &others_.emplace_back();
        longer->parent = &prefix;
        longer->label = label;
      }
      longer->now = {.total = probability, .blank = kLogZero<T>, .label = probability};
      if (beam_.size() == width_) beam_.Worst()->now = {};  // Add drops it
      beam_.Add(longer);
    }
  }

  const int64_t classes_;
  const size_t width_;
  Prefix<T> root_;
  std::deque<Prefix<T>> others_;  // prefixes that have been in the beam
  BestPrefixes<T> beam_;
};

struct CtcBeamSearchDecoder {
  int64_t width, paths;
  bool merge_repeated;

  static absl::StatusOr<CtcBeamSearchDecoder> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const int64_t width, node.Get<int64_t>("beam_width"));
    SLUICE_ASSIGN(const int64_t paths, node.Get<int64_t>("top_paths"));
    SLUICE_ASSIGN(const bool merge_repeated, node.Get<bool>("merge_repeated"));
    return CtcBeamSearchDecoder{width, paths, merge_repeated};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor scores = ctx.input(0), lengths = ctx.input(1);
    SLUICE_RETURN_IF_ERROR(CheckCtcInputs(scores, lengths));
    if (paths > width) return InvalidArgument("requested more paths than the beam width.");
    const int64_t batch = scores.dim(1), classes = scores.dim(2);
    const int top = static_cast<int>(paths);
    SLUICE_ASSIGN(Tensor * log_probability, ctx.AllocateOutput(3 * top, Shape{batch, paths}));
    std::vector<CtcLabels> found(batch);  // by sequence, then by path
    SLUICE_RETURN_IF_ERROR(
        VisitDType(TypeList<float, double>{}, scores.dtype(), [&]<typename T>(Type<T>) {
          const double candidates = static_cast<double>(std::min<int64_t>(width, 1000));
          const double cost = 5 * candidates * static_cast<double>(scores.dim(0) * classes);
          return EachElement(ctx.pool(), batch, cost, [&] {
            return [&](int64_t b) {
              PrefixSearch<T> search(classes, width);
              for (int32_t t = 0; t < lengths.data<int32_t>()[b]; ++t)
                search.Step(scores.data<T>() + (t * batch + b) * classes);
              return search.Best(paths, merge_repeated, found[b],
                                 log_probability->mutable_data<T>() + b * paths);
            };
          });
        }));
    for (int path = 0; path < top; ++path) {
      CtcLabels labels(batch);
      for (int64_t b = 0; b < batch; ++b) labels[b] = std::move(found[b][path]);
      SLUICE_RETURN_IF_ERROR(SetCtcLabels(ctx, labels, path, top + path, 2 * top + path));
    }
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterCtcBeamSearchDecoder(KernelRegistry& kernels) {
  kernels.Add<CtcBeamSearchDecoder>("CTCBeamSearchDecoder", kCpu, {{"T", {kFloat, kDouble}}});
}

}  // namespace sluice::kernels
