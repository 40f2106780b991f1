// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_BENCH_TRANSPORT_CHANNEL_TASK_H_
#define SLUICE_BENCH_TRANSPORT_CHANNEL_TASK_H_

#include <memory>
#include <string>
#include <vector>

#include "transport/tensor_channel.h"

namespace sluice::bench {

// The locations of the two tasks.
struct PairOfHosts {
  std::string own, other, other_id;  // numeric addresses, the other's transport::HostId()
};

// One of two tasks that send each other tensors by one transport, without the runtime. Both
// exchange the results of Offer, then Connect.
//
// Owner:    the contender or responder; the sink outlives it.
class ChannelTask {
 public:
  virtual ~ChannelTask() = default;
  virtual absl::StatusOr<std::vector<std::string>> Offer() = 0;
  virtual absl::Status Connect(const std::vector<std::string>& offer) = 0;
  // REQUIRES: Connect.
  transport::TensorChannel& channel() const { return *channel_; }

 protected:
  std::shared_ptr<transport::TensorChannel> channel_;
};

constexpr absl::string_view kSpinSuffix = "-spin", kUnsummedSuffix = "-unsummed";

// `near`: the measuring task. `kind`: a transport's name, with a suffix if its loop polls before it
// sleeps, as a server's does, or if contents carry no checksums.
absl::StatusOr<std::unique_ptr<ChannelTask>> CreateChannelTask(const std::string& kind, bool near,
                                                               const PairOfHosts& hosts,
                                                               int connections,
                                                               transport::TensorSink* sink);

}  // namespace sluice::bench

#endif  // SLUICE_BENCH_TRANSPORT_CHANNEL_TASK_H_
