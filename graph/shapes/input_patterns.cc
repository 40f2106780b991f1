// SPDX-License-Identifier: Apache-2.0
#include "graph/shapes/input_patterns.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"

namespace sluice::graph {
namespace {

// A pattern for each input, in order:
//
//   *          any shape                          []         a scalar
//   [n,4]      rank 2; the second size is 4       [n,...]    rank 1 or more
//   [...,m]    rank 1 or more, the last size      [@,m,k]    the same, and equal sizes before
//   <=1        rank 1 at most                     =0         the shape of input 0
//
// A letter is the same size in all patterns; _ is any size. Further inputs may have any shape.
struct Row {
  const char* ops;
  const char* patterns;
};

constexpr Row kTable[] = {
    // Arrays.
    {"BroadcastArgs BroadcastGradientArgs ListDiff", "[_] [_]"},
    {"Concat", "[]"},
    {"Empty", "<=1"},
    {"InvertPermutation", "[_]"},
    {"Fill", "<=1 []"},
    {"GatherV2", "[_,...] * []"},
    {"Unique UniqueWithCounts", "[_]"},
    {"LowerBound UpperBound", "[b,_] [b,_]"},
    {"OneHot", "* [] [] []"},
    {"QuantizeAndDequantizeV2", "* [] []"},
    {"QuantizeV2", "* [] []"},
    {"QuantizedConcat", "[]"},
    {"ReverseV2 Reverse", "* [_]"},
    {"Roll", "[_,...] <=1 =1"},
    {"SpaceToBatchND BatchToSpaceND", "[_,...] [m] [m,2]"},
    {"SpaceToBatch BatchToSpace", "[_,_,_,_] [2,2]"},
    {"Split", "[] *"},
    {"SplitV", "* [_] []"},
    {"StridedSliceGrad", "<=1"},
    {"Diag", "[_,...]"},
    // Mathematics.
    {"All Any EuclideanNorm Max Mean Min Prod Sum", "* <=1"},
    {"Bincount", "* []"},
    {"HistogramFixedWidth", "* [2] []"},
    {"LinSpace Range", "[] [] []"},
    {"NthElement", "[_,...] []"},
    {"SegmentMax SegmentMean SegmentMin SegmentProd SegmentSum", "[_,...] [_]"},
    {"SparseSegmentMean SparseSegmentSqrtN SparseSegmentSum", "[_,...] [k] [k]"},
    {"SparseSegmentMeanWithNumSegments SparseSegmentSqrtNWithNumSegments "
     "SparseSegmentSumWithNumSegments SparseSegmentMeanGrad SparseSegmentSqrtNGrad",
     "[_,...] [k] [k] []"},
    {"UnsortedSegmentJoin UnsortedSegmentMax UnsortedSegmentMin UnsortedSegmentProd "
     "UnsortedSegmentSum",
     "* * []"},
    // Linear algebra and Fourier transforms.
    {"FFT IFFT", "[...,_]"},
    {"FFT2D IFFT2D", "[...,_,_]"},
    {"FFT3D IFFT3D", "[...,_,_,_]"},
    {"IRFFT RFFT", "[...,_] [1]"},
    {"IRFFT2D RFFT2D", "[...,_,_] [2]"},
    {"IRFFT3D RFFT3D", "[...,_,_,_] [3]"},
    {"LogMatrixDeterminant MatrixDeterminant", "[...,m,m]"},
    {"MatrixSolve", "[@,m,m] [@,m,_]"},
    {"MatrixTriangularSolve", "[...,m,m] [...,m,_]"},
    {"MatrixSolveLs", "[@,m,_] [@,m,_] []"},
    {"TridiagonalMatMul", "[@,1,m] [@,1,m] [@,1,m] [@,m,_]"},
    {"TridiagonalSolve", "[@,3,m] [@,m,_]"},
    // Neural networks.
    {"AvgPoolGrad", "[4] [_,_,_,_]"},
    {"AvgPool3DGrad", "[5] [_,_,_,_,_]"},
    {"Conv2DBackpropFilter DepthwiseConv2dNativeBackpropFilter", "* [4]"},
    {"Conv2DBackpropInput DepthwiseConv2dNativeBackpropInput", "[4]"},
    {"Conv3DBackpropFilterV2", "* [5]"},
    {"Conv3DBackpropInputV2", "[5]"},
    {"FakeQuantWithMinMaxVars", "* [] []"},
    {"FakeQuantWithMinMaxVarsGradient", "=1 * [] []"},
    {"FakeQuantWithMinMaxVarsPerChannel", "[...,d] [d] [d]"},
    {"FakeQuantWithMinMaxVarsPerChannelGradient", "=1 [...,d] [d] [d]"},
    {"LogSoftmax Softmax", "[_,...]"},
    {"MaxPool3DGradGrad", "[_,_,_,_,_] [_,_,_,_,_] =0"},
    {"MaxPoolGradGrad", "* * =0"},
    {"MaxPoolGradGradV2", "* * =0 [4] [4]"},
    {"MaxPoolGradV2", "* * * [4] [4]"},
    {"MaxPoolV2", "* [4] [4]"},
    {"TopKV2", "[_,...] []"},
    // Images and sound.
    {"AdjustContrastv2 AdjustHue AdjustSaturation", "[...,_,_,_] []"},
    {"CombinedNonMaxSuppression", "[b,n,_,4] [b,n,_] [] [] [] []"},
    {"CropAndResize", "[_,_,_,_] [n,4] [n] [2]"},
    {"CropAndResizeGradImage", "* * * [4]"},
    {"DecodeWav", "[]"},
    {"DrawBoundingBoxes", "[_,_,_,_] [_,_,4]"},
    {"EncodeWav", "[_,_] []"},
    {"ExtractGlimpse ExtractGlimpseV2", "[b,_,_,_] [2] [b,2]"},
    {"Mfcc", "[_,_,_] []"},
    {"NonMaxSuppression", "[n,4] [n] []"},
    {"NonMaxSuppressionV2", "[n,4] [n] [] []"},
    {"NonMaxSuppressionV3 NonMaxSuppressionV4", "[n,4] [n] [] [] []"},
    {"NonMaxSuppressionV5", "[n,4] [n] [] [] [] []"},
    {"NonMaxSuppressionWithOverlaps", "[n,n] [n] [] [] []"},
    {"SampleDistortedBoundingBox", "[3] [_,_,4]"},
    {"SampleDistortedBoundingBoxV2", "[3] [_,_,4] []"},
    // Sparse tensors and sets.
    {"DenseToSparseSetOperation", "[_,_,...] [n,s] [n] [s]"},
    {"EditDistance SparseToSparseSetOperation", "[m,r] [m] [r] [n,s] [n] [s]"},
    {"SparseFillEmptyRowsGrad", "[_] [_]"},
    {"SparseTensorDenseMatMul", "[_,_] [_] [2] [_,_]"},
    {"SparseToDense", "* <=1"},
    // Random numbers.
    {"RandomGamma RandomPoissonV2 RandomStandardNormal RandomUniform TruncatedNormal", "<=1"},
    {"RandomUniformInt", "<=1 [] []"},
    {"StatelessRandomNormal StatelessRandomUniform StatelessTruncatedNormal", "<=1 [2]"},
    {"StatelessRandomUniformInt", "<=1 [2] [] []"},
};

struct Pattern {
  enum Kind { kAny, kExact, kFront, kBack, kBatch, kSame, kAtMost } kind = kAny;
  std::vector<int64_t> sizes;  // of kExact, kFront, kBack: -1 for any, else a number or a letter
  int number = 0;              // of kSame and kAtMost
  std::string text;
};

constexpr int64_t kFirstLetter = -1000;
int64_t SizeOfLetter(char letter) { return kFirstLetter - letter; }

Pattern Parse(absl::string_view text) {
  Pattern pattern;
  pattern.text = std::string(text);
  if (text == "*") return pattern;
  if (text[0] == '=' || text[0] == '<') {
    pattern.kind = text[0] == '=' ? Pattern::kSame : Pattern::kAtMost;
    pattern.number = text.back() - '0';
    return pattern;
  }
  pattern.kind = Pattern::kExact;
  for (absl::string_view part : absl::StrSplit(text.substr(1, text.size() - 2), ',')) {
    int64_t number = 0;
    if (part == "...") {
      pattern.kind = pattern.sizes.empty() ? Pattern::kBack : Pattern::kFront;
    } else if (part == "@") {
      pattern.kind = Pattern::kBatch;
    } else if (absl::SimpleAtoi(part, &number)) {
      pattern.sizes.push_back(number);
    } else if (!part.empty()) {
      pattern.sizes.push_back(part == "_" ? -1 : SizeOfLetter(part[0]));
    }
  }
  return pattern;
}

using Patterns = std::vector<Pattern>;
const Patterns* FindPatterns(absl::string_view op) {
  static const auto& all = *[] {
    auto* table = new absl::flat_hash_map<absl::string_view, Patterns>;
    for (const Row& row : kTable) {
      Patterns patterns;
      for (absl::string_view text : absl::StrSplit(row.patterns, ' '))
        patterns.push_back(Parse(text));
      for (absl::string_view name : absl::StrSplit(row.ops, ' ')) (*table)[name] = patterns;
    }
    return table;
  }();
  auto it = all.find(op);
  return it == all.end() ? nullptr : &it->second;
}

class Matcher {
 public:
  explicit Matcher(const ShapeContext& c) : c_(c) { letters_.fill(-1); }

