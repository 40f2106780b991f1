// SPDX-License-Identifier: Apache-2.0
// Regions of images: drawn boxes, glimpses, random crops and random boxes.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "core/runtime/kernel_registry.h"
#include "core/threads/cancel_scope.h"
#include "kernels/common/random/node_stream.h"
#include "kernels/common/random/random_ops.h"
#include "kernels/common/round_each.h"
#include "kernels/cpu/image/register.h"

namespace sluice::kernels {
namespace {

constexpr float kColours[][4] = {
    {1, 1, 0, 1},     {0, 0, 1, 1},   {1, 0, 0, 1},   {0, 1, 0, 1}, {0.5, 0, 0.5, 1},
    {0.5, 0.5, 0, 1}, {0.5, 0, 0, 1}, {0, 0, 0.5, 1}, {0, 1, 1, 1}, {1, 0, 1, 1},
};

struct DrawBoundingBoxes {
  struct Palette {
    std::vector<float> values;  // `channels` values for each colour
    int64_t colours;
  };

  static absl::StatusOr<Palette> ReadPalette(const KernelContext& ctx, int64_t channels) {
    Palette palette{{}, static_cast<int64_t>(std::size(kColours))};
    const Tensor* const given = ctx.num_inputs() == 3 ? &ctx.input(2) : nullptr;
    if (given != nullptr && given->rank() != 2)
      return InvalidArgument("colors must be a 2-D matrix", given->shape());
    if (given != nullptr && given->dim(1) < channels) {
      return InvalidArgument("colors must have equal or more channels than the image provided: ",
                             given->shape());
    }
    if (given != nullptr && given->dim(0) > 0) {
      const Tensor& colours = *given;
      palette.colours = colours.dim(0);
      for (int64_t i = 0; i < palette.colours; ++i) {
        const float* row = colours.data<float>() + i * colours.dim(1);
        palette.values.insert(palette.values.end(), row, row + channels);
      }
      return palette;
    }
    for (const auto& colour : kColours) {
      palette.values.insert(palette.values.end(), colour, colour + channels);
      if (channels == 1) palette.values.back() = 1;
    }
    return palette;
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor &images = ctx.input(0), &boxes = ctx.input(1);
    if (images.rank() != 4) return InvalidArgument("The rank of the images should be 4");
    if (boxes.rank() != 3) return InvalidArgument("The rank of the boxes tensor should be 3");
    if (images.dim(0) != boxes.dim(0)) return InvalidArgument("The batch sizes should be the same");
    const int64_t channels = images.dim(3);
    if (channels != 4 && channels != 3 && channels != 1) {
      return InvalidArgument("Channel depth should be either 1 (GRY), 3 (RGB), or 4 (RGBA)");
    }
    if (boxes.dim(2) != 4) return InvalidArgument("boxes must have 4 coordinates");
    SLUICE_ASSIGN(const Palette palette, ReadPalette(ctx, channels));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, images.shape()));
    return VisitDType(TypeList<float, Half>{}, images.dtype(), [&]<typename T>(Type<T>) {
      T* const to = out->mutable_data<T>();
      std::copy_n(images.data<T>(), images.num_elements(), to);
      const int64_t image = images.dim(1) * images.dim(2) * channels;
      if (image == 0) return absl::OkStatus();
      for (const int64_t b : Cancellable(boxes.dim(0) * boxes.dim(1))) {
        const float* colour = palette.values.data() + b % boxes.dim(1) % palette.colours * channels;
        Draw(to + b / boxes.dim(1) * image, images.dim(1), images.dim(2), channels,
             boxes.data<float>() + 4 * b, colour);
      }
      return absl::OkStatus();
    });
  }

