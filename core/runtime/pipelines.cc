// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/pipelines.h"

#include <algorithm>
#include <utility>

namespace sluice {
namespace {

// No container of a user begins with "_", so that a reset leaves this one.
constexpr absl::string_view kContainer = "_pipelines", kName = "running";

}  // namespace

absl::Status RunningPipelines::Add(ResourceStore& store, std::weak_ptr<const Pipeline> pipeline) {
  SLUICE_ASSIGN(const RefPtr<RunningPipelines> all,
                store.LookupOrCreate<RunningPipelines>(
                    kContainer, kName, []() -> absl::StatusOr<RefPtr<RunningPipelines>> {
                      return MakeRefCounted<RunningPipelines>();
                    }));
  absl::MutexLock lock(&all->mu_);
  if (all->pipelines_.size() >= all->purge_at_) {
    std::erase_if(all->pipelines_, [](const auto& one) { return one.expired(); });
    all->purge_at_ = std::max<size_t>(16, 2 * all->pipelines_.size());
  }
  all->pipelines_.push_back(std::move(pipeline));
  return absl::OkStatus();
}

std::vector<PipelineReport> RunningPipelines::ReportsOf(const ResourceStore& store) {
  std::vector<PipelineReport> reports;
  const auto all = store.Lookup<RunningPipelines>(kContainer, kName);
  if (!all.ok()) return reports;
  std::vector<std::weak_ptr<const Pipeline>> pipelines;
  {
    absl::MutexLock lock(&(*all)->mu_);
    pipelines = (*all)->pipelines_;
  }
  for (const auto& one : pipelines) {
    if (const auto pipeline = one.lock()) reports.push_back(pipeline->Report());
  }
  return reports;
}

}  // namespace sluice
