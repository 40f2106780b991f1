// SPDX-License-Identifier: Apache-2.0
// DecodeCompressed: strings of zlib and gzip.
#include <zlib.h>

#include <algorithm>

#include "core/runtime/kernel_registry.h"
#include "core/threads/cancel_scope.h"
#include "kernels/any/parsing/register.h"
#include "kernels/common/parsing/each_element.h"

namespace sluice::kernels {
namespace {

constexpr size_t kMostBytes = size_t{1} << 30;  // TensorFlow's limit of a decompressed string
constexpr size_t kChunk = 256 << 10;

// Closes the stream at the end of its life.
struct Inflation {
  z_stream stream = {};
  const bool open;

  explicit Inflation(int window_bits) : open(inflateInit2(&stream, window_bits) == Z_OK) {}
  Inflation(const Inflation&) = delete;
  Inflation& operator=(const Inflation&) = delete;
  ~Inflation() {
    if (open) inflateEnd(&stream);
  }
};

// Bytes that are cut off give what they have, as in TensorFlow.
absl::Status Inflate(const std::string& from, int window_bits, std::string* to) {
  const bool several = window_bits > MAX_WBITS;  // gzip: streams follow each other
  Inflation inflation(window_bits);
  if (!inflation.open) return ResourceExhausted("no memory to decompress");
  z_stream& stream = inflation.stream;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(from.data()));
  size_t left = from.size();
  std::string chunk(std::min(kChunk, std::max<size_t>(4 * from.size(), 256)), '\0');
  bool full = false;  // there may be more output
  while (full || left > 0 || stream.avail_in > 0) {
    if (stream.avail_in == 0) {
      stream.avail_in = static_cast<uInt>(std::min<size_t>(left, kMostBytes));
      left -= stream.avail_in;
    }
    ThrowIfCancelled();
    stream.next_out = reinterpret_cast<Bytef*>(chunk.data());
    stream.avail_out = static_cast<uInt>(chunk.size());
    const int result = inflate(&stream, Z_SYNC_FLUSH);
    full = stream.avail_out == 0;
    to->append(chunk.data(), chunk.size() - stream.avail_out);
    if (to->size() > kMostBytes) return InvalidArgument("Decompressed size exceeds 1GB limit");
    if (result == Z_STREAM_END) {
      if (!several) return absl::OkStatus();
      inflateReset(&stream);
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
      return DataLoss("inflate() failed with error ", result, ": ",
                      stream.msg == nullptr ? "damaged data" : stream.msg);
    }
  }
  return absl::OkStatus();
}

double MeanSize(absl::Span<const std::string> texts) {
  size_t sum = 0;
  for (const std::string& text : texts) sum += text.size();
  return texts.empty() ? 0 : static_cast<double>(sum) / static_cast<double>(texts.size());
}

struct DecodeCompressed {
  int window_bits;  // of zlib; 0: the strings are not compressed

  static absl::StatusOr<DecodeCompressed> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const std::string type, node.Get<std::string>("compression_type"));
    if (type.empty()) return DecodeCompressed{0};
    if (type == "ZLIB") return DecodeCompressed{MAX_WBITS};
    if (type == "GZIP") return DecodeCompressed{MAX_WBITS + 16};
    return InvalidArgument("Only ZLIB, GZIP or NONE are supported compressions");
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& bytes = ctx.input(0);
    if (window_bits == 0) {
      ctx.SetOutput(0, bytes);
      return absl::OkStatus();
    }
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, bytes.shape()));
    const auto texts = bytes.flat<std::string>();
    std::string* to = out->mutable_data<std::string>();
    return EachElement(ctx.pool(), bytes.num_elements(), 10.0 * MeanSize(texts), [&] {
      return [&](int64_t i) { return Inflate(texts[i], window_bits, to + i); };
    });
  }
};

}  // namespace

void RegisterDecodeCompressed(KernelRegistry& kernels) {
  kernels.Add<DecodeCompressed>("DecodeCompressed", kCpu);
}

}  // namespace sluice::kernels