  // The edges that lie inside the image. A box that does not touch the image has none.
  template <typename T>
  static void Draw(T* image, int64_t height, int64_t width, int64_t channels, const float* box,
                   const float* colour) {
    std::array<int64_t, 4> edge;  // top, left, bottom, right
    for (int i = 0; i < 4; ++i) {
      const float at = box[i] * static_cast<float>((i % 2 == 0 ? height : width) - 1);
      if (!(std::abs(at) < 1e18F)) return;
      edge[i] = static_cast<int64_t>(at);
    }
    const auto [top, left, bottom, right] = edge;
    if (top > bottom || left > right) return;
    if (top >= height || bottom < 0 || left >= width || right < 0) return;
    const int64_t y0 = std::max<int64_t>(top, 0), y1 = std::min(bottom, height - 1);
    const int64_t x0 = std::max<int64_t>(left, 0), x1 = std::min(right, width - 1);
    const auto paint = [&](int64_t y, int64_t x) {
      for (int64_t c = 0; c < channels; ++c) image[(y * width + x) * channels + c] = T(colour[c]);
    };
    for (int64_t x = x0; x <= x1; ++x) {
      if (top >= 0) paint(top, x);
      if (bottom < height) paint(bottom, x);
    }
    for (int64_t y = y0; y <= y1; ++y) {
      if (left >= 0) paint(y, left);
      if (right < width) paint(y, right);
    }
  }
};

// Windows of images; pixels outside the image are noise.
struct ExtractGlimpse {
  enum class Noise { kZero, kUniform, kGaussian };
  bool centered, normalized;
  bool second;  // V2: offsets are from the window's middle only if they are centered and normalized
  Noise noise;

  static absl::StatusOr<ExtractGlimpse> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const bool centered, node.Get<bool>("centered"));
    SLUICE_ASSIGN(const bool normalized, node.Get<bool>("normalized"));
    SLUICE_ASSIGN(const bool uniform, node.Get<bool>("uniform_noise"));
    SLUICE_ASSIGN(const auto name, node.Get<std::string>("noise"));
    const absl::string_view noise = name;
    if (uniform && !noise.empty() && noise != "uniform") {
      return InvalidArgument(
          "The uniform_noise and noise should not be specified at the same time");
    }
    Noise kind = uniform ? Noise::kUniform : Noise::kGaussian;
    if (!uniform && noise == "uniform") kind = Noise::kUniform;
    if (noise == "zero") kind = Noise::kZero;
    return ExtractGlimpse{centered, normalized, node.op == "ExtractGlimpseV2", kind};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor &in = ctx.input(0), &size = ctx.input(1), &offsets = ctx.input(2);
    if (in.rank() != 4) {
      return InvalidArgument("input must be 4-dimensional (batch_size, height, width, depth)",
                             in.shape());
    }
    if (size.rank() != 1 || size.dim(0) != 2) {
      return InvalidArgument("input must be a vector of size 2 (height, width)", size.shape());
    }
    const int64_t height = size.data<int32_t>()[0], width = size.data<int32_t>()[1];
    if (height < 0 || width < 0) return InvalidArgument("size of glimpses must not be negative");
    if (offsets.rank() != 2) return InvalidArgument("input must be a matrix", offsets.shape());
    if (offsets.dim(0) != in.dim(0)) {
      return InvalidArgument("first dimension should be batch", offsets.shape());
    }
    if (offsets.dim(1) != 2) {
      return InvalidArgument("second dimension should be of size 2 (y,x)", offsets.shape());
    }
    SLUICE_ASSIGN(const Shape shape, Shape::Create({in.dim(0), height, width, in.dim(3)}));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    for (int64_t n = 0; n < in.dim(0); ++n) {
      SLUICE_RETURN_IF_ERROR(Glimpse(in, n, offsets.data<float>() + 2 * n, *out));
    }
    return absl::OkStatus();
  }

  absl::StatusOr<int64_t> Begin(float offset, int64_t in, int64_t size) const {
    if (normalized) offset *= static_cast<float>(in);
    if (centered)
      offset = (second && !normalized ? offset : offset / 2) + static_cast<float>(in) / 2;
    if (!second || (centered && normalized)) offset -= static_cast<float>(size) / 2;
    if (!(std::abs(offset) < 1e15F)) return InvalidArgument("offset out of range: ", offset);
    return static_cast<int64_t>(offset);
  }

  absl::Status Glimpse(const Tensor& in, int64_t n, const float* offsets, Tensor& out) const {
    const int64_t height = out.dim(1), width = out.dim(2), channels = out.dim(3);
    SLUICE_ASSIGN(const int64_t y0, Begin(offsets[0], in.dim(1), height));
    SLUICE_ASSIGN(const int64_t x0, Begin(offsets[1], in.dim(2), width));
    const int64_t image = in.dim(1) * in.dim(2) * channels;
    const float* from = in.data<float>() + n * image;
    float* to = out.mutable_data<float>() + n * height * width * channels;
    float low = 0, high = 0;
    if (noise == Noise::kUniform && image > 0) {
      const auto [least, most] = std::minmax_element(from, from + image);
      low = *least, high = *most;
    }
    std::minstd_rand words(std::random_device{}());
    std::normal_distribution<float> gaussian;
    for (int64_t y = y0; y < y0 + height; ++y) {
      ThrowIfCancelled();
      for (int64_t x = x0; x < x0 + width; ++x, to += channels) {
        if (y >= 0 && y < in.dim(1) && x >= 0 && x < in.dim(2)) {
          std::copy_n(from + (y * in.dim(2) + x) * channels, channels, to);
          continue;
        }
        for (int64_t c = 0; c < channels; ++c) {
          to[c] = noise == Noise::kZero      ? 0
                  : noise == Noise::kUniform ? low + (high - low) * Part(words())
                                             : gaussian(words);
        }
      }
    }
    return absl::OkStatus();
  }

  static float Part(std::minstd_rand::result_type word) {
    return static_cast<float>(word) / static_cast<float>(std::minstd_rand::max());
  }
};

