// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_BACKENDS_SHM_RING_H_
#define SLUICE_TRANSPORT_BACKENDS_SHM_RING_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "core/status.h"

namespace sluice::transport {

// A stream of bytes through the memory of two processes: one writes, the other reads. The head
// counts all bytes that were ever written and read. Zeroes are an empty ring.
struct RingHead {
  alignas(64) std::atomic<uint64_t> written;
  alignas(64) std::atomic<uint64_t> read;
  alignas(64) std::atomic<uint32_t> reader_rests;  // the writer must wake it after a write
  std::atomic<uint32_t> writer_waits;              // the reader must wake it after a read
};

// The writing end.
//
// Threads:  one at a time.
class RingWriter {
 public:
  RingWriter() = default;
  // `size` is a power of two.
  RingWriter(RingHead* head, char* data, size_t size) : head_(head), data_(data), size_(size) {}

  // Writes as many bytes as fit, and returns their number.
  size_t Write(absl::string_view bytes);
  // Called if a Write did not fit: asks to be woken. Returns false if there is room again: write
  // on.
  bool WaitForRoom();
  // Whether the reader has to be woken. Call it after a write; it returns true only once.
  bool ReaderRests();

 private:
  RingHead* head_ = nullptr;
  char* data_ = nullptr;
  size_t size_ = 0;
  uint64_t written_ = 0;
};

// The reading end. It does not trust the writer.
//
// Threads:  one.
class RingReader {
 public:
  RingReader() = default;
  RingReader(RingHead* head, const char* data, size_t size)
      : head_(head), data_(data), size_(size) {}

  bool empty() const { return head_->written.load(std::memory_order_acquire) == read_; }
  // The bytes that can be read in one piece; empty if there are none. INVALID_ARGUMENT if the
  // writer's counters are impossible.
  absl::StatusOr<absl::string_view> Readable() const;
  void Consume(size_t bytes);
  // Whether the writer has to be woken. Call it after a read; it returns true only once.
  bool WriterWaits();
  // Asks to be woken. Returns false if there is something to read.
  bool Rest();

 private:
  RingHead* head_ = nullptr;
  const char* data_ = nullptr;
  size_t size_ = 0;
  uint64_t read_ = 0;
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_BACKENDS_SHM_RING_H_
