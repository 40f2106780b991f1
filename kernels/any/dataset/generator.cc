// SPDX-License-Identifier: Apache-2.0
// Data sets whose elements functions make of a state.
#include "core/runtime/kernel_registry.h"
#include "kernels/any/dataset/register.h"
#include "kernels/common/dataset/captured_function.h"

namespace sluice::kernels {
namespace {

// GeneratorDataset: one function makes the state, one makes an element of it, until that fails with
// OUT_OF_RANGE, and one ends with it, also if nobody reads to the end. State: the state.
class Generator final : public DataSet {
 public:
  Generator(ElementSpec spec, CapturedFunction begin, CapturedFunction next, CapturedFunction end)
      : DataSet(std::move(spec)),
        begin_(std::move(begin)),
        next_(std::move(next)),
        end_(std::move(end)) {}
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    auto run = std::make_unique<Run>();
    SLUICE_ASSIGN(run->begin, StageFunction::Create(begin_, running));
    SLUICE_ASSIGN(run->next, StageFunction::Create(next_, running));
    SLUICE_ASSIGN(run->end, StageFunction::Create(end_, running));
    return run;
  }

 private:
  struct Run final : Stage {
    ~Run() override {
      if (begun && !ended) (void)end.Call(state);
    }
    absl::StatusOr<bool> Next(Element& element) override {
      if (ended) return false;
      if (!begun) {
        SLUICE_ASSIGN(state, begin.Call({}));
        begun = true;
      }
      absl::StatusOr<Element> results = next.Call(state);
      if (results.ok()) {
        element = *std::move(results);
        return true;
      }
      if (results.status().code() != absl::StatusCode::kOutOfRange) return results.status();
      ended = true;
      SLUICE_RETURN_IF_ERROR(end.Call(state).status());
      return false;
    }

    StageFunction begin, next, end;
    Element state;
    bool begun = false, ended = false;
  };
  const CapturedFunction begin_, next_, end_;
};

struct GeneratorDataset {
  ElementSpec spec;
  FunctionAttr begin, next, end;

  static absl::StatusOr<GeneratorDataset> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    SLUICE_ASSIGN(FunctionAttr begin,
                  FunctionAttr::Create(node, "init_func", "init_func_other_args"));
    SLUICE_ASSIGN(FunctionAttr next,
                  FunctionAttr::Create(node, "next_func", "next_func_other_args"));
    SLUICE_ASSIGN(FunctionAttr end,
                  FunctionAttr::Create(node, "finalize_func", "finalize_func_other_args"));
    return GeneratorDataset{std::move(spec), std::move(begin), std::move(next), std::move(end)};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(CapturedFunction of_begin, CapturedFunction::Create(ctx, begin));
    SLUICE_ASSIGN(CapturedFunction of_next, CapturedFunction::Create(ctx, next));
    SLUICE_ASSIGN(CapturedFunction of_end, CapturedFunction::Create(ctx, end));
    SLUICE_RETURN_IF_ERROR(of_next.CheckResults(spec.types));
    SetDataSet(ctx, MakeRefCounted<Generator>(spec, std::move(of_begin), std::move(of_next),
                                              std::move(of_end)));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterGenerators(KernelRegistry& kernels) {
  kernels.Add<GeneratorDataset>("GeneratorDataset", kCpu);
}

}  // namespace sluice::kernels
