// SPDX-License-Identifier: Apache-2.0
// MPI's members. mpirun starts this program once for each, with the common folder as its argument.
#include <mpi.h>

#include <cstdio>
#include <limits>

#include "bench/collectives/member.h"
#include "bench/transport/check.h"
#include "core/status.h"

namespace sluice::bench::collectives {
namespace {

class MpiContender final : public CollectiveContender {
 public:
  explicit MpiContender(int rank) : rank_(rank) {}

  absl::Status Load(const Workload& work, const std::string& /*algorithm*/) override {
    if (work.elements > std::numeric_limits<int>::max())
      return Unimplemented("more elements than MPI counts");
    work_ = work;
    input_ = InputOf(work, rank_);
    output_.assign(static_cast<size_t>(work.output()), 0);
    // A broadcast is in place.
    if (work.op == CollectiveOp::kBroadcast && rank_ != 0) input_ = output_;
    return absl::OkStatus();
  }

  void Run() override { Check(Operate() == MPI_SUCCESS, "an operation of MPI"); }

  std::string RunAndCheck() override {
    Run();
    return FirstError(work_, rank_, work_.op == CollectiveOp::kBroadcast ? input_ : output_);
  }

  void Unload() override {
    input_ = std::vector<float>();
    output_ = std::vector<float>();
  }

 private:
  int Operate() {
    const auto all = static_cast<int>(work_.elements);
    const int part = all / work_.members;
    switch (work_.op) {
      case CollectiveOp::kAllReduce:
        return MPI_Allreduce(input_.data(), output_.data(), all, MPI_FLOAT, MPI_SUM,
                             MPI_COMM_WORLD);
      case CollectiveOp::kReduceScatter:
        return MPI_Reduce_scatter_block(input_.data(), output_.data(), part, MPI_FLOAT, MPI_SUM,
                                        MPI_COMM_WORLD);
      case CollectiveOp::kAllGather:
        return MPI_Allgather(input_.data(), part, MPI_FLOAT, output_.data(), part, MPI_FLOAT,
                             MPI_COMM_WORLD);
      case CollectiveOp::kAllToAll:
        return MPI_Alltoall(input_.data(), part, MPI_FLOAT, output_.data(), part, MPI_FLOAT,
                            MPI_COMM_WORLD);
      case CollectiveOp::kBroadcast:
        break;
    }
    return MPI_Bcast(input_.data(), all, MPI_FLOAT, 0, MPI_COMM_WORLD);
  }

  const int rank_;
  Workload work_;
  std::vector<float> input_, output_;
};

}  // namespace
}  // namespace sluice::bench::collectives

int main(int argc, char** argv) {
  using namespace sluice::bench::collectives;  // NOLINT: a program's main
  if (argc != 2) {
    std::fprintf(stderr, "sluice-bench-collectives starts this program\n");
    return 2;
  }
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  {
    MpiContender contender(rank);
    ServeMember(argv[1], rank, contender);
  }
  MPI_Finalize();
}
