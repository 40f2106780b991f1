// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/common/cublaslt_product.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "core/device/cuda_status.h"
#include "kernels/cuda/common/bounded_table.h"
#include "kernels/cuda/common/cublaslt.h"
#include "kernels/cuda/common/kernel.h"

namespace sluice::kernels {
namespace {

using cuda::Product;

constexpr size_t kWorkspaceLimit = size_t{32} << 20;  // what NVIDIA recommends for an H100
constexpr size_t kChoices = 4096;

template <typename Opaque>
using Owned = std::unique_ptr<Opaque, cublasStatus_t (*)(Opaque*)>;
using Layout = Owned<cublasLtMatrixLayoutOpaque_t>;

// Types of the operands, of the scalars 1 and 0, and of the sums. Float stays float: no TF32.
struct Types {
  cudaDataType data, scale;
  cublasComputeType_t sum;
};

absl::StatusOr<Types> TypesOf(Element element) {
  switch (element) {
    case Element::kFloat:
      return Types{CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F};
    case Element::kDouble:
      return Types{CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F};
    case Element::kHalf:
      return Types{CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F};
    case Element::kBFloat16:
      return Types{CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F};
    case Element::kComplex64:
      return Types{CUDA_C_32F, CUDA_C_32F, CUBLAS_COMPUTE_32F};
    case Element::kComplex128:
      return Types{CUDA_C_64F, CUDA_C_64F, CUBLAS_COMPUTE_64F};
    default:
      return Internal("cuBLASLt has no products of these elements");
  }
}

struct ProductKey {
  int gpu;
  Product product;
  uint32_t align_a, align_b, align_out;  // bytes

  friend bool operator==(const ProductKey&, const ProductKey&) = default;
  template <typename H>
  friend H AbslHashValue(H h, const ProductKey& key) {
    return H::combine(std::move(h), key.gpu, key.product, key.align_a, key.align_b, key.align_out);
  }
};

// How cuBLASLt computes a product. It computes in column-major order: a row-major matrix is a
// transposed one there, so the operands change places.
struct ProductChoice {
  Owned<cublasLtMatmulDescOpaque_t> desc;
  Layout first, second, out;  // b, a, out
  cublasLtMatmulAlgo_t algo{};
  size_t workspace = 0;
  bool supported = false;
};

uint32_t AlignmentOf(const void* pointer) {
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  return address == 0 ? 256u : static_cast<uint32_t>(std::min<uintptr_t>(256, address & -address));
}

class ProductChooser {
 public:
  ProductChooser(const CublasLt& lib, cublasLtHandle_t handle, const ProductKey& key)
      : lib_(lib), handle_(handle), key_(key) {}

  absl::StatusOr<std::shared_ptr<ProductChoice>> Choose() {
    SLUICE_ASSIGN(const Types types, TypesOf(key_.product.element));
    SLUICE_ASSIGN(auto desc, MakeDesc(types));
    const Product& p = key_.product;
    SLUICE_ASSIGN(auto first, MakeLayout(types.data, p.transpose_b ? p.k : p.n,
                                         p.transpose_b ? p.n : p.k, p.stride_b));
    SLUICE_ASSIGN(auto second, MakeLayout(types.data, p.transpose_a ? p.m : p.k,
                                          p.transpose_a ? p.k : p.m, p.stride_a));
    SLUICE_ASSIGN(auto out, MakeLayout(types.data, p.n, p.m, p.stride_out));
    auto choice = std::make_shared<ProductChoice>(
        ProductChoice{std::move(desc), std::move(first), std::move(second), std::move(out)});
    SLUICE_RETURN_IF_ERROR(FindAlgorithm(*choice));
    return choice;
  }

 private:
  absl::Status Check(cublasStatus_t status) const {
    return lib_.Check(status, "describing a product");
  }

  absl::StatusOr<Owned<cublasLtMatmulDescOpaque_t>> MakeDesc(const Types& types) const {
    cublasLtMatmulDesc_t made = nullptr;
    SLUICE_RETURN_IF_ERROR(Check(lib_.MatmulDescCreate(&made, types.sum, types.scale)));
    Owned<cublasLtMatmulDescOpaque_t> desc(made, lib_.MatmulDescDestroy);
    const Product& p = key_.product;
    const cublasOperation_t transposed = p.conjugate ? CUBLAS_OP_C : CUBLAS_OP_T;
    const cublasOperation_t op_first = p.transpose_b ? transposed : CUBLAS_OP_N;
    const cublasOperation_t op_second = p.transpose_a ? transposed : CUBLAS_OP_N;
    SLUICE_RETURN_IF_ERROR(Check(lib_.MatmulDescSetAttribute(made, CUBLASLT_MATMUL_DESC_TRANSA,
                                                             &op_first, sizeof(op_first))));
    SLUICE_RETURN_IF_ERROR(Check(lib_.MatmulDescSetAttribute(made, CUBLASLT_MATMUL_DESC_TRANSB,
                                                             &op_second, sizeof(op_second))));
    return desc;
  }

