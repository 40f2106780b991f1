// SPDX-License-Identifier: Apache-2.0
// The double of cuDNN: convolutions by plain loops.
#if __has_include(<cudnn.h>)
#include <cudnn.h>

#include <cstring>
#include <string_view>

#include "core/device/cuda_launch.h"
#include "tests/cuda_double/libraries/libraries.h"
#include "tests/cuda_double/libraries/library_double.h"

// The library's opaque types.
struct cudnnContext {
  cudaStream_t stream = nullptr;
};
struct cudnnTensorStruct {
  cudnnTensorFormat_t format = CUDNN_TENSOR_NCHW;
  cudnnDataType_t type = CUDNN_DATA_FLOAT;
  int64_t n = 0, c = 0, h = 0, w = 0;
};
struct cudnnFilterStruct : cudnnTensorStruct {};
struct cudnnConvolutionStruct {
  int pad_h = 0, pad_w = 0, stride_h = 1, stride_w = 1, dilation_h = 1, dilation_w = 1, groups = 1;
  cudnnDataType_t compute = CUDNN_DATA_FLOAT;
  cudnnMathType_t math = CUDNN_DEFAULT_MATH;
};

namespace sluice::cuda_double {
namespace {

// An algorithm's workspace: the second does with less than the first, the third needs none. Only
// the first is not deterministic.
constexpr size_t kWorkspaces[] = {size_t{1} << 16, 1024, 0};
constexpr int kAlgorithms = 3;

struct Images {
  cudaDataType_t type;
  int64_t n, c, h, w;
  bool channels_last;
  void* data;

