#include "worker_service/trace.h"

#include <unistd.h>

#include <map>

#include "proto/step_stats.pb.h"

namespace sluice::worker {

void StepStatsTrace::NodeRan(const ExecNode&, const std::string& name, const std::string& op,
                             int device, int64_t start_ns, int64_t end_ns) {
  absl::MutexLock lock(&mu_);
  events_.push_back({name, op, device, start_ns, end_ns, static_cast<uint32_t>(gettid())});
}

std::shared_ptr<proto::StepStats> StepStatsTrace::ToProto(const std::vector<std::string>& devices) {
  auto stats = std::make_shared<proto::StepStats>();
  std::map<int, proto::DeviceStepStats*> by_device;
  absl::MutexLock lock(&mu_);
  for (const Event& event : events_) {
    proto::DeviceStepStats*& device = by_device[event.device];
    if (device == nullptr) {
      device = stats->add_dev_stats();
      device->set_device(devices[event.device]);
    }
    proto::NodeExecStats* node = device->add_node_stats();
    node->set_node_name(event.name);
    node->set_timeline_label(absl::StrCat(event.name, " = ", event.op));
    node->set_thread_id(event.thread);
    node->set_all_start_micros(event.start_ns / 1000);
    node->set_all_start_nanos(event.start_ns);
    node->set_scheduled_micros(event.start_ns / 1000);
    node->set_scheduled_nanos(event.start_ns);
    const int64_t took = event.end_ns - event.start_ns;
    node->set_op_end_rel_micros(took / 1000);
    node->set_op_end_rel_nanos(took);
    node->set_all_end_rel_micros(took / 1000);
    node->set_all_end_rel_nanos(took);
  }
  return stats;
}

}  // namespace sluice::worker
