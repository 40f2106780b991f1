// SPDX-License-Identifier: Apache-2.0
// Convolution of float by oneDNN. This file catches oneDNN's exceptions.
#include <algorithm>
#include <dnnl.hpp>
#include <string>
#include <unordered_map>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "core/tensor/allocator.h"
#include "kernels/cpu/common/gemm.h"
#include "kernels/cpu/common/try_each.h"
#include "kernels/cpu/nn/conv/conv.h"
#include "kernels/cpu/nn/conv/parts.h"

namespace sluice::kernels {
namespace {

using dnnl::memory;
using Tag = memory::format_tag;

// The three operands of every direction, named by their role in the forward convolution.
enum Operand3 { kSource, kWeights, kDestination, kOperands };

Operand3 OutputOf(ConvDirection direction) {
  switch (direction) {
    case ConvDirection::kForward:
      return kDestination;
    case ConvDirection::kBackpropInput:
      return kSource;
    default:
      return kWeights;
  }
}

const dnnl::engine& CpuEngine() {
  static const auto& engine = *new dnnl::engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

dnnl::stream& ThreadStream() {
  thread_local dnnl::stream stream(CpuEngine());
  return stream;
}

// Some output channels of the weights, reordered separately into the primitive's format.
struct WeightPart {
  memory::desc ours, theirs, scratchpad;
  dnnl::reorder reorder;
};

// A primitive for one batch size, its formats, and the reorders between them and ours.
struct Plan {
  memory::desc ours[kOperands], theirs[kOperands];
  memory::desc scratchpad, reorder_scratchpads[kOperands];
  dnnl::primitive primitive;
  dnnl::reorder reorders[kOperands];
  bool reordered[kOperands] = {};
  std::vector<WeightPart> weight_parts;  // if empty, in one piece
  bool fast = false;                     // neither a reference implementation nor gemm on a copy
  bool reference = false;
  bool avx2 = false;  // its code for AVX2, of which the one for windows of one element is faster
};

// One number for each dimension of space.
memory::dims OfSpace(const ConvSizes& s, int64_t Window::*member) {
  if (s.volume) return {s.planes.*member, s.height.*member, s.width.*member};
  return {s.height.*member, s.width.*member};
}

memory::desc Ours(const ConvSizes& s, int64_t batch, Operand3 operand) {
  const Tag image = s.volume ? (s.channels_first ? Tag::ncdhw : Tag::ndhwc)
                             : (s.channels_first ? Tag::nchw : Tag::nhwc);
  const auto type = memory::data_type::f32;
  memory::dims dims;
  switch (operand) {
    case kSource:
      dims = OfSpace(s, &Window::in);
      dims.insert(dims.begin(), {batch, s.in_channels});
      return {dims, type, image};
    case kDestination:
      dims = OfSpace(s, &Window::out);
      dims.insert(dims.begin(), {batch, s.out_channels});
      return {dims, type, image};
    default:
      break;
  }
  dims = OfSpace(s, &Window::kernel);
  dims.insert(dims.begin(), {s.out_channels / s.groups, s.in_channels / s.groups});
  if (s.groups == 1) return {dims, type, s.volume ? Tag::dhwio : Tag::hwio};
  dims.insert(dims.begin(), s.groups);
  return {dims, type, s.volume ? Tag::dhwigo : Tag::hwigo};
}

memory::desc AnyFormat(const memory::desc& desc) {
  return {desc.dims(), desc.data_type(), Tag::any};
}

template <typename PrimitiveDesc>
void Fill(Plan& plan, const PrimitiveDesc& desc, const memory::desc (&theirs)[kOperands]) {
  std::copy(theirs, theirs + kOperands, plan.theirs);
  plan.scratchpad = desc.scratchpad_desc();
  const std::string name = desc.impl_info_str();
  plan.reference = name.find("ref") != std::string::npos;
  plan.avx2 = name == "jit:avx2";
  plan.fast = !plan.reference && name.find("gemm") == std::string::npos;
}

// Reordering many weights is work for several threads.
void CutWeights(Plan& plan, const dnnl::primitive_attr& attr) {
  constexpr int64_t kChannels = 64, kMostParts = 8, kWorthCutting = 1 << 17;
  const memory::dims dims = plan.ours[kWeights].dims();
  const size_t elements = plan.ours[kWeights].get_size() / sizeof(float);
  if (dims[0] % kChannels != 0 || elements < kWorthCutting) return;
  const int64_t blocks = dims[0] / kChannels, parts = std::min(blocks, kMostParts);
  for (int64_t part = 0; part < parts; ++part) {
    memory::dims size = dims, offset(dims.size(), 0);
    offset[0] = part * blocks / parts * kChannels;
    size[0] = (part + 1) * blocks / parts * kChannels - offset[0];
    const memory::desc from = plan.ours[kWeights].submemory_desc(size, offset, true);
    const memory::desc to = plan.theirs[kWeights].submemory_desc(size, offset, true);
    if (from.is_zero() || to.is_zero()) return plan.weight_parts.clear();
    const dnnl::reorder::primitive_desc desc(CpuEngine(), from, CpuEngine(), to, attr, true);
    if (!desc) return plan.weight_parts.clear();
    plan.weight_parts.push_back({from, to, desc.scratchpad_desc(), dnnl::reorder(desc)});
  }
}

// A plan whose images are in our layout, or in oneDNN's preferred one. Weights always have its
// preferred layout: with plain ones it falls back to slower code.
Plan MakePlan(ConvDirection direction, const ConvSizes& s, int64_t batch, bool our_images) {
  Plan plan;
  memory::desc want[kOperands];
  for (Operand3 operand : {kSource, kWeights, kDestination}) {
    plan.ours[operand] = Ours(s, batch, operand);
    const bool as_is = our_images && operand != kWeights;
    want[operand] = as_is ? plan.ours[operand] : AnyFormat(plan.ours[operand]);
  }
  const memory::dims strides = OfSpace(s, &Window::stride);
  memory::dims dilates = OfSpace(s, &Window::dilation);
  for (int64_t& dilation : dilates) --dilation;
  const memory::dims before = OfSpace(s, &Window::pad_before);
  const memory::dims after = OfSpace(s, &Window::pad_after);
  // oneDNN's own scratchpads belong to the thread that made the primitive.
  dnnl::primitive_attr attr;
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);

  const auto algorithm = dnnl::algorithm::convolution_direct;
  const auto kind = direction == ConvDirection::kForward ? dnnl::prop_kind::forward_inference
                                                         : dnnl::prop_kind::forward_training;
  const dnnl::convolution_forward::desc forward_desc(kind, algorithm, want[kSource], want[kWeights],
                                                     want[kDestination], strides, dilates, before,
                                                     after);
  const dnnl::convolution_forward::primitive_desc forward(forward_desc, attr, CpuEngine());
  if (direction == ConvDirection::kForward) {
    Fill(plan, forward, {forward.src_desc(), forward.weights_desc(), forward.dst_desc()});
    plan.primitive = dnnl::convolution_forward(forward);
  } else if (direction == ConvDirection::kBackpropInput) {
    const dnnl::convolution_backward_data::primitive_desc desc(
        {algorithm, want[kSource], want[kWeights], want[kDestination], strides, dilates, before,
         after},
        attr, CpuEngine(), forward);
    Fill(plan, desc, {desc.diff_src_desc(), desc.weights_desc(), desc.diff_dst_desc()});
    plan.primitive = dnnl::convolution_backward_data(desc);
  } else {
    const dnnl::convolution_backward_weights::primitive_desc desc(
        {algorithm, want[kSource], want[kWeights], want[kDestination], strides, dilates, before,
         after},
        attr, CpuEngine(), forward);
    Fill(plan, desc, {desc.src_desc(), desc.diff_weights_desc(), desc.diff_dst_desc()});
    plan.primitive = dnnl::convolution_backward_weights(desc);
  }

  const Operand3 output = OutputOf(direction);
  for (Operand3 operand : {kSource, kWeights, kDestination}) {
    const memory::desc& ours = plan.ours[operand];
    const memory::desc& theirs = plan.theirs[operand];
    if (ours == theirs) continue;
    plan.reordered[operand] = true;
    const bool out = operand == output;
    const dnnl::reorder::primitive_desc desc(CpuEngine(), out ? theirs : ours, CpuEngine(),
                                             out ? ours : theirs, attr);
    plan.reorders[operand] = dnnl::reorder(desc);
    plan.reorder_scratchpads[operand] = desc.scratchpad_desc();
    if (operand == kWeights && !out && s.groups == 1) CutWeights(plan, attr);
  }
  return plan;
}

Plan BestPlan(ConvDirection direction, const ConvSizes& sizes, int64_t batch) {
  Plan ours = MakePlan(direction, sizes, batch, true);
  if (ours.fast) return ours;
  Plan any = MakePlan(direction, sizes, batch, false);
  return any.fast || ours.reference ? std::move(any) : std::move(ours);
}

std::vector<int64_t> KeyOf(const ConvSizes& s, int64_t batch) {
  std::vector<int64_t> key{batch,    s.in_channels,    s.out_channels,
                           s.groups, s.channels_first, s.volume};
  for (const Window* w : {&s.planes, &s.height, &s.width}) {
    for (int64_t size : {w->in, w->kernel, w->stride, w->dilation, w->pad_before, w->pad_after}) {
      key.push_back(size);
    }
  }
  return key;
}

absl::StatusOr<RefPtr<Buffer>> Bytes(size_t size) {
  auto buffer = Buffer::Allocate(CpuAllocator(), kUint8, static_cast<int64_t>(size));
  if (!buffer) return ResourceExhausted("no memory for a convolution: ", size, " bytes");
  return buffer;
}

// An operand's memory: our own, or a buffer in the primitive's format.
struct Placed {
  RefPtr<Buffer> buffer;
  memory in_theirs;
};

absl::Status Reorder(const Plan& plan, Operand3 operand, memory from, memory to) {
  const memory::desc& scratch = plan.reorder_scratchpads[operand];
  SLUICE_ASSIGN(const RefPtr<Buffer> bytes, Bytes(scratch.get_size()));
  plan.reorders[operand].execute(
      ThreadStream(), {{DNNL_ARG_FROM, from},
                       {DNNL_ARG_TO, to},
                       {DNNL_ARG_SCRATCHPAD, memory(scratch, CpuEngine(), bytes->data())}});
  ThreadStream().wait();
  return absl::OkStatus();
}

absl::StatusOr<Placed> Place(const Plan& plan, Operand3 operand, const float* ours, bool fill) {
  Placed placed;
  void* data = const_cast<float*>(ours);
  if (plan.reordered[operand]) {
    SLUICE_ASSIGN(placed.buffer, Bytes(plan.theirs[operand].get_size()));
    placed.in_theirs = memory(plan.theirs[operand], CpuEngine(), placed.buffer->data());
    if (fill) {
      memory from(plan.ours[operand], CpuEngine(), data);
      SLUICE_RETURN_IF_ERROR(Reorder(plan, operand, from, placed.in_theirs));
    }
  } else {
    placed.in_theirs = memory(plan.theirs[operand], CpuEngine(), data);
  }
  return placed;
}

template <typename Fn>
auto WithoutExceptions(const Fn& fn) -> decltype(fn()) {
  UseOneOpenMpThread();
  try {
    return fn();
  } catch (const dnnl::error& e) {
    if (e.status == dnnl_out_of_memory) return ResourceExhausted("no memory for a convolution");
    return Internal("convolution by oneDNN failed: ", e.what());
  }
}

// Reorders the weights into the primitive's format, on all threads of the pool.
absl::StatusOr<Placed> PlaceWeights(const Plan& plan, const float* ours, WorkQueue* pool) {
  if (plan.weight_parts.empty()) return Place(plan, kWeights, ours, true);
  SLUICE_ASSIGN(Placed placed, Place(plan, kWeights, ours, false));
  const auto run = [&](const WeightPart& part) -> absl::Status {
    SLUICE_ASSIGN(const RefPtr<Buffer> bytes, Bytes(part.scratchpad.get_size()));
    part.reorder.execute(
        ThreadStream(),
        {{DNNL_ARG_FROM, memory(part.ours, CpuEngine(), const_cast<float*>(ours))},
         {DNNL_ARG_TO, memory(part.theirs, CpuEngine(), placed.buffer->data())},
         {DNNL_ARG_SCRATCHPAD, memory(part.scratchpad, CpuEngine(), bytes->data())}});
    ThreadStream().wait();
    return absl::OkStatus();
  };
  const auto count = static_cast<int64_t>(plan.weight_parts.size());
  const double cost = 0.1 * static_cast<double>(plan.theirs[kWeights].get_size()) / count;
  SLUICE_RETURN_IF_ERROR(TryEach(pool, count, cost, [&](int64_t i) {
    return WithoutExceptions([&] { return run(plan.weight_parts[i]); });
  }));
  return placed;
}

// Runs a plan on one part of the batch. `weights` are prepared once for all parts, unless they are
// the output.
absl::Status RunPart(const Plan& plan, ConvDirection direction, const float* source,
                     const memory* weights, float* filter_grad, const float* destination) {
  const Operand3 output = OutputOf(direction);
  SLUICE_ASSIGN(Placed src, Place(plan, kSource, source, output != kSource));
  SLUICE_ASSIGN(Placed dst, Place(plan, kDestination, destination, output != kDestination));
  SLUICE_ASSIGN(const RefPtr<Buffer> scratchpad, Bytes(plan.scratchpad.get_size()));
  std::unordered_map<int, memory> args{
      {DNNL_ARG_SCRATCHPAD, memory(plan.scratchpad, CpuEngine(), scratchpad->data())}};
  Placed grad;
  const memory* result = nullptr;
  const float* ours = nullptr;
  switch (direction) {
    case ConvDirection::kForward:
      args.insert({{DNNL_ARG_SRC, src.in_theirs},
                   {DNNL_ARG_WEIGHTS, *weights},
                   {DNNL_ARG_DST, dst.in_theirs}});
      result = &dst.in_theirs;
      ours = destination;
      break;
    case ConvDirection::kBackpropInput:
      args.insert({{DNNL_ARG_DIFF_SRC, src.in_theirs},
                   {DNNL_ARG_WEIGHTS, *weights},
                   {DNNL_ARG_DIFF_DST, dst.in_theirs}});
      result = &src.in_theirs;
      ours = source;
      break;
    case ConvDirection::kBackpropFilter: {
      SLUICE_ASSIGN(grad, Place(plan, kWeights, filter_grad, false));
      args.insert({{DNNL_ARG_SRC, src.in_theirs},
                   {DNNL_ARG_DIFF_WEIGHTS, grad.in_theirs},
                   {DNNL_ARG_DIFF_DST, dst.in_theirs}});
      result = &grad.in_theirs;
      ours = filter_grad;
      break;
    }
  }
  plan.primitive.execute(ThreadStream(), args);
  ThreadStream().wait();
  if (!plan.reordered[output]) return absl::OkStatus();
  memory to(plan.ours[output], CpuEngine(), const_cast<float*>(ours));
  return Reorder(plan, output, *result, to);
}

// Whether oneDNN may write beyond its scratchpad. Its code for windows of one element and strides
// copies the pixels that count there first, and takes the input's channels by whole vectors
// (oneDNN 2.6).
bool MayOverrunScratchpad(const ConvSizes& s) {
  constexpr int64_t kMostInVector = 16;
  const bool strided = s.planes.stride * s.height.stride * s.width.stride > 1;
  return s.taps() == 1 && strided && s.in_channels / s.groups % kMostInVector != 0;
}

// Whether PatchConv is faster than oneDNN's code for AVX2. That reads a few channels of all pixels
// at a time, and so each cache line several times, if an image is larger than the first cache.
// (oneDNN 2.6 on a Zen 3, both on one thread: gradients of filters in half the time, of inputs with
// fewer channels than the output in two thirds, and results from 64 channels on in three quarters.)
bool PatchesAreFaster(ConvDirection direction, const ConvSizes& s) {
  constexpr int64_t kLargeImages = 48 << 10, kLargeFilter = 1 << 20;  // elements
  if (s.groups > 1 || s.channels_first ||
      s.taps() * s.in_channels * s.out_channels > kLargeFilter ||
      s.source_size() + s.destination_size() < kLargeImages) {
    return false;
  }
  switch (direction) {
    case ConvDirection::kForward:
      return s.in_channels >= 64;
    case ConvDirection::kBackpropInput:
      return s.in_channels < s.out_channels;
    case ConvDirection::kBackpropFilter:
      return true;
  }
  return false;
}

// Parts of whole images whose outputs are still in the second cache when they are read again.
int64_t PartsThatStayInCache(const ConvSizes& s) {
  constexpr int64_t kCached = (512 << 10) / sizeof(float);
  return std::clamp<int64_t>(s.batch * s.destination_size() / kCached, 1, s.batch);
}

// A part with the plan for its sizes.
struct Planned : ConvPart {
  std::shared_ptr<const Plan> plan = nullptr;
};

}  // namespace

class DnnlConv::Plans {
 public:
  explicit Plans(ConvDirection direction) : direction_(direction) {}