struct RandomCrop {
  NodeStream stream;

  explicit RandomCrop(const NodeSpec& node) : stream(node) {}
  static absl::StatusOr<std::unique_ptr<RandomCrop>> Create(const NodeSpec& node) {
    return std::make_unique<RandomCrop>(node);
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor &in = ctx.input(0), &size = ctx.input(1);
    if (in.rank() != 3) return InvalidArgument("input must be 3-dimensional", in.shape());
    if (size.rank() != 1) return InvalidArgument("shape_t must be 1-dimensional", size.shape());
    if (size.dim(0) != 2) return InvalidArgument("shape_t must have two elements", size.shape());
    const int64_t height = size.data<int64_t>()[0], width = size.data<int64_t>()[1];
    if (height > in.dim(0)) {
      return FailedPrecondition("height must be >= target_height: height = ", in.dim(0),
                                ", target_height = ", height);
    }
    if (width > in.dim(1)) {
      return FailedPrecondition("width must be >= target_width: width = ", in.dim(1),
                                ", target_width = ", width);
    }
    if (height < 0 || width < 0)
      return InvalidArgument("a crop of ", height, " by ", width, " has no size");
    PhiloxWords words(stream.Take(1), 0);  // taken also for the whole image
    if (height == in.dim(0) && width == in.dim(1)) {
      ctx.SetOutput(0, in);
      return absl::OkStatus();
    }
    SLUICE_ASSIGN(const Shape shape, Shape::Create({height, width, in.dim(2)}));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    const auto offset = [&](int64_t from, int64_t to) {
      return from > to ? static_cast<int64_t>(words.Next() % (from - to + 1)) : 0;
    };
    const int64_t left = offset(in.dim(1), width);  // drawn first
    const int64_t top = offset(in.dim(0), height);
    return VisitDType(RealTypes{}, in.dtype(), [&]<typename T>(Type<T>) {
      const int64_t row = width * in.dim(2);
      for (const int64_t y : Cancellable(height)) {
        std::copy_n(in.data<T>() + ((top + y) * in.dim(1) + left) * in.dim(2), row,
                    out->mutable_data<T>() + y * row);
      }
      return absl::OkStatus();
    });
  }
};

