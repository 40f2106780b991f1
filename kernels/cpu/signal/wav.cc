// SPDX-License-Identifier: Apache-2.0
// WAV files with 16 bits per sample: RIFF chunks of little-endian numbers.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/runtime/kernel_registry.h"
#include "core/threads/cancel_scope.h"
#include "kernels/cpu/signal/register.h"

namespace sluice::kernels {
namespace {

constexpr float kScale = 32768;

// Reads a file from its beginning. INVALID_ARGUMENT if it ends too early.
class Bytes {
 public:
  explicit Bytes(absl::string_view data) : rest_(data) {}

  bool empty() const { return rest_.empty(); }
  size_t size() const { return rest_.size(); }

  absl::StatusOr<absl::string_view> Text(size_t length) {
    if (rest_.size() < length) {
      return InvalidArgument("Data too short when trying to read string");
    }
    const absl::string_view text = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return text;
  }
  absl::StatusOr<uint32_t> Number(int bytes) {
    if (rest_.size() < static_cast<size_t>(bytes)) {
      return InvalidArgument("Data too short when trying to read value");
    }
    uint32_t value = 0;
    for (int i = 0; i < bytes; ++i) {
      value |= static_cast<uint32_t>(static_cast<uint8_t>(rest_[i])) << (8 * i);
    }
    rest_.remove_prefix(bytes);
    return value;
  }
  absl::Status Expect(absl::string_view text) {
    SLUICE_ASSIGN(const absl::string_view found, Text(text.size()));
    if (found == text) return absl::OkStatus();
    return InvalidArgument("Header mismatch: Expected ", text, " but found ", found);
  }

 private:
  absl::string_view rest_;
};

struct Wav {
  uint32_t channels = 0, rate = 0;
  absl::string_view samples;  // two bytes per sample, channels interleaved
};

// Skips chunks that may come before the format chunk.
bool MayPrecedeFormat(absl::string_view id) {
  static constexpr absl::string_view kIds[] = {"JUNK", "bext", "iXML", "qlty",
                                               "mext", "levl", "link", "axml"};
  return std::find(std::begin(kIds), std::end(kIds), id) != std::end(kIds);
}

absl::Status ReadFormat(Bytes& bytes, Wav& wav) {
  SLUICE_ASSIGN(const uint32_t size, bytes.Number(4));
  if (size != 16 && size != 18) {
    return InvalidArgument("Bad format chunk size for WAV: Expected 16 or 18, but got", size);
  }
  SLUICE_ASSIGN(const uint32_t format, bytes.Number(2));
  if (format != 1) {
    return InvalidArgument("Bad audio format for WAV: Expected 1 (PCM), but got", format);
  }
  SLUICE_ASSIGN(wav.channels, bytes.Number(2));
  if (wav.channels < 1) {
    return InvalidArgument("Bad number of channels for WAV: Expected at least 1, but got ",
                           wav.channels);
  }
  SLUICE_ASSIGN(wav.rate, bytes.Number(4));
  SLUICE_ASSIGN(const uint32_t per_second, bytes.Number(4));
  SLUICE_ASSIGN(const uint32_t per_frame, bytes.Number(2));
  SLUICE_ASSIGN(const uint32_t bits, bytes.Number(2));
  if (bits != 16) return InvalidArgument("Can only read 16-bit WAV files, but received ", bits);
  if (per_frame != 2 * wav.channels) {
    return InvalidArgument("Bad bytes per sample in WAV header: Expected ", 2 * wav.channels,
                           " but got ", per_frame);
  }
  if (per_second != per_frame * wav.rate) {
    return InvalidArgument("Bad bytes per second in WAV header: Expected ", per_frame * wav.rate,
                           " but got ", per_second, " (sample_rate=", wav.rate,
                           ", bytes_per_sample=", per_frame, ")");
  }
  return size == 18 ? bytes.Text(2).status() : absl::OkStatus();
}

absl::StatusOr<Wav> ReadWav(absl::string_view file) {
  Bytes bytes(file);
  SLUICE_RETURN_IF_ERROR(bytes.Expect("RIFF"));
  SLUICE_RETURN_IF_ERROR(bytes.Number(4).status());
  SLUICE_RETURN_IF_ERROR(bytes.Expect("WAVE"));
  SLUICE_ASSIGN(absl::string_view id, bytes.Text(4));
  while (id != "fmt ") {
    if (!MayPrecedeFormat(id)) return InvalidArgument("Unexpected field ", id);
    SLUICE_ASSIGN(const uint32_t size, bytes.Number(4));
    SLUICE_RETURN_IF_ERROR(bytes.Text(size).status());
    SLUICE_ASSIGN(id, bytes.Text(4));
  }
  Wav wav;
  SLUICE_RETURN_IF_ERROR(ReadFormat(bytes, wav));
  bool found = false;
  while (!bytes.empty()) {
    SLUICE_ASSIGN(id, bytes.Text(4));
    SLUICE_ASSIGN(const uint32_t size, bytes.Number(4));
    if (size > static_cast<uint32_t>(std::numeric_limits<int32_t>::max())) {
      return InvalidArgument("WAV data chunk '", id, "' is too large: ", size,
                             " bytes, but the limit is ", std::numeric_limits<int32_t>::max());
    }
    if (id != "data") {
      SLUICE_RETURN_IF_ERROR(bytes.Text(std::min<size_t>(size, bytes.size())).status());
      continue;
    }
    if (found) return InvalidArgument("More than one data chunk found in WAV");
    found = true;
    const uint32_t frame = 2 * wav.channels;
    SLUICE_ASSIGN(wav.samples, bytes.Text(size / frame * frame));
  }
  if (!found) return InvalidArgument("No data chunk found in WAV");
  return wav;
}

struct DecodeWav {
  int64_t channels, samples;

