#ifndef SLUICE_WORKER_SERVICE_TRACE_H_
#define SLUICE_WORKER_SERVICE_TRACE_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "worker_service/executor.h"

namespace sluice::proto {
class StepStats;
}

namespace sluice::worker {

// Collects what ran when, for RunMetadata's StepStats.
class StepStatsTrace final : public StepTrace {
 public:
  void NodeRan(const ExecNode& node, const std::string& name, const std::string& op, int device,
               int64_t start_ns, int64_t end_ns) override;
  // REQUIRES: the step has ended. `devices` are the full names by index.
  std::shared_ptr<proto::StepStats> ToProto(const std::vector<std::string>& devices);

 private:
  struct Event {
    std::string name, op;
    int device;
    int64_t start_ns, end_ns;
    uint32_t thread;
  };
  absl::Mutex mu_;
  std::vector<Event> events_ ABSL_GUARDED_BY(mu_);
};

}  // namespace sluice::worker

#endif  // SLUICE_WORKER_SERVICE_TRACE_H_
