// SPDX-License-Identifier: Apache-2.0
// GroupByReducerDataset: one result for each key of the input's elements.
#include <map>

#include "core/runtime/kernel_registry.h"
#include "kernels/any/dataset/register.h"
#include "kernels/common/dataset/captured_function.h"

namespace sluice::kernels {
namespace {

using Input = RefPtr<const DataSet>;

struct ReducerFunctions {
  CapturedFunction key, begin, reduce, end;
};

// The whole input is read first. Each key has a state, which `begin` makes of the key and each
// element changes; `end` makes an element of it. Keys are in order. State: the keys' states, and
// the key of the next element.
class GroupByReducer final : public DataSet {
 public:
  GroupByReducer(ElementSpec spec, Input input, ReducerFunctions functions)
      : DataSet(std::move(spec)), input_(std::move(input)), functions_(std::move(functions)) {}
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    auto run = std::make_unique<Run>(running);
    SLUICE_ASSIGN(run->input, input_->Begin(running));
    SLUICE_ASSIGN(run->key, StageFunction::Create(functions_.key, running));
    SLUICE_ASSIGN(run->begin, StageFunction::Create(functions_.begin, running));
    SLUICE_ASSIGN(run->reduce, StageFunction::Create(functions_.reduce, running));
    SLUICE_ASSIGN(run->end, StageFunction::Create(functions_.end, running));
    return run;
  }

 private:
  struct Run final : Stage {
    explicit Run(const Running& in) : running(in) {}
    absl::StatusOr<bool> Next(Element& element) override {
      while (!ended) {
        SLUICE_RETURN_IF_ERROR(running.Check());
        Element next;
        SLUICE_ASSIGN(const bool more, input->Next(next));
        ended = !more;
        if (more) SLUICE_RETURN_IF_ERROR(Reduce(std::move(next)));
      }
      if (given >= states.size()) return false;
      const auto group = std::next(states.begin(), static_cast<std::ptrdiff_t>(given++));
      SLUICE_ASSIGN(element, end.Call(group->second));
      return true;
    }
    absl::Status Reduce(Element next) {
      SLUICE_ASSIGN(const int64_t of, key.CallForScalar<int64_t>(next, "`key_func`"));
      auto group = states.find(of);
      if (group == states.end()) {
        SLUICE_ASSIGN(Element fresh, begin.Call({Tensor::Scalar<int64_t>(of)}));
        group = states.emplace(of, std::move(fresh)).first;
      }
      Element args = group->second;
      std::move(next.begin(), next.end(), std::back_inserter(args));
      SLUICE_ASSIGN(group->second, reduce.Call(std::move(args)));
      return absl::OkStatus();
    }
    absl::Status SaveOrRestore(SavedState& state) override {
      SLUICE_RETURN_IF_ERROR(input->SaveOrRestore(state));
      std::vector<int64_t> keys;
      std::vector<Element> of_keys;
      for (const auto& [of, its] : states) {
        keys.push_back(of);
        of_keys.push_back(its);
      }
      SLUICE_RETURN_IF_ERROR(state.Fields("GroupByReducer", keys, of_keys, given, ended));
      if (keys.size() != of_keys.size())
        return InvalidArgument("the saved state has ", keys.size(), " keys and ", of_keys.size(),
                               " states of keys");
      states.clear();
      for (size_t i = 0; i < keys.size(); ++i) states[keys[i]] = std::move(of_keys[i]);
      return absl::OkStatus();
    }

    const Running running;
    std::unique_ptr<Stage> input;
    StageFunction key, begin, reduce, end;
    std::map<int64_t, Element> states;  // by key
    size_t given = 0;                   // keys whose elements were given
    bool ended = false;
  };
  const Input input_;
  const ReducerFunctions functions_;
};

struct GroupByReducerDataset {
  ElementSpec spec;
  FunctionAttr key, begin, reduce, end;

  static absl::StatusOr<GroupByReducerDataset> Create(const NodeSpec& node) {
    GroupByReducerDataset made;
    SLUICE_ASSIGN(made.spec, ElementSpec::Create(node));
    SLUICE_ASSIGN(made.key, FunctionAttr::Create(node, "key_func", "key_func_other_arguments"));
    SLUICE_ASSIGN(made.begin, FunctionAttr::Create(node, "init_func", "init_func_other_arguments"));
    SLUICE_ASSIGN(made.reduce,
                  FunctionAttr::Create(node, "reduce_func", "reduce_func_other_arguments"));
    SLUICE_ASSIGN(made.end,
                  FunctionAttr::Create(node, "finalize_func", "finalize_func_other_arguments"));
    return made;
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Input input, DataSetInput(ctx, 0));
    ReducerFunctions functions;
    SLUICE_ASSIGN(functions.key, CapturedFunction::Create(ctx, key));
    SLUICE_ASSIGN(functions.begin, CapturedFunction::Create(ctx, begin));
    SLUICE_ASSIGN(functions.reduce, CapturedFunction::Create(ctx, reduce));
    SLUICE_ASSIGN(functions.end, CapturedFunction::Create(ctx, end));
    SLUICE_RETURN_IF_ERROR(functions.end.CheckResults(spec.types));
    SetDataSet(ctx, MakeRefCounted<GroupByReducer>(spec, std::move(input), std::move(functions)));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterGroupByReducer(KernelRegistry& kernels) {
  for (auto op : {"GroupByReducerDataset", "ExperimentalGroupByReducerDataset"})
    kernels.Add<GroupByReducerDataset>(op, kCpu);
}

}  // namespace sluice::kernels
