#include "kernels/register.h"

#include "kernels/any/batcher.h"
#include "kernels/any/debug.h"

namespace sluice::kernels {

void RegisterAllKernels(KernelRegistry& kernels) {
  RegisterFlow(kernels, kCpu);
  RegisterSendRecv(kernels, kCpu);
  RegisterCalls(kernels);
  RegisterSessionHandles(kernels, kCpu);
  RegisterState(kernels);
  RegisterResourceVariables(kernels);
  RegisterTensorArrays(kernels);
  RegisterStacks(kernels);
  RegisterStaging(kernels);
  RegisterMutexes(kernels);
  RegisterReaders(kernels);
  RegisterRecordInput(kernels);
  RegisterFileOps(kernels);
  RegisterCheckpoints(kernels);
  RegisterOlderCheckpoints(kernels);
  RegisterRemapping(kernels);
  RegisterSummaries(kernels);
  RegisterSummaryWriters(kernels);
  RegisterDebugOps(kernels);
  RegisterRagged(kernels);
  RegisterBatching(kernels);
  RegisterUnbatching(kernels);
  RegisterStringElements(kernels);
  RegisterStringNGrams(kernels);
  RegisterStringNumbers(kernels);
  RegisterStringShapes(kernels);
  RegisterStringText(kernels);
  RegisterUnicode(kernels);
  RegisterAccumulators(kernels);
  RegisterBarriers(kernels);
  RegisterQueues(kernels);
  RegisterTensorLists(kernels);
  RegisterTensorListStacks(kernels);
  RegisterOptionals(kernels);
  RegisterVariantMath(kernels);

  RegisterMatMul(kernels);
  RegisterBias(kernels);
  RegisterSoftmax(kernels);
  RegisterTraining(kernels);
  RegisterConv(kernels);
  RegisterDepthwiseConv(kernels);
  RegisterMaxPooling(kernels);
  RegisterAvgPooling(kernels);
  RegisterBatchNorm(kernels);
  RegisterLrn(kernels);
  RegisterRandom(kernels);
  RegisterUnary(kernels);
  RegisterUnaryMath(kernels);
  RegisterBinary(kernels);
  RegisterBinaryMath(kernels);
  RegisterComparison(kernels);
  RegisterActivationGrad(kernels);
  RegisterAddN(kernels);
  RegisterSelect(kernels);
  RegisterCast(kernels);
  RegisterWhere(kernels);
  RegisterScan(kernels);
  RegisterSequence(kernels);
  RegisterReduceSum(kernels);
  RegisterReduceOrder(kernels);
  RegisterArgReduction(kernels);
  RegisterSegments(kernels);
  RegisterSparseSegments(kernels);
  RegisterShapeOps(kernels);
  RegisterBroadcastOps(kernels);
  RegisterFill(kernels);
  RegisterConcat(kernels);
  RegisterSlice(kernels);
  RegisterPad(kernels);
  RegisterGather(kernels);
  RegisterScatterNd(kernels);
  RegisterTranspose(kernels);
  RegisterSpaceDepth(kernels);
  RegisterDiagonal(kernels);
  RegisterOneHot(kernels);
  RegisterGatherTree(kernels);
  RegisterUnique(kernels);
  RegisterDynamicPartition(kernels);
  RegisterTopK(kernels);
  RegisterGlobalBatchNorm(kernels);
  RegisterWav(kernels);
  RegisterSpectrograms(kernels);
  RegisterFusedPadConv(kernels);
  RegisterDataFormats(kernels);
  RegisterNthElement(kernels);
  RegisterKmeans(kernels);
  RegisterDilation(kernels);
  RegisterFractionalPool(kernels);
  RegisterImageRegions(kernels);
  RegisterColours(kernels);
  RegisterCropAndResize(kernels);
  RegisterNonMaxSuppression(kernels);
  RegisterResize(kernels);
  RegisterProjectiveTransform(kernels);
  RegisterResampler(kernels);
  RegisterGru(kernels);
  RegisterLstm(kernels);
  RegisterSparseOrder(kernels);
  RegisterSparseMath(kernels);
  RegisterSparseMatMul(kernels);
  RegisterSparseReduce(kernels);
  RegisterCandidateSamplers(kernels);
  RegisterStridedSliceAssign(kernels);
  RegisterSearch(kernels);
  RegisterRows(kernels);
  RegisterPatches(kernels);
  RegisterBits(kernels);
  RegisterFakeQuant(kernels);
  RegisterQuantize(kernels);
  RegisterQuantizeAndDequantize(kernels);
  RegisterSets(kernels);
  RegisterEditDistance(kernels);
  RegisterSparseSerialize(kernels);
  RegisterSparseMaps(kernels);
  RegisterSparseCross(kernels);
  RegisterSparseSlice(kernels);
  RegisterStringJoin(kernels);
  RegisterCholesky(kernels);
  RegisterLu(kernels);
  RegisterTriangularSolve(kernels);
  RegisterEigenvalues(kernels);
  RegisterSvd(kernels);
  RegisterQr(kernels);
  RegisterSolveLs(kernels);
  RegisterMatrixFunctions(kernels);
  RegisterTridiagonal(kernels);
  RegisterEinsum(kernels);
  RegisterFft(kernels);
  RegisterSpecial(kernels);
  RegisterRandomBounded(kernels);
  RegisterRandomGamma(kernels);
  RegisterRandomBinomial(kernels);
  RegisterStatefulRandom(kernels);
}

std::shared_ptr<const KernelRegistry> AllKernels() {
  static const auto* const kAll = [] {
    auto kernels = std::make_shared<KernelRegistry>();
    RegisterAllKernels(*kernels);
    return new std::shared_ptr<const KernelRegistry>(std::move(kernels));
  }();
  return *kAll;
}

}  // namespace sluice::kernels
