// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_DATASET_PIPE_DATA_SET_H_
#define SLUICE_KERNELS_COMMON_DATASET_PIPE_DATA_SET_H_

#include <string>

#include "absl/time/time.h"
#include "core/tensor/ref.h"
#include "kernels/common/dataset/data_set.h"

namespace sluice::kernels {

enum class PipeFormat { kRecordIo, kTfRecord, kTextLine };

// A channel of SageMaker's Pipe mode: FIFOs <folder>/<name>_<epoch>, which another process writes.
struct PipeChannel {
  std::string name, folder;
  // <state_folder>/<name> has the number of the next epoch. Processes of one machine share it.
  std::string state_folder;
  PipeFormat format = PipeFormat::kRecordIo;
  int64_t shards = 1, shard = 0;  // record i is given if i % shards == shard
  absl::Duration limit;           // for the FIFO, and its writer, to appear
};

// The records of a channel. Each run takes the next epoch.
//
// Errors:   name the channel, and the epoch once it is known. DATA_LOSS with the byte offset of a
//           record whose writer ended inside it.
RefPtr<const DataSet> MakePipeDataSet(PipeChannel channel);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_DATASET_PIPE_DATA_SET_H_
