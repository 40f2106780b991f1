// SPDX-License-Identifier: Apache-2.0
// Gloo over its TCP transport.
#include "bench/collectives/contender.h"

#ifdef SLUICE_BENCH_GLOO
#include <gloo/allgather.h>
#include <gloo/allreduce.h>
#include <gloo/allreduce_halving_doubling.h>
#include <gloo/alltoall.h>
#include <gloo/broadcast.h>
#include <gloo/math.h>
#include <gloo/reduce_scatter.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/file_store.h>
#include <gloo/transport/tcp/device.h>

#include <algorithm>
#include <functional>

#include "bench/transport/check.h"
#include "core/status.h"

namespace sluice::bench::collectives {
namespace {

class GlooContender final : public CollectiveContender {
 public:
  explicit GlooContender(const MemberOptions& options) : rank_(options.rank) {
    ::gloo::transport::tcp::attr attributes;
    attributes.hostname = "127.0.0.1";
    auto device = ::gloo::transport::tcp::CreateDevice(attributes);
    ::gloo::rendezvous::FileStore store(options.folder);
    auto context = std::make_shared<::gloo::rendezvous::Context>(options.rank, options.members);
    context->connectFullMesh(store, device);
    context_ = std::move(context);
  }

  absl::Status Load(const Workload& work, const std::string& algorithm) override {
    Unload();
    work_ = work;
    input_ = InputOf(work, rank_);
    output_.assign(static_cast<size_t>(work.output()), 0);
    in_place_ = work.op == CollectiveOp::kReduceScatter || algorithm == "halving_doubling";
    switch (work.op) {
      case CollectiveOp::kAllReduce:
        return LoadAllReduce(algorithm);
      case CollectiveOp::kReduceScatter:
        LoadReduceScatter();
        break;
      case CollectiveOp::kAllGather:
        LoadAllGather();
        break;
      case CollectiveOp::kBroadcast:
        LoadBroadcast();
        break;
      case CollectiveOp::kAllToAll:
        LoadAllToAll();
        break;
    }
    return absl::OkStatus();
  }

  void Run() override { run_(); }

  std::string RunAndCheck() override {
    if (in_place_) {  // earlier runs changed it
      const std::vector<float> fresh = InputOf(work_, rank_);
      std::copy(fresh.begin(), fresh.end(), input_.begin());
    }
    run_();
    const auto& result = in_place_ ? input_ : output_;
    return FirstError(work_, rank_,
                      absl::MakeSpan(result).first(static_cast<size_t>(work_.output())));
  }

  void Unload() override {
    run_ = nullptr;
    input_ = std::vector<float>();
    output_ = std::vector<float>();
  }

 private:
  // Gloo's own tuning is by hand, so the benchmark measures each algorithm.
  absl::Status LoadAllReduce(const std::string& algorithm) {
    if (algorithm == "halving_doubling") {
      auto made = std::make_shared<::gloo::AllreduceHalvingDoubling<float>>(
          context_, std::vector<float*>{input_.data()}, static_cast<int>(input_.size()));
      run_ = [made] { made->run(); };
      return absl::OkStatus();
    }
    using Options = ::gloo::AllreduceOptions;
    auto options = std::make_shared<Options>(context_);
    if (algorithm == "ring")
      options->setAlgorithm(Options::Algorithm::RING);
    else if (algorithm == "bcube")
      options->setAlgorithm(Options::Algorithm::BCUBE);
    else
      return InvalidArgument("Gloo has no algorithm \"", algorithm, "\"");
    options->setInput(input_.data(), input_.size());
    options->setOutput(output_.data(), output_.size());
    using Sum = void (*)(void*, const void*, const void*, size_t);
    options->setReduceFunction(static_cast<Sum>(&::gloo::sum<float>));
    run_ = [options] { ::gloo::allreduce(*options); };
    return absl::OkStatus();
  }

  void LoadReduceScatter() {
    const std::vector<int> parts(static_cast<size_t>(work_.members),
                                 static_cast<int>(work_.output()));
    auto made = std::make_shared<::gloo::ReduceScatterHalvingDoubling<float>>(
        context_, std::vector<float*>{input_.data()}, static_cast<int>(input_.size()), parts);
    run_ = [made] { made->run(); };
  }

  void LoadAllGather() {
    auto options = std::make_shared<::gloo::AllgatherOptions>(context_);
    options->setInput(input_.data(), input_.size());
    options->setOutput(output_.data(), output_.size());
    run_ = [options] { ::gloo::allgather(*options); };
  }

  void LoadBroadcast() {
    auto options = std::make_shared<::gloo::BroadcastOptions>(context_);
    if (rank_ == 0) output_ = input_;
    options->setOutput(output_.data(), output_.size());
    options->setRoot(0);
    run_ = [options] { ::gloo::broadcast(*options); };
  }

  void LoadAllToAll() {
    auto options = std::make_shared<::gloo::AlltoallOptions>(context_);
    options->setInput(input_.data(), input_.size());
    options->setOutput(output_.data(), output_.size());
    run_ = [options] { ::gloo::alltoall(*options); };
  }

  const int rank_;
  std::shared_ptr<::gloo::Context> context_;
  Workload work_;
  std::vector<float> input_, output_;
  bool in_place_ = false;      // the result replaces the input
  std::function<void()> run_;  // after the memory that it uses
};

}  // namespace

bool HasGloo() { return true; }

std::unique_ptr<CollectiveContender> CreateGlooContender(const MemberOptions& options) {
  return std::make_unique<GlooContender>(options);
}

}  // namespace sluice::bench::collectives

#else

namespace sluice::bench::collectives {

bool HasGloo() { return false; }
std::unique_ptr<CollectiveContender> CreateGlooContender(const MemberOptions& /*options*/) {
  return nullptr;
}

}  // namespace sluice::bench::collectives

#endif
