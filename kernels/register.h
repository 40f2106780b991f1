#ifndef SLUICE_KERNELS_REGISTER_H_
#define SLUICE_KERNELS_REGISTER_H_

#include <memory>

#include "absl/strings/string_view.h"
#include "core/kernel_registry.h"

namespace sluice::kernels {

// Enters every kernel of this program: the only thing that floors above need to know of kernels/.
void RegisterAllKernels(KernelRegistry& kernels);

// The same, made once.
std::shared_ptr<const KernelRegistry> AllKernels();

// One function per family; each stands at the end of the family's file.

// any/: no arithmetic on device memory, or host state that all devices share.
void RegisterFlow(KernelRegistry& kernels, absl::string_view device_type);
void RegisterSendRecv(KernelRegistry& kernels, absl::string_view device_type);
void RegisterCalls(KernelRegistry& kernels);
void RegisterSessionHandles(KernelRegistry& kernels, absl::string_view device_type);
void RegisterState(KernelRegistry& kernels);
void RegisterResourceVariables(KernelRegistry& kernels);
void RegisterTensorArrays(KernelRegistry& kernels);
void RegisterStacks(KernelRegistry& kernels);
void RegisterStaging(KernelRegistry& kernels);
void RegisterMutexes(KernelRegistry& kernels);
void RegisterReaders(KernelRegistry& kernels);
void RegisterRecordInput(KernelRegistry& kernels);
void RegisterFileOps(KernelRegistry& kernels);
void RegisterCheckpoints(KernelRegistry& kernels);
void RegisterOlderCheckpoints(KernelRegistry& kernels);
void RegisterRemapping(KernelRegistry& kernels);
void RegisterSummaries(KernelRegistry& kernels);
void RegisterSummaryWriters(KernelRegistry& kernels);
void RegisterRagged(KernelRegistry& kernels);
void RegisterStringElements(KernelRegistry& kernels);
void RegisterStringNGrams(KernelRegistry& kernels);
void RegisterStringNumbers(KernelRegistry& kernels);
void RegisterStringShapes(KernelRegistry& kernels);
void RegisterStringText(KernelRegistry& kernels);
void RegisterUnicode(KernelRegistry& kernels);
void RegisterAccumulators(KernelRegistry& kernels);
void RegisterBarriers(KernelRegistry& kernels);
void RegisterQueues(KernelRegistry& kernels);
void RegisterTensorLists(KernelRegistry& kernels);
void RegisterTensorListStacks(KernelRegistry& kernels);
void RegisterOptionals(KernelRegistry& kernels);
void RegisterVariantMath(KernelRegistry& kernels);

// cpu/
void RegisterMatMul(KernelRegistry& kernels);
void RegisterBias(KernelRegistry& kernels);
void RegisterSoftmax(KernelRegistry& kernels);
void RegisterTraining(KernelRegistry& kernels);
void RegisterConv(KernelRegistry& kernels);
void RegisterDepthwiseConv(KernelRegistry& kernels);
void RegisterMaxPooling(KernelRegistry& kernels);
void RegisterAvgPooling(KernelRegistry& kernels);
void RegisterBatchNorm(KernelRegistry& kernels);
void RegisterLrn(KernelRegistry& kernels);
void RegisterRandom(KernelRegistry& kernels);
void RegisterUnary(KernelRegistry& kernels);
void RegisterUnaryMath(KernelRegistry& kernels);
void RegisterBinary(KernelRegistry& kernels);
void RegisterBinaryMath(KernelRegistry& kernels);
void RegisterComparison(KernelRegistry& kernels);
void RegisterActivationGrad(KernelRegistry& kernels);
void RegisterAddN(KernelRegistry& kernels);
void RegisterSelect(KernelRegistry& kernels);
void RegisterCast(KernelRegistry& kernels);
void RegisterWhere(KernelRegistry& kernels);
void RegisterScan(KernelRegistry& kernels);
void RegisterSequence(KernelRegistry& kernels);
void RegisterReduceSum(KernelRegistry& kernels);
void RegisterReduceOrder(KernelRegistry& kernels);
void RegisterArgReduction(KernelRegistry& kernels);
void RegisterSegments(KernelRegistry& kernels);
void RegisterSparseSegments(KernelRegistry& kernels);
void RegisterShapeOps(KernelRegistry& kernels);
void RegisterBroadcastOps(KernelRegistry& kernels);
void RegisterFill(KernelRegistry& kernels);
void RegisterConcat(KernelRegistry& kernels);
void RegisterSlice(KernelRegistry& kernels);
void RegisterPad(KernelRegistry& kernels);
void RegisterGather(KernelRegistry& kernels);
void RegisterScatterNd(KernelRegistry& kernels);
void RegisterTranspose(KernelRegistry& kernels);
void RegisterSpaceDepth(KernelRegistry& kernels);
void RegisterDiagonal(KernelRegistry& kernels);
void RegisterOneHot(KernelRegistry& kernels);
void RegisterGatherTree(KernelRegistry& kernels);
void RegisterUnique(KernelRegistry& kernels);
void RegisterDynamicPartition(KernelRegistry& kernels);
void RegisterTopK(KernelRegistry& kernels);
void RegisterGlobalBatchNorm(KernelRegistry& kernels);
void RegisterWav(KernelRegistry& kernels);
void RegisterSpectrograms(KernelRegistry& kernels);
void RegisterFusedPadConv(KernelRegistry& kernels);
void RegisterDataFormats(KernelRegistry& kernels);
void RegisterNthElement(KernelRegistry& kernels);
void RegisterKmeans(KernelRegistry& kernels);
void RegisterDilation(KernelRegistry& kernels);
void RegisterFractionalPool(KernelRegistry& kernels);
void RegisterImageRegions(KernelRegistry& kernels);
void RegisterColours(KernelRegistry& kernels);
void RegisterCropAndResize(KernelRegistry& kernels);
void RegisterNonMaxSuppression(KernelRegistry& kernels);
void RegisterResize(KernelRegistry& kernels);
void RegisterProjectiveTransform(KernelRegistry& kernels);
void RegisterResampler(KernelRegistry& kernels);
void RegisterGru(KernelRegistry& kernels);
void RegisterLstm(KernelRegistry& kernels);
void RegisterSparseOrder(KernelRegistry& kernels);
void RegisterSparseMath(KernelRegistry& kernels);
void RegisterSparseMatMul(KernelRegistry& kernels);
void RegisterSparseReduce(KernelRegistry& kernels);
void RegisterCandidateSamplers(KernelRegistry& kernels);
void RegisterStridedSliceAssign(KernelRegistry& kernels);
void RegisterSearch(KernelRegistry& kernels);
void RegisterRows(KernelRegistry& kernels);
void RegisterPatches(KernelRegistry& kernels);
void RegisterBits(KernelRegistry& kernels);
void RegisterFakeQuant(KernelRegistry& kernels);
void RegisterQuantize(KernelRegistry& kernels);
void RegisterQuantizeAndDequantize(KernelRegistry& kernels);
void RegisterSets(KernelRegistry& kernels);
void RegisterEditDistance(KernelRegistry& kernels);
void RegisterSparseSerialize(KernelRegistry& kernels);
void RegisterSparseMaps(KernelRegistry& kernels);
void RegisterSparseCross(KernelRegistry& kernels);
void RegisterSparseSlice(KernelRegistry& kernels);
void RegisterStringJoin(KernelRegistry& kernels);
void RegisterCholesky(KernelRegistry& kernels);
void RegisterLu(KernelRegistry& kernels);
void RegisterTriangularSolve(KernelRegistry& kernels);
void RegisterEigenvalues(KernelRegistry& kernels);
void RegisterSvd(KernelRegistry& kernels);
void RegisterQr(KernelRegistry& kernels);
void RegisterSolveLs(KernelRegistry& kernels);
void RegisterMatrixFunctions(KernelRegistry& kernels);
void RegisterFft(KernelRegistry& kernels);
void RegisterTridiagonal(KernelRegistry& kernels);
void RegisterEinsum(KernelRegistry& kernels);
void RegisterSpecial(KernelRegistry& kernels);
void RegisterRandomBounded(KernelRegistry& kernels);
void RegisterRandomGamma(KernelRegistry& kernels);
void RegisterRandomBinomial(KernelRegistry& kernels);
void RegisterStatefulRandom(KernelRegistry& kernels);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_REGISTER_H_