  bool Matches(const Pattern& pattern, const PartialShape& shape) {
    if (!shape.rank_known()) return true;
    const int rank = shape.rank(), count = static_cast<int>(pattern.sizes.size());
    switch (pattern.kind) {
      case Pattern::kAny:
        return true;
      case Pattern::kAtMost:
        return rank <= pattern.number;
      case Pattern::kSame:
        return c_.inputs[pattern.number].MergeWith(shape).ok();
      case Pattern::kExact:
        return rank == count && SizesMatch(pattern, shape, 0);
      case Pattern::kFront:
        return rank >= count && SizesMatch(pattern, shape, 0);
      case Pattern::kBack:
        return rank >= count && SizesMatch(pattern, shape, rank - count);
      case Pattern::kBatch:
        return rank >= count && SizesMatch(pattern, shape, rank - count) &&
               BatchMatches(shape, rank - count);
    }
    return true;
  }

  // The sizes of the letters found so far.
  std::string Letters(const Pattern& pattern) const {
    std::string text;
    for (int64_t size : pattern.sizes) {
      if (size > kFirstLetter || letters_[kFirstLetter - size] < 0) continue;
      absl::StrAppend(&text, text.empty() ? " with " : ", ",
                      std::string(1, static_cast<char>(kFirstLetter - size)), " = ",
                      letters_[kFirstLetter - size]);
    }
    return text;
  }

