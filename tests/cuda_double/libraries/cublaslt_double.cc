// SPDX-License-Identifier: Apache-2.0
// The double of cuBLASLt: products by plain loops, in the library's column-major order.
#include <cublasLt.h>

#include <atomic>
#include <cstring>
#include <string_view>

#include "core/device/cuda_launch.h"
#include "tests/cuda_double/libraries/libraries.h"
#include "tests/cuda_double/libraries/library_double.h"

namespace sluice::cuda_double {
namespace {

std::atomic<bool> is_unsupported{false};

// The library's opaque types, with their content.
struct LayoutDouble : cublasLtMatrixLayoutOpaque_t {
  cudaDataType type;
  int64_t rows, columns, ld;
  int32_t batch = 1;
  int64_t stride = 0;
};
struct DescDouble : cublasLtMatmulDescOpaque_t {
  cudaDataType scale;
  cublasComputeType_t compute;
  cublasOperation_t a = CUBLAS_OP_N, b = CUBLAS_OP_N;
};
struct PreferenceDouble : cublasLtMatmulPreferenceOpaque_t {
  uint64_t workspace = 0;
  uint32_t align[4] = {256, 256, 256, 256};  // a, b, c, d
};
// In an algorithm's bytes.
struct AlgorithmDouble {
  uint64_t magic, workspace;
  uint32_t align[4];
};
constexpr uint64_t kMagic = 0x5a17c0de;
static_assert(sizeof(AlgorithmDouble) <= sizeof(cublasLtMatmulAlgo_t));

// An operand as its operation shows it.
struct Operand {
  const void* data;
  cudaDataType type;
  int64_t ld, stride;
  cublasOperation_t op;

  std::complex<double> At(int64_t batch, int64_t row, int64_t column) const {
    const bool plain = op == CUBLAS_OP_N;
    const int64_t i = plain ? column * ld + row : row * ld + column;
    const std::complex<double> value = ReadElement(type, data, batch * stride + i);
    return op == CUBLAS_OP_C ? std::conj(value) : value;
  }
};
struct ProductDouble {
  Operand a, b;
  int64_t m, n, k, batch;
  double alpha, beta;
  void* d;
  int64_t ld, stride;
  unsigned char* workspace;
  uint64_t workspace_bytes;
};

void ProductKernel(ProductDouble p) {
  if (p.workspace_bytes > 0) std::memset(p.workspace, 0x3C, p.workspace_bytes);
  for (int64_t batch = 0; batch < p.batch; ++batch) {
    for (int64_t column = 0; column < p.n; ++column) {
      for (int64_t row = 0; row < p.m; ++row) {
        std::complex<double> sum = 0;
        for (int64_t i = 0; i < p.k; ++i) sum += p.a.At(batch, row, i) * p.b.At(batch, i, column);
        const int64_t at = batch * p.stride + column * p.ld + row;
        if (p.beta != 0) sum += p.beta * ReadElement(p.a.type, p.d, at);
        WriteElement(p.a.type, p.d, at, p.alpha * sum);
      }
    }
  }
}

bool IsAligned(const void* pointer, uint32_t bytes) {
  return reinterpret_cast<uintptr_t>(pointer) % bytes == 0;
}

double RealScale(cudaDataType scale, const void* value) {
  const bool wide = scale == CUDA_R_64F || scale == CUDA_C_64F;
  return wide ? *static_cast<const double*>(value) : *static_cast<const float*>(value);
}

// Whether sums and scales are of the types that the library has for the data.
bool TypesFit(const DescDouble& desc, cudaDataType data) {
  switch (data) {
    case CUDA_R_16F:
    case CUDA_R_16BF:
    case CUDA_R_32F:
      return desc.compute == CUBLAS_COMPUTE_32F && desc.scale == CUDA_R_32F;
    case CUDA_C_32F:
      return desc.compute == CUBLAS_COMPUTE_32F && desc.scale == CUDA_C_32F;
    case CUDA_R_64F:
      return desc.compute == CUBLAS_COMPUTE_64F && desc.scale == CUDA_R_64F;
    case CUDA_C_64F:
      return desc.compute == CUBLAS_COMPUTE_64F && desc.scale == CUDA_C_64F;
    default:
      return false;
  }
}

int64_t RowsOf(const LayoutDouble& x, cublasOperation_t op) {
  return op == CUBLAS_OP_N ? x.rows : x.columns;
}
int64_t ColumnsOf(const LayoutDouble& x, cublasOperation_t op) {
  return op == CUBLAS_OP_N ? x.columns : x.rows;
}

bool Fits(const DescDouble& desc, const LayoutDouble& a, const LayoutDouble& b,
          const LayoutDouble& d) {
  for (const LayoutDouble* x : {&a, &b, &d}) {
    if (x->ld < x->rows || x->rows <= 0 || x->columns <= 0) return false;
    if (x->type != a.type || x->batch != a.batch || x->batch > 65535) return false;
  }
  if (d.batch > 1 && d.stride < d.ld * d.columns) return false;
  return TypesFit(desc, a.type) && ColumnsOf(a, desc.a) == RowsOf(b, desc.b) &&
         RowsOf(a, desc.a) == d.rows && ColumnsOf(b, desc.b) == d.columns;
}

}  // namespace

LibraryCalls& CountLibraryCalls() {
  static LibraryCalls calls;
  return calls;
}

void SetUnsupported(bool unsupported) { is_unsupported = unsupported; }
bool IsUnsupportedNow() { return is_unsupported; }

}  // namespace sluice::cuda_double