  std::shared_ptr<const Plan> Get(const ConvSizes& sizes, int64_t batch) {
    std::vector<int64_t> key = KeyOf(sizes, batch);
    absl::MutexLock lock(&mu_);
    auto it = plans_.find(key);
    if (it != plans_.end()) return it->second;
    if (plans_.size() >= kMaxPlans) plans_.clear();  // the shapes do not repeat
    auto plan = std::make_shared<const Plan>(BestPlan(direction_, sizes, batch));
    plans_.emplace(std::move(key), plan);
    return plan;
  }

  absl::StatusOr<bool> Run(KernelContext& ctx, const ConvSizes& sizes, const float* a,
                           const float* b, float* out, const FinishRows* finish);

 private:
  static constexpr size_t kMaxPlans = 64;
  static constexpr int64_t kMostOwnFloats = 16 << 20;  // of filter gradients that are added up

  const ConvDirection direction_;
  absl::Mutex mu_;
  absl::flat_hash_map<std::vector<int64_t>, std::shared_ptr<const Plan>> plans_
      ABSL_GUARDED_BY(mu_);
};

absl::StatusOr<bool> DnnlConv::Plans::Run(KernelContext& ctx, const ConvSizes& s, const float* a,
                                          const float* b, float* out, const FinishRows* finish) {
  if (MayOverrunScratchpad(s)) return false;
  const bool to_source = direction_ == ConvDirection::kBackpropInput;
  const bool to_filter = direction_ == ConvDirection::kBackpropFilter;
  const float* source = to_source ? out : a;
  const float* destination = direction_ == ConvDirection::kForward ? out : to_source ? a : b;
  const int64_t filter_size = s.taps() * (s.in_channels / s.groups) * s.out_channels;
  int64_t wanted_parts = ConvPartsWorth(ctx.pool(), s);
  if (to_filter) {  // each part but the first has a filter gradient of its own
    const int64_t threads = ctx.pool() == nullptr ? 1 : ctx.pool()->num_threads();
    wanted_parts = std::min(wanted_parts, std::max(threads, kMostOwnFloats / filter_size + 1));
  }
  if (finish != nullptr) wanted_parts = std::max(wanted_parts, PartsThatStayInCache(s));
  std::vector<Planned> parts;
  for (ConvPart& part : CutConv(s, wanted_parts)) {
    parts.push_back({std::move(part), Get(part.sizes, part.sizes.batch)});
    const Plan& plan = *parts.back().plan;
    if (plan.reference || (plan.avx2 && PatchesAreFaster(direction_, s))) return false;
  }

  // Reordered once for all parts that need the same format.
  std::vector<std::pair<memory::desc, Placed>> weights;
  for (const Planned& part : parts) {
    const memory::desc& wanted = part.plan->theirs[kWeights];
    const auto like = [&](const auto& placed) { return placed.first == wanted; };
    if (to_filter || absl::c_any_of(weights, like)) continue;
    SLUICE_ASSIGN(Placed placed, PlaceWeights(*part.plan, b, ctx.pool()));
    weights.emplace_back(wanted, std::move(placed));
  }
  const auto weights_for = [&](const Plan& plan) {
    for (const auto& [desc, placed] : weights) {
      if (desc == plan.theirs[kWeights]) return &placed.in_theirs;
    }
    return static_cast<const memory*>(nullptr);
  };
  // The results that parts add up: filter gradients of all parts but the first, and the rows of
  // source gradients in which two bands overlap.
  struct Own {
    Tensor memory;
    float* data = nullptr;
    int64_t size = 0;
  };
  std::vector<Own> own(parts.size());
  for (size_t i = 0; i < parts.size(); ++i) {
    if (to_filter ? i == 0 : !(to_source && parts[i].is_band)) continue;
    own[i].size = to_filter ? filter_size : parts[i].sizes.source_size();
    SLUICE_ASSIGN(own[i].memory, Tensor::Allocate(CpuAllocator(), kFloat, Shape{own[i].size}));
    own[i].data = own[i].memory.mutable_data<float>();
  }
  const auto count = static_cast<int64_t>(parts.size());
  const double cost = s.multiplications() / (50.0 * static_cast<double>(count));
  SLUICE_RETURN_IF_ERROR(TryEach(ctx.pool(), count, cost, [&](int64_t i) -> absl::Status {
    const Planned& part = parts[i];
    float* const to = own[i].data;
    SLUICE_RETURN_IF_ERROR(WithoutExceptions([&] {
      return RunPart(*part.plan, direction_, to_source && to != nullptr ? to : source + part.source,
                     weights_for(*part.plan), to == nullptr ? out : to,
                     destination + part.destination);
    }));
    if (finish != nullptr) {
      (*finish)(out + part.destination, part.sizes.batch * part.sizes.out_pixels());
    }
    return absl::OkStatus();
  }));
  if (to_source && parts[0].is_band) std::fill_n(out, s.batch * s.source_size(), 0.0f);
  for (size_t i = 0; i < parts.size(); ++i) {
    float* to = out + (to_source ? parts[i].source : 0);
    for (int64_t j = 0; j < own[i].size; ++j) to[j] += own[i].data[j];
  }
  return true;
}

DnnlConv::DnnlConv(ConvDirection direction) : plans_(std::make_unique<Plans>(direction)) {}
DnnlConv::~DnnlConv() = default;

absl::StatusOr<bool> DnnlConv::Run(KernelContext& ctx, const ConvSizes& sizes, const float* a,
                                   const float* b, float* out, const FinishRows* finish) {
  return WithoutExceptions([&] { return plans_->Run(ctx, sizes, a, b, out, finish); });
}

}  // namespace sluice::kernels
