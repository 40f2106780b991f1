// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_DATASET_FILE_CACHE_H_
#define SLUICE_KERNELS_COMMON_DATASET_FILE_CACHE_H_

#include <string>

#include "kernels/common/dataset/data_set.h"

namespace sluice::kernels {

// The elements of `input`, kept in files for later runs and processes. If `<path>.index` exists, a
// run reads the files; else it reads the input, and writes them until the end. The files are those
// of TensorFlow: a checkpoint with the tensors "      0_0" (element 0, component 0), ...
//
// A run that writes holds `<path>_0.lockfile`. If it ends early, it leaves no files.
// Errors:   ALREADY_EXISTS, from Next, if another run holds the lock.
RefPtr<const DataSet> MakeFileCache(RefPtr<const DataSet> input, std::string path);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_DATASET_FILE_CACHE_H_