  // In column-major order, without gaps.
  absl::StatusOr<Layout> MakeLayout(cudaDataType type, int64_t rows, int64_t columns,
                                    int64_t stride) const {
    cublasLtMatrixLayout_t made = nullptr;
    SLUICE_RETURN_IF_ERROR(Check(lib_.MatrixLayoutCreate(&made, type, static_cast<uint64_t>(rows),
                                                         static_cast<uint64_t>(columns), rows)));
    Layout layout(made, lib_.MatrixLayoutDestroy);
    if (key_.product.batch == 1) return layout;
    const auto batch = static_cast<int32_t>(key_.product.batch);
    SLUICE_RETURN_IF_ERROR(Check(lib_.MatrixLayoutSetAttribute(
        made, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batch, sizeof(batch))));
    SLUICE_RETURN_IF_ERROR(Check(lib_.MatrixLayoutSetAttribute(
        made, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride, sizeof(stride))));
    return layout;
  }

  absl::Status FindAlgorithm(ProductChoice& choice) const {
    cublasLtMatmulPreference_t made = nullptr;
    SLUICE_RETURN_IF_ERROR(Check(lib_.MatmulPreferenceCreate(&made)));
    Owned<cublasLtMatmulPreferenceOpaque_t> preference(made, lib_.MatmulPreferenceDestroy);
    const uint64_t limit = kWorkspaceLimit;
    SLUICE_RETURN_IF_ERROR(Check(lib_.MatmulPreferenceSetAttribute(
        made, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &limit, sizeof(limit))));
    const std::pair<cublasLtMatmulPreferenceAttributes_t, uint32_t> alignments[] = {
        {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, key_.align_b},
        {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, key_.align_a},
        {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, key_.align_out},
        {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, key_.align_out}};
    for (const auto& [attribute, bytes] : alignments) {
      SLUICE_RETURN_IF_ERROR(
          Check(lib_.MatmulPreferenceSetAttribute(made, attribute, &bytes, sizeof(bytes))));
    }
    cublasLtMatmulHeuristicResult_t result{};
    int found = 0;
    const cublasStatus_t status = lib_.MatmulAlgoGetHeuristic(
        handle_, choice.desc.get(), choice.first.get(), choice.second.get(), choice.out.get(),
        choice.out.get(), made, 1, &result, &found);
    if (status == CUBLAS_STATUS_NOT_SUPPORTED) return absl::OkStatus();
    SLUICE_RETURN_IF_ERROR(lib_.Check(status, "choosing an algorithm for a product"));
    if (found == 0 || result.state != CUBLAS_STATUS_SUCCESS) return absl::OkStatus();
    choice.algo = result.algo;
    choice.workspace = result.workspaceSize;
    choice.supported = true;
    return absl::OkStatus();
  }

  const CublasLt& lib_;
  const cublasLtHandle_t handle_;
  const ProductKey& key_;
};

absl::Status Enqueue(const CublasLt& lib, cublasLtHandle_t handle, const ProductChoice& choice,
                     bool is_wide, const void* a, const void* b, void* out, cudaStream_t stream,
                     Workspace workspace) {
  // 1 and 0 in the scale's type; a complex number begins with its real part.
  static constexpr float kOne[2] = {1, 0}, kZero[2] = {0, 0};
  static constexpr double kWideOne[2] = {1, 0}, kWideZero[2] = {0, 0};
  Tensor memory;
  if (choice.workspace > 0) {
    SLUICE_ASSIGN(memory, workspace(static_cast<int64_t>(choice.workspace)));
  }
  const void* const one = is_wide ? static_cast<const void*>(kWideOne) : kOne;
  const void* const zero = is_wide ? static_cast<const void*>(kWideZero) : kZero;
  return lib.Check(
      lib.Matmul(handle, choice.desc.get(), one, b, choice.first.get(), a, choice.second.get(),
                 zero, out, choice.out.get(), out, choice.out.get(), &choice.algo, memory.raw(),
                 choice.workspace, stream),
      "enqueuing a product");
}

}  // namespace

absl::Status MultiplyByCublasLt(const Product& product, const void* a, const void* b, void* out,
                                cudaStream_t stream, Workspace workspace) {
  static auto* const choices = new BoundedTable<ProductKey, ProductChoice>(kChoices);
  SLUICE_ASSIGN(const CublasLt* lib, CublasLt::Get());
  ProductKey key{.gpu = 0,
                 .product = product,
                 .align_a = AlignmentOf(a),
                 .align_b = AlignmentOf(b),
                 .align_out = AlignmentOf(out)};
  SLUICE_RETURN_IF_ERROR(cuda::ToStatus(cudaGetDevice(&key.gpu), "asking for the current GPU"));
  SLUICE_ASSIGN(const cublasLtHandle_t handle, lib->HandleOf(key.gpu));
  std::shared_ptr<ProductChoice> choice = choices->Find(key);
  if (choice == nullptr) {
    SLUICE_ASSIGN(choice, ProductChooser(*lib, handle, key).Choose());
    choice = choices->Insert(key, std::move(choice));
  }
  if (!choice->supported) return Launched(LaunchProduct(product, a, b, out, stream));
  const bool is_wide =
      product.element == Element::kDouble || product.element == Element::kComplex128;
  return Enqueue(*lib, handle, *choice, is_wide, a, b, out, stream, workspace);
}

}  // namespace sluice::kernels
