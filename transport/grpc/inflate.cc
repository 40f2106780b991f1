// SPDX-License-Identifier: Apache-2.0
#include "transport/grpc/inflate.h"

#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/slice.h>
#include <zlib.h>

#include <climits>
#include <memory>
#include <string>
#include <vector>

#include "core/tensor/memory_budget.h"

namespace sluice::transport {
namespace {

constexpr size_t kMostBytes = INT_MAX;  // of a protobuf message
constexpr size_t kChunk = 64 << 10;

// No request of ours begins like gzip or zlib: the first bytes would be a wire type that does not
// exist, or field 15.
bool IsCompressed(const std::vector<grpc::Slice>& slices) {
  unsigned begin = 0;
  size_t bytes = 0;
  for (const grpc::Slice& slice : slices) {
    for (size_t i = 0; i < slice.size() && bytes < 2; ++i, ++bytes)
      begin = begin << 8 | slice.begin()[i];
  }
  return bytes == 2 && (begin == 0x1f8b || (begin >> 8 == 0x78 && begin % 31 == 0));
}

// Closes the stream at the end of its life.
struct Inflation {
  z_stream stream = {};
  const bool open = inflateInit2(&stream, MAX_WBITS + 32 /* gzip or zlib */) == Z_OK;

  Inflation() = default;
  Inflation(const Inflation&) = delete;
  Inflation& operator=(const Inflation&) = delete;
  ~Inflation() {
    if (open) inflateEnd(&stream);
  }
};

absl::Status Append(const std::vector<grpc::Slice>& slices, std::string* to) {
  Inflation inflation;
  if (!inflation.open) return ResourceExhausted("no memory to decompress a message");
  z_stream& stream = inflation.stream;
  std::string chunk(kChunk, '\0');
  int result = Z_OK;
  for (const grpc::Slice& slice : slices) {
    if (slice.size() == 0) continue;
    stream.next_in = const_cast<Bytef*>(slice.begin());
    stream.avail_in = static_cast<uInt>(slice.size());
    do {
      if (result == Z_STREAM_END) return InvalidArgument("bytes after a compressed message");
      stream.next_out = reinterpret_cast<Bytef*>(chunk.data());
      stream.avail_out = static_cast<uInt>(chunk.size());
      result = inflate(&stream, Z_NO_FLUSH);
      if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
        return InvalidArgument("a compressed message is damaged");
      const size_t bytes = chunk.size() - stream.avail_out;
      if (bytes > kMostBytes - to->size())
        return ResourceExhausted("a compressed message holds more than 2 GiB");
      to->append(chunk.data(), bytes);
    } while (stream.avail_in > 0 || (stream.avail_out == 0 && result != Z_STREAM_END));
  }
  return result == Z_STREAM_END ? absl::OkStatus()
                                : InvalidArgument("a compressed message is cut short");
}

}  // namespace

absl::StatusOr<grpc::ByteBuffer> Inflate(const grpc::ByteBuffer& message) {
  std::vector<grpc::Slice> slices;
  if (!message.Dump(&slices).ok() || !IsCompressed(slices)) return message;
  auto bytes = std::make_unique<std::string>();
  SLUICE_RETURN_IF_ERROR(WithinMemory([&] { return Append(slices, bytes.get()); }));
  std::string* const held = bytes.release();  // the slice's destroy callback deletes it
  const grpc::Slice slice(
      held->data(), held->size(), +[](void* user) { delete static_cast<std::string*>(user); },
      held);
  return grpc::ByteBuffer(&slice, 1);
}

}  // namespace sluice::transport
