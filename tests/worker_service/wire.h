// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TESTS_WORKER_SERVICE_WIRE_H_
#define SLUICE_TESTS_WORKER_SERVICE_WIRE_H_

#include <memory>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "core/threads/thread_pool.h"
#include "transport/connector.h"
#include "transport/protocol/push_window.h"

namespace sluice::worker {

// Joins the workers of one test. A sent tensor is delivered to the other worker on the sender's
// thread, by the rules of credit.
//
// Threads:  any. The wire outlives the channels; the sinks outlive Drain.
class Wire {
 public:
  explicit Wire(int64_t credit = 1 << 20) : credit_(credit) {}

  void Drain();  // delivers pending tensors; nothing is sent afterwards
  void Join(const std::string& task, transport::TensorSink* sink);
  // The transport of one task; it has no WorkerApi.
  std::unique_ptr<transport::Connector> ConnectorOf(const std::string& task);
  // Tensors kept for peers that have not pulled them.
  size_t kept();
  int pushed();
  int announced();

 private:
  class Channel;
  class Back;
  class End;
  struct Direction {
    explicit Direction(int64_t credit) : window(credit) {}
    absl::Mutex mu;
    transport::PushWindow window ABSL_GUARDED_BY(mu);
    int pushed ABSL_GUARDED_BY(mu) = 0;
    int announced ABSL_GUARDED_BY(mu) = 0;
  };
  Direction& Between(const std::string& from, const std::string& to);
  transport::TensorSink& Sink(const std::string& task);

  const int64_t credit_;
  std::unique_ptr<WorkQueue> queue_ =
      CreateThreadPool(1, "wire");  // delivers kept tensors when credit is returned
  absl::Mutex mu_;
  absl::flat_hash_map<std::string, transport::TensorSink*> sinks_ ABSL_GUARDED_BY(mu_);
  absl::flat_hash_map<std::pair<std::string, std::string>, std::unique_ptr<Direction>> directions_
      ABSL_GUARDED_BY(mu_);
};

}  // namespace sluice::worker

#endif  // SLUICE_TESTS_WORKER_SERVICE_WIRE_H_
