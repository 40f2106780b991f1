// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TESTS_FILE_KERNELS_FORMATS_H_
#define SLUICE_TESTS_FILE_KERNELS_FORMATS_H_

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/tensor/tensor.h"
#include "tests/kernels/kernel_runner.h"

namespace sluice::kernels {

// A format of files, and what reads it.
struct FileFormat {
  std::string name;
  std::vector<std::string> samples;  // well-formed
  // What the kernels made of a file: the same text for the same values or errors.
  std::function<std::string(KernelRunner& runner, const std::string& bytes)> read;
  // Makes checksums right again, so that readers look behind them. Null: there are none.
  std::function<std::string(std::string bytes)> repair;
  bool repeats = true;  // a damaged file gives the same when it is read again
};

// For GoogleTest.
inline void PrintTo(const FileFormat& format, std::ostream* to) { *to << format.name; }

std::vector<FileFormat> ImageFormats();
std::vector<FileFormat> RecordFormats();    // data sets of files
std::vector<FileFormat> MessageFormats();   // of protobuf, and texts
std::vector<FileFormat> DatabaseFormats();  // SQLite, LMDB
std::vector<FileFormat> TensorFormats();    // checkpoints, sound

// ---- for the readers

// The path of a file with these bytes, the same for all.
std::string FileOf(const std::string& bytes);
// The outputs or the error of one op.
std::string ReadWith(KernelRunner& runner, absl::string_view op, AttrMap attrs,
                     std::vector<Tensor> inputs);
// The elements and errors of the data set that the op makes, saved and restored in the middle.
std::string ReadDataSet(KernelRunner& runner, absl::string_view op, AttrMap attrs,
                        std::vector<Tensor> inputs);
// A hash of shape and elements.
std::string Digest(const Tensor& tensor);

inline Tensor Text(std::string text) { return Tensor::Scalar<std::string>(std::move(text)); }
inline Tensor Texts(std::vector<std::string> texts) {
  Tensor tensor(kString, Shape{static_cast<int64_t>(texts.size())});
  std::move(texts.begin(), texts.end(), tensor.mutable_data<std::string>());
  return tensor;
}
inline Tensor Int64(int64_t value) { return Tensor::Scalar<int64_t>(value); }
inline Tensor Bool(bool value) { return Tensor::Scalar<bool>(value); }

}  // namespace sluice::kernels

#endif  // SLUICE_TESTS_FILE_KERNELS_FORMATS_H_