// A rectangle of pixels [x0, x1) by [y0, y1).
struct Rectangle {
  int64_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  float area() const { return static_cast<float>((x1 - x0) * (y1 - y0)); }
  Rectangle Intersect(const Rectangle& r) const {
    const Rectangle both{std::max(x0, r.x0), std::max(y0, r.y0), std::min(x1, r.x1),
                         std::min(y1, r.y1)};
    return both.x0 > both.x1 || both.y0 > both.y1 ? Rectangle{} : both;
  }
};

// A random part of the image that covers enough of one of the boxes, or the whole image after too
// many attempts. The numbers are drawn in TensorFlow's order.
struct SampleDistortedBoundingBox {
  NodeStream stream;
  bool seeded = false;  // the numbers come from a seed, the last input, instead of the stream
  float covered = 0;
  std::vector<float> aspect_range, area_range;
  int64_t attempts = 0;
  bool use_image = false;

  explicit SampleDistortedBoundingBox(const NodeSpec& node) : stream(node) {}

  static absl::StatusOr<std::unique_ptr<SampleDistortedBoundingBox>> Create(const NodeSpec& node) {
    auto made = std::make_unique<SampleDistortedBoundingBox>(node);
    made->seeded = node.op == "StatelessSampleDistortedBoundingBox";
    made->covered = GetAttrOr<float>(node.attrs, "min_object_covered", 0);
    SLUICE_ASSIGN(made->aspect_range, node.Get<std::vector<float>>("aspect_ratio_range"));
    SLUICE_ASSIGN(made->area_range, node.Get<std::vector<float>>("area_range"));
    SLUICE_ASSIGN(made->attempts, node.Get<int64_t>("max_attempts"));
    SLUICE_ASSIGN(made->use_image, node.Get<bool>("use_image_if_no_bounding_boxes"));
    if (!(made->covered >= 0)) {
      return InvalidArgument("Min object covered must be non-negative: ", made->covered);
    }
    if (made->aspect_range.size() != 2) {
      return InvalidArgument("Aspect ratio range field must specify 2 dimensions");
    }
    if (!(made->aspect_range[0] > 0 && made->aspect_range[1] > 0)) {
      return InvalidArgument("Aspect ratio range must be non-negative");
    }
    if (made->area_range.size() != 2) {
      return InvalidArgument("Area range field must specify 2 dimensions");
    }
    for (float area : made->area_range) {
      if (!(area > 0)) return InvalidArgument("Area range must be non-negative");
      if (area > 1) return InvalidArgument("Area range must be less then or equal to 1.0");
    }
    if (made->attempts <= 0) {
      return InvalidArgument("Max attempts must be non-negative: ", made->attempts);
    }
    return made;
  }

  absl::StatusOr<Rectangle> ImageOf(const Tensor& size) const {
    if (size.rank() != 1) return InvalidArgument("image_size must be 1-dimensional", size.shape());
    if (size.dim(0) != 3)
      return InvalidArgument("image_size must contain 3 elements", size.shape());
    Rectangle image;
    SLUICE_RETURN_IF_ERROR(VisitDType(IntegerTypes{}, size.dtype(), [&]<typename T>(Type<T>) {
      image.y1 = static_cast<int64_t>(size.data<T>()[0]);
      image.x1 = static_cast<int64_t>(size.data<T>()[1]);
      return absl::OkStatus();
    }));
    constexpr int64_t kMax = std::numeric_limits<int32_t>::max();
    if (image.y1 < 0 || image.y1 >= kMax) {
      return InvalidArgument("image height cannot be >= int32 max");
    }
    if (image.x1 < 0 || image.x1 >= kMax) {
      return InvalidArgument("image width cannot be >= int32 max");
    }
    return image;
  }