using namespace sluice::cuda_double;  // NOLINT: the functions below are the library's

size_t cublasLtGetVersion() { return CUBLAS_VERSION; }
const char* cublasLtGetStatusName(cublasStatus_t status) {
  switch (status) {
    case CUBLAS_STATUS_SUCCESS:
      return "CUBLAS_STATUS_SUCCESS";
    case CUBLAS_STATUS_INVALID_VALUE:
      return "CUBLAS_STATUS_INVALID_VALUE";
    case CUBLAS_STATUS_EXECUTION_FAILED:
      return "CUBLAS_STATUS_EXECUTION_FAILED";
    case CUBLAS_STATUS_NOT_SUPPORTED:
      return "CUBLAS_STATUS_NOT_SUPPORTED";
    default:
      return "CUBLAS_STATUS of the double";
  }
}
cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  static int the_handle;
  *handle = reinterpret_cast<cublasLtHandle_t>(&the_handle);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType type,
                                          uint64_t rows, uint64_t columns, int64_t ld) {
  auto* made = new LayoutDouble;
  made->type = type;
  made->rows = static_cast<int64_t>(rows);
  made->columns = static_cast<int64_t>(columns);
  made->ld = ld;
  *layout = made;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
  delete static_cast<LayoutDouble*>(layout);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout,
                                                cublasLtMatrixLayoutAttribute_t attribute,
                                                const void* value, size_t bytes) {
  auto* to = static_cast<LayoutDouble*>(layout);
  if (attribute == CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT && bytes == sizeof(to->batch)) {
    std::memcpy(&to->batch, value, bytes);
    return CUBLAS_STATUS_SUCCESS;
  }
  if (attribute == CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET && bytes == sizeof(to->stride)) {
    std::memcpy(&to->stride, value, bytes);
    return CUBLAS_STATUS_SUCCESS;
  }
  return CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* desc, cublasComputeType_t compute,
                                        cudaDataType_t scale) {
  auto* made = new DescDouble;
  made->scale = scale;
  made->compute = compute;
  *desc = made;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t desc) {
  delete static_cast<DescDouble*>(desc);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t desc,
                                              cublasLtMatmulDescAttributes_t attribute,
                                              const void* value, size_t bytes) {
  auto* to = static_cast<DescDouble*>(desc);
  if (bytes != sizeof(cublasOperation_t)) return CUBLAS_STATUS_INVALID_VALUE;
  if (attribute == CUBLASLT_MATMUL_DESC_TRANSA) {
    std::memcpy(&to->a, value, bytes);
  } else if (attribute == CUBLASLT_MATMUL_DESC_TRANSB) {
    std::memcpy(&to->b, value, bytes);
  } else {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference) {
  *preference = new PreferenceDouble;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
  delete static_cast<PreferenceDouble*>(preference);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                    cublasLtMatmulPreferenceAttributes_t attribute,
                                                    const void* value, size_t bytes) {
  auto* to = static_cast<PreferenceDouble*>(preference);
  const cublasLtMatmulPreferenceAttributes_t alignments[] = {
      CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES,
      CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES};
  if (attribute == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES && bytes == sizeof(to->workspace)) {
    std::memcpy(&to->workspace, value, bytes);
    return CUBLAS_STATUS_SUCCESS;
  }
  for (int i = 0; i < 4; ++i) {
    if (attribute == alignments[i] && bytes == sizeof(uint32_t)) {
      std::memcpy(&to->align[i], value, bytes);
      return CUBLAS_STATUS_SUCCESS;
    }
  }
  return CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t, cublasLtMatmulDesc_t desc,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t preference, int requested,
                                              cublasLtMatmulHeuristicResult_t* results,
                                              int* found) {
  ++CountLibraryCalls().heuristics;
  *found = 0;
  if (requested < 1 || !Fits(*static_cast<DescDouble*>(desc), *static_cast<LayoutDouble*>(a),
                             *static_cast<LayoutDouble*>(b), *static_cast<LayoutDouble*>(d))) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  if (is_unsupported) return CUBLAS_STATUS_NOT_SUPPORTED;
  const auto* wishes = static_cast<const PreferenceDouble*>(preference);
  const auto* out = static_cast<const LayoutDouble*>(d);
  AlgorithmDouble algorithm{kMagic, out->rows * out->columns >= 64 ? uint64_t{4096} : 0, {}};
  if (algorithm.workspace > wishes->workspace) algorithm.workspace = 0;
  std::memcpy(algorithm.align, wishes->align, sizeof(algorithm.align));
  results[0] = {};
  std::memcpy(&results[0].algo, &algorithm, sizeof(algorithm));
  results[0].workspaceSize = algorithm.workspace;
  results[0].state = CUBLAS_STATUS_SUCCESS;
  *found = 1;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t, cublasLtMatmulDesc_t desc, const void* alpha,
                              const void* a, cublasLtMatrixLayout_t a_layout, const void* b,
                              cublasLtMatrixLayout_t b_layout, const void* beta, const void* c,
                              cublasLtMatrixLayout_t, void* d, cublasLtMatrixLayout_t d_layout,
                              const cublasLtMatmulAlgo_t* algo, void* workspace,
                              size_t workspace_bytes, cudaStream_t stream) {
  ++CountLibraryCalls().products;
  const auto& how = *static_cast<DescDouble*>(desc);
  const auto& la = *static_cast<LayoutDouble*>(a_layout);
  const auto& lb = *static_cast<LayoutDouble*>(b_layout);
  const auto& ld = *static_cast<LayoutDouble*>(d_layout);
  AlgorithmDouble algorithm;
  std::memcpy(&algorithm, algo, sizeof(algorithm));
  if (algorithm.magic != kMagic || workspace_bytes < algorithm.workspace || c != d ||
      !Fits(how, la, lb, ld) || !IsAligned(a, algorithm.align[0]) ||
      !IsAligned(b, algorithm.align[1]) || !IsAligned(d, algorithm.align[3])) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  const ProductDouble product{{a, la.type, la.ld, la.stride, how.a},
                              {b, lb.type, lb.ld, lb.stride, how.b},
                              ld.rows,
                              ld.columns,
                              ColumnsOf(la, how.a),
                              ld.batch,
                              RealScale(how.scale, alpha),
                              RealScale(how.scale, beta),
                              d,
                              ld.ld,
                              ld.stride,
                              static_cast<unsigned char*>(workspace),
                              algorithm.workspace};
  const cudaError_t error =
      sluice::cuda::Launch(&ProductKernel, dim3(1), dim3(1), 0, stream, product);
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

namespace sluice::cuda_double {

void* FindCublasLt(const char* function) {
  static const LibraryFunction functions[] = {
      {"cublasLtGetVersion", reinterpret_cast<void*>(&cublasLtGetVersion)},
      {"cublasLtGetStatusName", reinterpret_cast<void*>(&cublasLtGetStatusName)},
      {"cublasLtCreate", reinterpret_cast<void*>(&cublasLtCreate)},
      {"cublasLtMatrixLayoutCreate", reinterpret_cast<void*>(&cublasLtMatrixLayoutCreate)},
      {"cublasLtMatrixLayoutDestroy", reinterpret_cast<void*>(&cublasLtMatrixLayoutDestroy)},
      {"cublasLtMatrixLayoutSetAttribute",
       reinterpret_cast<void*>(&cublasLtMatrixLayoutSetAttribute)},
      {"cublasLtMatmulDescCreate", reinterpret_cast<void*>(&cublasLtMatmulDescCreate)},
      {"cublasLtMatmulDescDestroy", reinterpret_cast<void*>(&cublasLtMatmulDescDestroy)},
      {"cublasLtMatmulDescSetAttribute", reinterpret_cast<void*>(&cublasLtMatmulDescSetAttribute)},
      {"cublasLtMatmulPreferenceCreate", reinterpret_cast<void*>(&cublasLtMatmulPreferenceCreate)},
      {"cublasLtMatmulPreferenceDestroy",
       reinterpret_cast<void*>(&cublasLtMatmulPreferenceDestroy)},
      {"cublasLtMatmulPreferenceSetAttribute",
       reinterpret_cast<void*>(&cublasLtMatmulPreferenceSetAttribute)},
      {"cublasLtMatmulAlgoGetHeuristic", reinterpret_cast<void*>(&cublasLtMatmulAlgoGetHeuristic)},
      {"cublasLtMatmul", reinterpret_cast<void*>(&cublasLtMatmul)},
  };
  for (const LibraryFunction& f : functions) {
    if (std::string_view(f.name) == function) return f.function;
  }
  return nullptr;
}

}  // namespace sluice::cuda_double