 private:
  bool SizesMatch(const Pattern& pattern, const PartialShape& shape, int first) {
    for (size_t i = 0; i < pattern.sizes.size(); ++i) {
      const int64_t size = shape.dim(first + static_cast<int>(i)), want = pattern.sizes[i];
      if (size < 0 || want == -1) continue;
      if (want >= 0) {
        if (size != want) return false;
        continue;
      }
      int64_t& letter = letters_[kFirstLetter - want];
      if (letter >= 0 && letter != size) return false;
      letter = size;
    }
    return true;
  }

  bool BatchMatches(const PartialShape& shape, int rank) {
    auto dims = PartialShape::Create(shape.dims().subspan(0, rank));
    if (!dims.ok()) return false;
    auto merged = batch_.MergeWith(*dims);
    if (!merged.ok()) return false;
    batch_ = *std::move(merged);
    return true;
  }

  const ShapeContext& c_;
  std::array<int64_t, 128> letters_;  // by character; -1 while it is unknown
  PartialShape batch_;                // of the inputs with an @
};

std::string NameOf(const ShapeContext& c, int input) {
  const OpDef* def = c.node.op_def();
  const bool known = def != nullptr && input < static_cast<int>(def->inputs.size());
  return known ? absl::StrCat("input \"", def->inputs[input].name, "\"")
               : absl::StrCat("input ", input);
}

}  // namespace

absl::Status CheckInputPatterns(const ShapeContext& c) {
  const Patterns* patterns = FindPatterns(c.node.op());
  const bool per_channel = GetAttrOr<int64_t>(c.node.attrs, "axis", -1) != -1;  // of Quantize...
  if (patterns == nullptr || per_channel) return absl::OkStatus();
  Matcher matcher(c);
  for (int i = 0; i < c.num_inputs() && i < static_cast<int>(patterns->size()); ++i) {
    const Pattern& pattern = (*patterns)[i];
    const std::string letters = matcher.Letters(pattern);
    if (matcher.Matches(pattern, c.inputs[i])) continue;
    if (pattern.kind == Pattern::kSame) {
      return InvalidArgument(NameOf(c, i), " must have the shape of ", NameOf(c, pattern.number),
                             ", ", c.inputs[pattern.number], ", but its shape is ", c.inputs[i]);
    }
    if (pattern.kind == Pattern::kAtMost) {
      return InvalidArgument(NameOf(c, i), " must have rank ", pattern.number,
                             " at most, but its shape is ", c.inputs[i]);
    }
    return InvalidArgument(NameOf(c, i), " must have a shape of the form ", pattern.text, letters,
                           ", but its shape is ", c.inputs[i]);
  }
  return absl::OkStatus();
}

}  // namespace sluice::graph