  int64_t At(int64_t in, int64_t ic, int64_t ih, int64_t iw) const {
    return channels_last ? ((in * h + ih) * w + iw) * c + ic : ((in * c + ic) * h + ih) * w + iw;
  }
  double Read(int64_t in, int64_t ic, int64_t ih, int64_t iw) const {
    return ReadElement(type, data, At(in, ic, ih, iw)).real();
  }
  int64_t count() const { return n * c * h * w; }
};

enum class Result { kOutput, kInput, kFilter };

struct ConvDouble {
  Result result;
  Images input, filter, output;
  int64_t pad_h, pad_w, stride_h, stride_w, dilation_h, dilation_w, groups;
  double alpha;
  void* workspace;
  size_t workspace_bytes;
};

// Calls fn(n, k, c, filter's c, input's y and x, filter's y and x, output's y and x) for every
// product of the convolution.
template <typename Fn>
void ForEachProduct(const ConvDouble& v, const Fn& fn) {
  const Images &x = v.input, &f = v.filter, &y = v.output;
  for (int64_t n = 0; n < y.n; ++n) {
    for (int64_t k = 0; k < y.c; ++k) {
      const int64_t first = k / (y.c / v.groups) * f.c;
      for (int64_t o = 0; o < y.h * y.w; ++o) {
        for (int64_t tap = 0; tap < f.h * f.w; ++tap) {
          const int64_t oy = o / y.w, ox = o % y.w, ky = tap / f.w, kx = tap % f.w;
          const int64_t iy = oy * v.stride_h - v.pad_h + ky * v.dilation_h;
          const int64_t ix = ox * v.stride_w - v.pad_w + kx * v.dilation_w;
          if (iy < 0 || iy >= x.h || ix < 0 || ix >= x.w) continue;
          for (int64_t c = 0; c < f.c; ++c) {
            fn(x.At(n, first + c, iy, ix), f.At(k, c, ky, kx), y.At(n, k, oy, ox));
          }
        }
      }
    }
  }
}

void ConvKernel(ConvDouble v) {
  if (v.workspace_bytes > 0) std::memset(v.workspace, 0x3C, v.workspace_bytes);
  const Images& to = v.result == Result::kOutput  ? v.output
                     : v.result == Result::kInput ? v.input
                                                  : v.filter;
  auto* const sums = new double[to.count()]();
  const auto read = [](const Images& from, int64_t i) {
    return ReadElement(from.type, from.data, i).real();
  };
  ForEachProduct(v, [&](int64_t x, int64_t f, int64_t y) {
    if (v.result == Result::kOutput) {
      sums[y] += read(v.input, x) * read(v.filter, f);
    } else if (v.result == Result::kInput) {
      sums[x] += read(v.output, y) * read(v.filter, f);
    } else {
      sums[f] += read(v.input, x) * read(v.output, y);
    }
  });
  for (int64_t i = 0; i < to.count(); ++i) WriteElement(to.type, to.data, i, v.alpha * sums[i]);
  delete[] sums;
}

cudaDataType_t DataType(cudnnDataType_t type) {
  switch (type) {
    case CUDNN_DATA_HALF:
      return CUDA_R_16F;
    case CUDNN_DATA_BFLOAT16:
      return CUDA_R_16BF;
    case CUDNN_DATA_DOUBLE:
      return CUDA_R_64F;
    default:
      return CUDA_R_32F;
  }
}

Images ImagesOf(const cudnnTensorStruct& t, const void* data) {
  return {DataType(t.type),       t.n, t.c, t.h, t.w, t.format == CUDNN_TENSOR_NHWC,
          const_cast<void*>(data)};
}

int64_t OutputSize(int64_t in, int64_t pad, int64_t kernel, int64_t dilation, int64_t stride) {
  return (in + 2 * pad - ((kernel - 1) * dilation + 1)) / stride + 1;
}

// Whether the descriptors are those of one convolution that the library has.
bool Fits(const cudnnTensorStruct& x, const cudnnFilterStruct& w, const cudnnConvolutionStruct& c,
          const cudnnTensorStruct& y) {
  const bool wide = x.type == CUDNN_DATA_DOUBLE;
  if (x.type != w.type || x.type != y.type) return false;
  if (x.format != w.format || x.format != y.format) return false;
  if (wide != (c.compute == CUDNN_DATA_DOUBLE)) return false;
  if (wide && x.format == CUDNN_TENSOR_NHWC) return false;
  if (x.type == CUDNN_DATA_FLOAT && c.math != CUDNN_FMA_MATH) return false;
  return x.n == y.n && y.c == w.n && x.c == w.c * c.groups && y.c % c.groups == 0 &&
         y.h == OutputSize(x.h, c.pad_h, w.h, c.dilation_h, c.stride_h) &&
         y.w == OutputSize(x.w, c.pad_w, w.w, c.dilation_w, c.stride_w);
}

template <typename Performance>
cudnnStatus_t ListAlgorithms(bool fits, int most, int* count, Performance* found) {
  ++CountLibraryCalls().algorithm_lists;
  *count = 0;
  if (!fits) return CUDNN_STATUS_BAD_PARAM;
  if (IsUnsupportedNow()) return CUDNN_STATUS_NOT_SUPPORTED;
  for (int i = 0; i < kAlgorithms && i < most; ++i) {
    found[i] = {};
    found[i].algo = static_cast<decltype(found[i].algo)>(i);
    found[i].memory = kWorkspaces[i];
    found[i].determinism = i == 0 ? CUDNN_NON_DETERMINISTIC : CUDNN_DETERMINISTIC;
    found[i].mathType = CUDNN_TENSOR_OP_MATH;
    *count = i + 1;
  }
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t Convolve(cudnnHandle_t handle, Result result, const cudnnTensorStruct& x,
                       const void* x_data, const cudnnFilterStruct& w, const void* w_data,
                       const cudnnConvolutionStruct& c, const cudnnTensorStruct& y,
                       const void* y_data, int algorithm, void* workspace, size_t bytes,
                       const void* alpha, const void* beta) {
  ++CountLibraryCalls().convolutions;
  if (!Fits(x, w, c, y) || algorithm >= kAlgorithms || bytes < kWorkspaces[algorithm]) {
    return CUDNN_STATUS_BAD_PARAM;
  }
  if (algorithm == 0) ++CountLibraryCalls().random_algorithms;
  const bool wide = x.type == CUDNN_DATA_DOUBLE;
  const auto scale = [wide](const void* from) {
    return wide ? *static_cast<const double*>(from) : *static_cast<const float*>(from);
  };
  if (scale(beta) != 0) return CUDNN_STATUS_NOT_SUPPORTED;
  const ConvDouble conv{
      result,   ImagesOf(x, x_data), ImagesOf(w, w_data), ImagesOf(y, y_data),   c.pad_h,
      c.pad_w,  c.stride_h,          c.stride_w,          c.dilation_h,          c.dilation_w,
      c.groups, scale(alpha),        workspace,           kWorkspaces[algorithm]};
  const cudaError_t error = cuda::Launch(&ConvKernel, dim3(1), dim3(1), 0, handle->stream, conv);
  return error == cudaSuccess ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_EXECUTION_FAILED;
}

}  // namespace
}  // namespace sluice::cuda_double

using namespace sluice::cuda_double;  // NOLINT: the functions below are the library's

size_t cudnnGetVersion() { return CUDNN_VERSION; }
const char* cudnnGetErrorString(cudnnStatus_t status) {
  switch (status) {
    case CUDNN_STATUS_SUCCESS:
      return "CUDNN_STATUS_SUCCESS";
    case CUDNN_STATUS_BAD_PARAM:
      return "CUDNN_STATUS_BAD_PARAM";
    case CUDNN_STATUS_EXECUTION_FAILED:
      return "CUDNN_STATUS_EXECUTION_FAILED";
    default:
      return "CUDNN_STATUS of the double";
  }
}
cudnnStatus_t cudnnCreate(cudnnHandle_t* handle) {
  *handle = new cudnnContext;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSetStream(cudnnHandle_t handle, cudaStream_t stream) {
  handle->stream = stream;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnCreateTensorDescriptor(cudnnTensorDescriptor_t* made) {
  *made = new cudnnTensorStruct;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnDestroyTensorDescriptor(cudnnTensorDescriptor_t tensor) {
  delete tensor;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSetTensor4dDescriptor(cudnnTensorDescriptor_t tensor, cudnnTensorFormat_t format,
                                         cudnnDataType_t type, int n, int c, int h, int w) {
  if (n <= 0 || c <= 0 || h <= 0 || w <= 0) return CUDNN_STATUS_BAD_PARAM;
  *tensor = {format, type, n, c, h, w};
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnCreateFilterDescriptor(cudnnFilterDescriptor_t* made) {
  *made = new cudnnFilterStruct;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnDestroyFilterDescriptor(cudnnFilterDescriptor_t filter) {
  delete filter;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSetFilter4dDescriptor(cudnnFilterDescriptor_t filter, cudnnDataType_t type,
                                         cudnnTensorFormat_t format, int k, int c, int h, int w) {
  if (k <= 0 || c <= 0 || h <= 0 || w <= 0) return CUDNN_STATUS_BAD_PARAM;
  static_cast<cudnnTensorStruct&>(*filter) = {format, type, k, c, h, w};
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnCreateConvolutionDescriptor(cudnnConvolutionDescriptor_t* made) {
  *made = new cudnnConvolutionStruct;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnDestroyConvolutionDescriptor(cudnnConvolutionDescriptor_t conv) {
  delete conv;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSetConvolution2dDescriptor(cudnnConvolutionDescriptor_t conv, int pad_h,
                                              int pad_w, int stride_h, int stride_w, int dilation_h,
                                              int dilation_w, cudnnConvolutionMode_t mode,
                                              cudnnDataType_t compute) {
  if (mode != CUDNN_CROSS_CORRELATION || pad_h < 0 || pad_w < 0) return CUDNN_STATUS_BAD_PARAM;
  *conv = {pad_h,      pad_w, stride_h, stride_w,          dilation_h,
           dilation_w, 1,     compute,  CUDNN_DEFAULT_MATH};
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSetConvolutionGroupCount(cudnnConvolutionDescriptor_t conv, int groups) {
  conv->groups = groups;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSetConvolutionMathType(cudnnConvolutionDescriptor_t conv, cudnnMathType_t math) {
  conv->math = math;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetConvolutionForwardAlgorithm_v7(cudnnHandle_t, const cudnnTensorDescriptor_t x,
                                                     const cudnnFilterDescriptor_t w,
                                                     const cudnnConvolutionDescriptor_t c,
                                                     const cudnnTensorDescriptor_t y,
                                                     const int most, int* count,
                                                     cudnnConvolutionFwdAlgoPerf_t* found) {
  return ListAlgorithms(Fits(*x, *w, *c, *y), most, count, found);
}
cudnnStatus_t cudnnGetConvolutionBackwardDataAlgorithm_v7(
    cudnnHandle_t, const cudnnFilterDescriptor_t w, const cudnnTensorDescriptor_t y,
    const cudnnConvolutionDescriptor_t c, const cudnnTensorDescriptor_t x, const int most,
    int* count, cudnnConvolutionBwdDataAlgoPerf_t* found) {
  return ListAlgorithms(Fits(*x, *w, *c, *y), most, count, found);
}
cudnnStatus_t cudnnGetConvolutionBackwardFilterAlgorithm_v7(
    cudnnHandle_t, const cudnnTensorDescriptor_t x, const cudnnTensorDescriptor_t y,
    const cudnnConvolutionDescriptor_t c, const cudnnFilterDescriptor_t w, const int most,
    int* count, cudnnConvolutionBwdFilterAlgoPerf_t* found) {
  return ListAlgorithms(Fits(*x, *w, *c, *y), most, count, found);
}

cudnnStatus_t cudnnConvolutionForward(cudnnHandle_t handle, const void* alpha,
                                      const cudnnTensorDescriptor_t x, const void* x_data,
                                      const cudnnFilterDescriptor_t w, const void* w_data,
                                      const cudnnConvolutionDescriptor_t c,
                                      cudnnConvolutionFwdAlgo_t algorithm, void* workspace,
                                      size_t bytes, const void* beta,
                                      const cudnnTensorDescriptor_t y, void* y_data) {
  return Convolve(handle, Result::kOutput, *x, x_data, *w, w_data, *c, *y, y_data, algorithm,
                  workspace, bytes, alpha, beta);
}
cudnnStatus_t cudnnConvolutionBackwardData(cudnnHandle_t handle, const void* alpha,
                                           const cudnnFilterDescriptor_t w, const void* w_data,
                                           const cudnnTensorDescriptor_t y, const void* y_data,
                                           const cudnnConvolutionDescriptor_t c,
                                           cudnnConvolutionBwdDataAlgo_t algorithm, void* workspace,
                                           size_t bytes, const void* beta,
                                           const cudnnTensorDescriptor_t x, void* x_data) {
  return Convolve(handle, Result::kInput, *x, x_data, *w, w_data, *c, *y, y_data, algorithm,
                  workspace, bytes, alpha, beta);
}
cudnnStatus_t cudnnConvolutionBackwardFilter(cudnnHandle_t handle, const void* alpha,
                                             const cudnnTensorDescriptor_t x, const void* x_data,
                                             const cudnnTensorDescriptor_t y, const void* y_data,
                                             const cudnnConvolutionDescriptor_t c,
                                             cudnnConvolutionBwdFilterAlgo_t algorithm,
                                             void* workspace, size_t bytes, const void* beta,
                                             const cudnnFilterDescriptor_t w, void* w_data) {
  return Convolve(handle, Result::kFilter, *x, x_data, *w, w_data, *c, *y, y_data, algorithm,
                  workspace, bytes, alpha, beta);
}

namespace sluice::cuda_double {

void* FindCudnn(const char* function) {
  const auto at = [](auto* f) { return reinterpret_cast<void*>(f); };
  static const LibraryFunction functions[] = {
      {"cudnnGetVersion", at(&cudnnGetVersion)},
      {"cudnnGetErrorString", at(&cudnnGetErrorString)},
      {"cudnnCreate", at(&cudnnCreate)},
      {"cudnnSetStream", at(&cudnnSetStream)},
      {"cudnnCreateTensorDescriptor", at(&cudnnCreateTensorDescriptor)},
      {"cudnnDestroyTensorDescriptor", at(&cudnnDestroyTensorDescriptor)},
      {"cudnnSetTensor4dDescriptor", at(&cudnnSetTensor4dDescriptor)},
      {"cudnnCreateFilterDescriptor", at(&cudnnCreateFilterDescriptor)},
      {"cudnnDestroyFilterDescriptor", at(&cudnnDestroyFilterDescriptor)},
      {"cudnnSetFilter4dDescriptor", at(&cudnnSetFilter4dDescriptor)},
      {"cudnnCreateConvolutionDescriptor", at(&cudnnCreateConvolutionDescriptor)},
      {"cudnnDestroyConvolutionDescriptor", at(&cudnnDestroyConvolutionDescriptor)},
      {"cudnnSetConvolution2dDescriptor", at(&cudnnSetConvolution2dDescriptor)},
      {"cudnnSetConvolutionGroupCount", at(&cudnnSetConvolutionGroupCount)},
      {"cudnnSetConvolutionMathType", at(&cudnnSetConvolutionMathType)},
      {"cudnnGetConvolutionForwardAlgorithm_v7", at(&cudnnGetConvolutionForwardAlgorithm_v7)},
      {"cudnnGetConvolutionBackwardDataAlgorithm_v7",
       at(&cudnnGetConvolutionBackwardDataAlgorithm_v7)},
      {"cudnnGetConvolutionBackwardFilterAlgorithm_v7",
       at(&cudnnGetConvolutionBackwardFilterAlgorithm_v7)},
      {"cudnnConvolutionForward", at(&cudnnConvolutionForward)},
      {"cudnnConvolutionBackwardData", at(&cudnnConvolutionBackwardData)},
      {"cudnnConvolutionBackwardFilter", at(&cudnnConvolutionBackwardFilter)},
  };
  for (const LibraryFunction& f : functions) {
    if (std::string_view(f.name) == function) return f.function;
  }
  return nullptr;
}

}  // namespace sluice::cuda_double
#else
#include "tests/cuda_double/libraries/libraries.h"

namespace sluice::cuda_double {

void* FindCudnn(const char*) { return nullptr; }

}  // namespace sluice::cuda_double
#endif
