// SPDX-License-Identifier: Apache-2.0
#include "server/absent_ops.h"

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace sluice::server {
namespace {

// Names of ops, or how they begin ("Xla*"), and why they have no kernel.
struct Absent {
  absl::string_view names, why;
};
constexpr Absent kAbsent[] = {
    {"Quantized* Requantiz*",
     "only builds of TensorFlow with oneDNN have kernels for CPUs; the other ops on quantised "
     "tensors have kernels here"},
    {"AudioMicrofrontend MaxPoolGradGradWithArgmax ObtainNext SingleImageRandomDotStereograms",
     "programs hardly use them"},
    {"CreateFertileStatsVariable CreateTreeVariable DecisionTreeResourceHandleOp "
     "FeatureUsageCounts FertileStats* FinalizeTree GrowTreeV4 ProcessInputV4 ScatterAddNdim "
     "TensorForest* TraverseTreeV4 Tree* UpdateModelV4",
     "tensor forests of tf.contrib"},
    {"BytesInUse BytesLimit CudnnRNN* MaxBytesInUse",
     "TensorFlow has them for GPUs only, and ours are not written"},
    {"Nccl* _Nccl*", "only builds with CUDA have kernels for them"},
    {"HostConst _Fused* _HostCast _If _ReadVariablesOp _ScopedAllocator* _UnaryOpsComposition "
     "_VarHandlesOp _While",
     "TensorFlow's runtime puts them into a graph, clients do not"},
    {"RemoteFusedGraphExecute Rpc TryRpc", "they call other services"},
    {"BigQueryReader Bigtable* DatasetToBigtable GcsConfigure* GenerateBigQueryReaderPartitions",
     "they read from Google's cloud"},
    {"Xla* _Xla*", "XLA compiles them"},
    {"AllToAll CollectivePermute ConfigureDistributedTPU ConfigureTPUEmbedding CrossReplicaSum "
     "EnqueueTPU* Infeed* LoadTPU* Outfeed* Prelinearize* RecvTPU* RetrieveTPU* SendTPU* "
     "ShutdownDistributedTPU TPU* WorkerHeartbeat _ConfigureDistributedTPU _DisconnectHost* "
     "_InitializeHost* _SetGlobalTPUArray _ShutdownDistributedTPU _TPUReplicate _WaitFor*",
     "they drive TPUs"},
};

bool Covers(absl::string_view names, absl::string_view wanted) {
  return absl::c_any_of(absl::StrSplit(names, ' '), [&](absl::string_view name) {
    return absl::ConsumeSuffix(&name, "*") ? absl::StartsWith(wanted, name) : wanted == name;
  });
}

}  // namespace

std::string ReasonsOf(const std::vector<absl::string_view>& without_kernel) {
  std::vector<absl::string_view> left = without_kernel;
  std::string text;
  const auto add = [&](const std::vector<absl::string_view>& ops, absl::string_view why) {
    if (!ops.empty()) absl::StrAppend(&text, "* ", why, ": ", absl::StrJoin(ops, ", "), "\n");
  };
  for (const Absent& row : kAbsent) {
    std::vector<absl::string_view> covered, others;
    for (const absl::string_view op : left)
      (Covers(row.names, op) ? covered : others).push_back(op);
    add(covered, row.why);
    left = std::move(others);
  }
  add(left, "no reason");
  return text;
}

}  // namespace sluice::server
