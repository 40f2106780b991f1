// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_BACKENDS_SHM_RING_H_
#define SLUICE_TRANSPORT_BACKENDS_SHM_RING_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "core/status.h"

namespace sluice::transport {

// A stream of bytes through memory that two processes see: one writes, the other reads. The head
// counts all bytes that were ever written and read; zeroes are an empty ring.
struct RingHead {
  alignas(64) std::atomic<uint64_t> written;
  alignas(64) std::atomic<uint64_t> read;
  alignas(64) std::atomic<uint32_t> reader_rests;  // wants to be woken by what is written
  std::atomic<uint32_t> writer_waits;              // wants to be woken by what is read
};

// The writing end.
//
// Threads:  one at a time.
class RingWriter {
 public:
  RingWriter() = default;
  // `size` is a power of two.
  RingWriter(RingHead* head, char* data, size_t size) : head_(head), data_(data), size_(size) {}

  // Writes what fits, and says how much that was.
  size_t Write(absl::string_view bytes);
  // After a Write that did not fit: asks to be woken. False: there is room again, write on.
  bool WaitForRoom();
  // Whether the reader is to be woken; asked after writing, true only once.
  bool ReaderRests();

 private:
  RingHead* head_ = nullptr;
  char* data_ = nullptr;
  size_t size_ = 0;
  uint64_t written_ = 0;
};

// The reading end. It believes nothing of the writer.
//
// Threads:  one.
class RingReader {
 public:
  RingReader() = default;
  RingReader(RingHead* head, const char* data, size_t size)
      : head_(head), data_(data), size_(size) {}

  bool empty() const { return head_->written.load(std::memory_order_acquire) == read_; }
  // The bytes that can be read in one piece; empty if there are none. INVALID_ARGUMENT: the
  // writer's counters are impossible.
  absl::StatusOr<absl::string_view> Readable() const;
  void Consume(size_t bytes);
  // Whether the writer is to be woken; asked after reading, true only once.
  bool WriterWaits();
  // Asks to be woken. False: something is there.
  bool Rest();

 private:
  RingHead* head_ = nullptr;
  const char* data_ = nullptr;
  size_t size_ = 0;
  uint64_t read_ = 0;
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_BACKENDS_SHM_RING_H_
