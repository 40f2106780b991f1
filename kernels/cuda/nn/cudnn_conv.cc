// SPDX-License-Identifier: Apache-2.0
// By cuDNN's descriptors of tensors, filters and convolutions, which cuDNN 9 still has: one call
// lists the algorithms, one runs.
#if __has_include(<cudnn.h>)
#include "kernels/cuda/nn/cudnn_conv.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "core/device/cuda_status.h"
#include "kernels/cuda/common/bounded_table.h"
#include "kernels/cuda/common/cudnn.h"

namespace sluice::kernels {
namespace {

using cuda::Element;

constexpr size_t kWorkspaceLimit = size_t{256} << 20;
constexpr size_t kChoices = 2048;
constexpr int kMostAlgorithms = 16;

struct ConvKey {
  int gpu;
  CudnnConv conv;

  friend bool operator==(const ConvKey&, const ConvKey&) = default;
  template <typename H>
  friend H AbslHashValue(H h, const ConvKey& key) {
    return H::combine(std::move(h), key.gpu, key.conv);
  }
};

template <typename T>
using Owned = std::unique_ptr<std::remove_pointer_t<T>, cudnnStatus_t (*)(T)>;

struct Algorithm {
  int id;  // of the direction's enumeration
  size_t memory;
  cudnnMathType_t math;
  bool deterministic;
};

// How cuDNN computes a convolution. Algorithms are in the order in which they are tried.
//
// Threads:  those that hold the GPU's handle.
struct ConvChoice {
  Owned<cudnnTensorDescriptor_t> input, output;
  Owned<cudnnFilterDescriptor_t> filter;
  Owned<cudnnConvolutionDescriptor_t> conv;
  std::vector<Algorithm> algorithms;
  size_t first = 0;  // those before it have turned out not to be supported
};

cudnnDataType_t TypeOf(Element element) {
  switch (element) {
    case Element::kHalf:
      return CUDNN_DATA_HALF;
    case Element::kBFloat16:
      return CUDNN_DATA_BFLOAT16;
    case Element::kDouble:
      return CUDNN_DATA_DOUBLE;
    default:
      return CUDNN_DATA_FLOAT;
  }
}

class ConvChooser {
 public:
  ConvChooser(const Cudnn& lib, cudnnHandle_t handle, const CudnnConv& conv)
      : lib_(lib), handle_(handle), conv_(conv) {}

  absl::StatusOr<std::shared_ptr<ConvChoice>> Choose() {
    SLUICE_ASSIGN(auto input, MakeImages(conv_.in_channels, conv_.height.in, conv_.width.in));
    SLUICE_ASSIGN(auto output, MakeImages(conv_.out_channels, conv_.height.out, conv_.width.out));
    SLUICE_ASSIGN(auto filter, MakeFilter());
    SLUICE_ASSIGN(auto conv, MakeConv());
    auto choice = std::make_shared<ConvChoice>(
        ConvChoice{std::move(input), std::move(output), std::move(filter), std::move(conv), {}, 0});
    SLUICE_RETURN_IF_ERROR(FindAlgorithms(*choice));
    return choice;
  }

 private:
  cudnnTensorFormat_t format() const {
    return conv_.channels_last ? CUDNN_TENSOR_NHWC : CUDNN_TENSOR_NCHW;
  }
  absl::Status Check(cudnnStatus_t status) const {
    return lib_.Check(status, "describing a convolution");
  }

  absl::StatusOr<Owned<cudnnTensorDescriptor_t>> MakeImages(int channels, int rows,
                                                            int columns) const {
    cudnnTensorDescriptor_t made = nullptr;
    SLUICE_RETURN_IF_ERROR(Check(lib_.CreateTensorDescriptor(&made)));
    Owned<cudnnTensorDescriptor_t> images(made, lib_.DestroyTensorDescriptor);
    SLUICE_RETURN_IF_ERROR(Check(lib_.SetTensor4dDescriptor(made, format(), TypeOf(conv_.element),
                                                            conv_.batch, channels, rows, columns)));
    return images;
  }