  absl::StatusOr<std::vector<Rectangle>> BoxesOf(const Tensor& boxes,
                                                 const Rectangle& image) const {
    if (boxes.rank() != 3) {
      return InvalidArgument("input boxes must be 3-dimensional [batch, num_boxes, coords]: ",
                             boxes.shape());
    }
    if (boxes.dim(2) != 4) {
      return InvalidArgument("bounding boxes must have shape [4] or [*, 4], got ", boxes.shape());
    }
    std::vector<Rectangle> rectangles;
    const auto height = static_cast<float>(image.y1), width = static_cast<float>(image.x1);
    for (int64_t i = 0; i < boxes.num_elements(); i += 4) {
      const float* b = boxes.data<float>() + i;
      for (int k = 0; k < 4; ++k) {
        if (b[k] >= 0 && b[k] <= 1) continue;
        return InvalidArgument("All bounding box coordinates must be in [0.0, 1.0]: ", b[k]);
      }
      rectangles.push_back({static_cast<int64_t>(b[1] * width), static_cast<int64_t>(b[0] * height),
                            static_cast<int64_t>(b[3] * width),
                            static_cast<int64_t>(b[2] * height)});
    }
    if (!rectangles.empty()) return rectangles;
    if (!use_image) {
      return InvalidArgument(
          "No bounding boxes provided as input. One must enable use_image_if_no_bounding_boxes if "
          "you wish to not provide any bounding boxes.");
    }
    return std::vector<Rectangle>{image};
  }

  // A number in [0, n), all equally likely: words that would favour the first numbers are drawn
  // again.
  static int64_t Below(PhiloxWords& words, int64_t bound) {
    const auto n = static_cast<uint32_t>(bound);
    if ((n & (n - 1)) == 0) return words.Next() & (n - 1);
    const uint32_t rest = std::numeric_limits<uint32_t>::max() % n + 1;
    uint32_t word;
    do {
      word = words.Next();
    } while (word < rest);
    return word % n;
  }

  // A part with this aspect ratio whose area is in range. Returns false if there is none.
  bool Propose(const Rectangle& image, float aspect, PhiloxWords& words, Rectangle& part) const {
    if (image.x1 <= 0 || image.y1 <= 0 || area_range[0] > area_range[1]) return false;
    const auto whole = [&](float share) {
      return share * static_cast<float>(image.x1) * static_cast<float>(image.y1);
    };
    const auto width_of = [&](int64_t height) {
      return static_cast<int64_t>(std::lrint(static_cast<float>(height) * aspect));
    };
    const float least = whole(area_range[0]), most = whole(area_range[1]);
    auto height = static_cast<int64_t>(std::lrint(std::sqrt(least / aspect)));
    auto tallest = static_cast<int64_t>(std::lrint(std::sqrt(most / aspect)));
    if (width_of(tallest) > image.x1) {
      constexpr float kEpsilon = 0.0000001F;
      tallest = static_cast<int64_t>((static_cast<double>(image.x1) + 0.5 - kEpsilon) / aspect);
      if (width_of(tallest) > image.x1) --tallest;
    }
    tallest = std::min(tallest, image.y1);
    height = std::min(height, tallest);
    if (height < tallest) height += Below(words, tallest - height + 1);
    int64_t width = width_of(height);
    auto area = static_cast<float>(width * height);
    const auto resize = [&](int64_t by) {
      height += by;
      width = width_of(height);
      area = static_cast<float>(width * height);
    };
    if (area < least) resize(1);
    if (area > most) resize(-1);
    if (area < least || area > most || width > image.x1 || height > image.y1 || width <= 0 ||
        height <= 0) {
      return false;
    }
    const int64_t y = height < image.y1 ? Below(words, image.y1 - height) : 0;
    const int64_t x = width < image.x1 ? Below(words, image.x1 - width) : 0;
    part = {x, y, x + width, y + height};
    return true;
  }

  static bool Covers(const Rectangle& part, float share, const std::vector<Rectangle>& boxes) {
    if (part.area() < 1) return false;
    return std::any_of(boxes.begin(), boxes.end(), [&](const Rectangle& box) {
      return box.area() >= 1 && part.Intersect(box).area() / box.area() >= share;
    });
  }