  static absl::StatusOr<DecodeWav> Create(const NodeSpec& node) {
    DecodeWav op;
    SLUICE_ASSIGN(op.channels, node.Get<int64_t>("desired_channels"));
    SLUICE_ASSIGN(op.samples, node.Get<int64_t>("desired_samples"));
    return op;
  }

  // Missing samples are silent, missing channels repeat the last, and surplus ones are left out.
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& contents = ctx.input(0);
    if (contents.rank() != 0) {
      return InvalidArgument("contents must be scalar, got shape ", contents.shape());
    }
    const auto& file = contents.scalar<std::string>();
    if (file.size() > static_cast<size_t>(std::numeric_limits<int32_t>::max())) {
      return InvalidArgument("WAV contents are too large for int: ", file.size());
    }
    SLUICE_ASSIGN(const Wav wav, ReadWav(file));
    const auto width = static_cast<int64_t>(wav.channels);
    const int64_t length = static_cast<int64_t>(wav.samples.size()) / (2 * width);
    const int64_t out_length = samples == -1 ? length : samples;
    const int64_t out_width = channels == -1 ? width : channels;
    if (out_length < 0 || out_width < 0) {
      return InvalidArgument("desired sizes must not be negative: ", samples, " samples of ",
                             channels, " channels");
    }
    SLUICE_ASSIGN(const Shape shape, Shape::Create({out_length, out_width}));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    auto* to = out->mutable_data<float>();
    for (const int64_t i : Cancellable(out_length)) {
      for (int64_t c = 0; c < out_width; ++c, ++to) {
        if (i >= length) {
          *to = 0;
          continue;
        }
        const int64_t from = 2 * (i * width + std::min(c, width - 1));
        const auto word = static_cast<int16_t>(static_cast<uint8_t>(wav.samples[from]) |
                                               static_cast<uint8_t>(wav.samples[from + 1]) << 8);
        *to = static_cast<float>(word) / kScale;
      }
    }
    ctx.SetOutput(1, Tensor::Scalar<int32_t>(static_cast<int32_t>(wav.rate)));
    return absl::OkStatus();
  }
};

void Append(std::string& file, uint32_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) file.push_back(static_cast<char>(value >> (8 * i) & 0xFF));
}

struct EncodeWav {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor &audio = ctx.input(0), &rate_tensor = ctx.input(1);
    if (audio.rank() != 2) {
      return InvalidArgument("audio must be 2-dimensional", audio.shape());
    }
    if (rate_tensor.rank() != 0) {
      return InvalidArgument("Input sample_rate should be a scalar tensor, got ",
                             rate_tensor.shape(), " instead.");
    }
    const int64_t rate = rate_tensor.scalar<int32_t>(), channels = audio.dim(1);
    if (rate <= 0) return InvalidArgument("sample_rate must be in (0, 2^32), got: ", rate);
    if (channels < 1 || channels > std::numeric_limits<uint16_t>::max()) {
      return InvalidArgument("num_channels must be in (0, 2^16), got: ", channels);
    }
    constexpr int64_t kHeader = 44;
    const int64_t samples = audio.num_elements();
    if (samples > (int64_t{std::numeric_limits<uint32_t>::max()} - kHeader) / 2) {
      return InvalidArgument("Provided channels and frames cannot be encoded as a WAV.");
    }
    const auto size = static_cast<uint32_t>(2 * samples);
    std::string file;
    file.reserve(kHeader + size);
    file += "RIFF";
    Append(file, kHeader - 8 + size, 4);
    file += "WAVEfmt ";
    Append(file, 16, 4);
    Append(file, 1, 2);  // uncompressed
    Append(file, static_cast<uint32_t>(channels), 2);
    Append(file, static_cast<uint32_t>(rate), 4);
    Append(file, static_cast<uint32_t>(2 * rate * channels), 4);
    Append(file, static_cast<uint32_t>(2 * channels), 2);
    Append(file, 16, 2);
    file += "data";
    Append(file, size, 4);
    for (float value : audio.flat<float>()) {
      const float scaled = std::min(std::max(std::round(value * kScale), -kScale), kScale - 1);
      Append(file, static_cast<uint16_t>(static_cast<int16_t>(scaled)), 2);
    }
    ctx.SetOutput(0, Tensor::Scalar<std::string>(std::move(file)));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterWav(KernelRegistry& kernels) {
  kernels.Add<DecodeWav>("DecodeWav", kCpu);
  kernels.Add<EncodeWav>("EncodeWav", kCpu);
}

}  // namespace sluice::kernels