  absl::StatusOr<Owned<cudnnFilterDescriptor_t>> MakeFilter() const {
    cudnnFilterDescriptor_t made = nullptr;
    SLUICE_RETURN_IF_ERROR(Check(lib_.CreateFilterDescriptor(&made)));
    Owned<cudnnFilterDescriptor_t> filter(made, lib_.DestroyFilterDescriptor);
    SLUICE_RETURN_IF_ERROR(Check(lib_.SetFilter4dDescriptor(
        made, TypeOf(conv_.element), format(), conv_.out_channels, conv_.in_channels / conv_.groups,
        conv_.height.kernel, conv_.width.kernel)));
    return filter;
  }

  absl::StatusOr<Owned<cudnnConvolutionDescriptor_t>> MakeConv() const {
    cudnnConvolutionDescriptor_t made = nullptr;
    SLUICE_RETURN_IF_ERROR(Check(lib_.CreateConvolutionDescriptor(&made)));
    Owned<cudnnConvolutionDescriptor_t> conv(made, lib_.DestroyConvolutionDescriptor);
    const CudnnConv::Line &h = conv_.height, &w = conv_.width;
    const bool is_double = conv_.element == Element::kDouble;
    SLUICE_RETURN_IF_ERROR(Check(lib_.SetConvolution2dDescriptor(
        made, h.pad, w.pad, h.stride, w.stride, h.dilation, w.dilation, CUDNN_CROSS_CORRELATION,
        is_double ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT)));
    SLUICE_RETURN_IF_ERROR(Check(lib_.SetConvolutionGroupCount(made, conv_.groups)));
    SLUICE_RETURN_IF_ERROR(Check(lib_.SetConvolutionMathType(made, math())));
    return conv;
  }

  // Float stays float: no TF32.
  cudnnMathType_t math() const {
    const bool narrow = conv_.element == Element::kHalf || conv_.element == Element::kBFloat16;
    return narrow ? CUDNN_TENSOR_OP_MATH : CUDNN_FMA_MATH;
  }

  // Calls `list`, which is cuDNN's function for the direction, and keeps what may be used.
  template <typename Performance, typename List>
  absl::Status Keep(const List& list, ConvChoice& choice) const {
    Performance found[kMostAlgorithms];
    int count = 0;
    const cudnnStatus_t status = list(kMostAlgorithms, &count, found);
    // An unusual combination is a bad parameter to some of these functions.
    const bool refused = status >= CUDNN_STATUS_BAD_PARAM && status < CUDNN_STATUS_NOT_SUPPORTED;
    if (refused || IsUnsupported(status)) return absl::OkStatus();
    SLUICE_RETURN_IF_ERROR(lib_.Check(status, "listing algorithms of a convolution"));
    for (const Performance& one : absl::MakeConstSpan(found, count)) {
      if (one.status != CUDNN_STATUS_SUCCESS || one.memory > kWorkspaceLimit) continue;
      const cudnnMathType_t by = math() == CUDNN_FMA_MATH ? CUDNN_FMA_MATH : one.mathType;
      choice.algorithms.push_back(
          {one.algo, one.memory, by, one.determinism == CUDNN_DETERMINISTIC});
    }
    // The fastest is first; among the deterministic ones, if there are such.
    std::stable_partition(choice.algorithms.begin(), choice.algorithms.end(),
                          [](const Algorithm& a) { return a.deterministic; });
    return absl::OkStatus();
  }

  absl::Status FindAlgorithms(ConvChoice& c) const {
    switch (conv_.direction) {
      case ConvDirection::kForward:
        return Keep<cudnnConvolutionFwdAlgoPerf_t>(
            [&](int most, int* count, auto* found) {
              return lib_.GetForwardAlgorithms(handle_, c.input.get(), c.filter.get(), c.conv.get(),
                                               c.output.get(), most, count, found);
            },
            c);
      case ConvDirection::kBackpropInput:
        return Keep<cudnnConvolutionBwdDataAlgoPerf_t>(
            [&](int most, int* count, auto* found) {
              return lib_.GetBackwardDataAlgorithms(handle_, c.filter.get(), c.output.get(),
                                                    c.conv.get(), c.input.get(), most, count,
                                                    found);
            },
            c);
      case ConvDirection::kBackpropFilter:
        return Keep<cudnnConvolutionBwdFilterAlgoPerf_t>(
            [&](int most, int* count, auto* found) {
              return lib_.GetBackwardFilterAlgorithms(handle_, c.input.get(), c.output.get(),
                                                      c.conv.get(), c.filter.get(), most, count,
                                                      found);
            },
            c);
    }
    return Internal("unknown direction of a convolution");
  }