  absl::Status Run(KernelContext& ctx) const {
    // The numbers are drawn before any check, as in 2.x: a failed call has advanced its stream. In
    // 1.15 it has not.
    Philox philox;
    if (seeded) {
      SLUICE_ASSIGN(philox, StreamOfSeeds(ctx.input(3)));
    } else {
      philox = stream.Take(static_cast<uint64_t>(attempts));
    }
    PhiloxWords words(philox, 0);
    SLUICE_ASSIGN(const Rectangle image, ImageOf(ctx.input(0)));
    float share = covered;
    if (ctx.num_inputs() > 2) {
      const Tensor& least = ctx.input(2);
      if (least.rank() != 0) {
        return InvalidArgument("min_object_covered must be 0-D, got shape ", least.shape());
      }
      share = least.scalar<float>();
      if (!(share >= 0)) return InvalidArgument("Min object covered must be non-negative: ", share);
    }
    SLUICE_ASSIGN(const std::vector<Rectangle> boxes, BoxesOf(ctx.input(1), image));
    Rectangle part = image;
    for ([[maybe_unused]] const int64_t i : Cancellable(attempts)) {
      const float random = std::bit_cast<float>(0x3F800000 | (words.Next() & 0x7FFFFF)) - 1;
      const float aspect =
          __builtin_assoc_barrier(random * (aspect_range[1] - aspect_range[0])) + aspect_range[0];
      Rectangle proposed;
      if (Propose(image, aspect, words, proposed) && Covers(proposed, share, boxes)) {
        part = proposed;
        break;
      }
    }
    return SetOutputs(ctx, image, part);
  }

  static absl::Status SetOutputs(KernelContext& ctx, const Rectangle& image,
                                 const Rectangle& part) {
    SLUICE_ASSIGN(Tensor * begin, ctx.AllocateOutput(0, Shape{3}));
    SLUICE_ASSIGN(Tensor * size, ctx.AllocateOutput(1, Shape{3}));
    SLUICE_ASSIGN(Tensor * box, ctx.AllocateOutput(2, Shape{1, 1, 4}));
    const auto share = [](int64_t a, int64_t b) {
      return static_cast<float>(a) / static_cast<float>(b);
    };
    auto* const edges = box->mutable_data<float>();
    edges[0] = share(part.y0, image.y1);
    edges[1] = share(part.x0, image.x1);
    edges[2] = share(part.y1, image.y1);
    edges[3] = share(part.x1, image.x1);
    return VisitDType(IntegerTypes{}, begin->dtype(), [&]<typename T>(Type<T>) {
      const T at[] = {static_cast<T>(part.y0), static_cast<T>(part.x0), T(0)};
      const T extent[] = {static_cast<T>(part.y1 - part.y0), static_cast<T>(part.x1 - part.x0),
                          static_cast<T>(-1)};
      std::copy_n(at, 3, begin->mutable_data<T>());
      std::copy_n(extent, 3, size->mutable_data<T>());
      return absl::OkStatus();
    });
  }
};

}  // namespace

void RegisterImageRegions(KernelRegistry& kernels) {
  for (const char* op : {"DrawBoundingBoxes", "DrawBoundingBoxesV2"}) {
    kernels.Add<DrawBoundingBoxes>(op, kCpu, {{"T", {kHalf, kFloat}}});
  }
  for (auto op : {"ExtractGlimpse", "ExtractGlimpseV2"}) kernels.Add<ExtractGlimpse>(op, kCpu);
  kernels.Add<RandomCrop>("RandomCrop", kCpu, {{"T", kReal}});
  for (const char* op : {"SampleDistortedBoundingBox", "SampleDistortedBoundingBoxV2",
                         "StatelessSampleDistortedBoundingBox"}) {
    kernels.Add<SampleDistortedBoundingBox>(op, kCpu, {{"T", kInteger}});
  }
}

}  // namespace sluice::kernels