  const Cudnn& lib_;
  const cudnnHandle_t handle_;
  const CudnnConv& conv_;
};

cudnnStatus_t Enqueue(const Cudnn& lib, cudnnHandle_t handle, const CudnnConv& conv,
                      const ConvChoice& c, const Algorithm& algorithm, const void* a, const void* b,
                      void* out, void* memory) {
  static constexpr float kOne = 1, kZero = 0;
  static constexpr double kWideOne = 1, kWideZero = 0;
  const bool is_double = conv.element == Element::kDouble;
  const void* const one = is_double ? static_cast<const void*>(&kWideOne) : &kOne;
  const void* const zero = is_double ? static_cast<const void*>(&kWideZero) : &kZero;
  switch (conv.direction) {
    case ConvDirection::kForward:
      return lib.ConvolutionForward(handle, one, c.input.get(), a, c.filter.get(), b, c.conv.get(),
                                    static_cast<cudnnConvolutionFwdAlgo_t>(algorithm.id), memory,
                                    algorithm.memory, zero, c.output.get(), out);
    case ConvDirection::kBackpropInput:
      return lib.ConvolutionBackwardData(handle, one, c.filter.get(), b, c.output.get(), a,
                                         c.conv.get(),
                                         static_cast<cudnnConvolutionBwdDataAlgo_t>(algorithm.id),
                                         memory, algorithm.memory, zero, c.input.get(), out);
    case ConvDirection::kBackpropFilter:
      return lib.ConvolutionBackwardFilter(
          handle, one, c.input.get(), a, c.output.get(), b, c.conv.get(),
          static_cast<cudnnConvolutionBwdFilterAlgo_t>(algorithm.id), memory, algorithm.memory,
          zero, c.filter.get(), out);
  }
  return CUDNN_STATUS_BAD_PARAM;
}

}  // namespace

absl::StatusOr<bool> ConvolveByCudnn(const CudnnConv& conv, const void* a, const void* b, void* out,
                                     cudaStream_t stream, Workspace workspace) {
  static auto* const choices = new BoundedTable<ConvKey, ConvChoice>(kChoices);
  SLUICE_ASSIGN(const Cudnn* lib, Cudnn::Get());
  ConvKey key{0, conv};
  SLUICE_RETURN_IF_ERROR(cuda::ToStatus(cudaGetDevice(&key.gpu), "asking for the current GPU"));
  SLUICE_ASSIGN(CudnnHandle * handle, CudnnHandle::Of(*lib, key.gpu));
  absl::MutexLock lock(&handle->mu);
  std::shared_ptr<ConvChoice> choice = choices->Find(key);
  if (choice == nullptr) {
    SLUICE_ASSIGN(choice, ConvChooser(*lib, handle->handle, conv).Choose());
    choice = choices->Insert(key, std::move(choice));
  }
  SLUICE_RETURN_IF_ERROR(lib->Check(lib->SetStream(handle->handle, stream), "setting its stream"));
  absl::Status short_of_memory;
  for (size_t i = choice->first; i < choice->algorithms.size(); ++i) {
    const Algorithm& algorithm = choice->algorithms[i];
    Tensor memory;
    if (algorithm.memory > 0) {
      auto allocated = workspace(static_cast<int64_t>(algorithm.memory));
      if (!allocated.ok()) {
        short_of_memory = allocated.status();
        continue;
      }
      memory = *std::move(allocated);
    }
    SLUICE_RETURN_IF_ERROR(
        lib->Check(lib->SetConvolutionMathType(choice->conv.get(), algorithm.math),
                   "describing a convolution"));
    const cudnnStatus_t status =
        Enqueue(*lib, handle->handle, conv, *choice, algorithm, a, b, out, memory.raw());
    if (IsUnsupported(status)) {
      if (choice->first == i) choice->first = i + 1;
      continue;
    }
    SLUICE_RETURN_IF_ERROR(lib->Check(status, "enqueuing a convolution"));
    return true;
  }
  SLUICE_RETURN_IF_ERROR(short_of_memory);
  return false;
}

}  // namespace sluice::kernels
#endif
