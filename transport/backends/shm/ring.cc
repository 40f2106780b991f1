// SPDX-License-Identifier: Apache-2.0
#include "transport/backends/shm/ring.h"

#include <algorithm>
#include <cstring>

namespace sluice::transport {

// One side writes and then checks whether the other sleeps; the other goes to sleep and then checks
// whether something was written. These are the two halves of Dekker's protocol, and both need a
// total order.

size_t RingWriter::Write(absl::string_view bytes) {
  const uint64_t used = written_ - head_->read.load(std::memory_order_acquire);
  if (used > size_) return 0;  // the reader's counter is invalid; other checks end the stream
  const size_t n = std::min<size_t>(bytes.size(), size_ - used);
  if (n == 0) return 0;
  const size_t at = written_ & (size_ - 1);
  const size_t first = std::min(n, size_ - at);
  std::memcpy(data_ + at, bytes.data(), first);
  std::memcpy(data_, bytes.data() + first, n - first);
  written_ += n;
  head_->written.store(written_, std::memory_order_seq_cst);
  return n;
}

bool RingWriter::WaitForRoom() {
  head_->writer_waits.store(1, std::memory_order_seq_cst);
  return written_ - head_->read.load(std::memory_order_seq_cst) >= size_;
}

bool RingWriter::ReaderRests() {
  return head_->reader_rests.load(std::memory_order_seq_cst) != 0 &&
         head_->reader_rests.exchange(0, std::memory_order_seq_cst) != 0;
}

absl::StatusOr<absl::string_view> RingReader::Readable() const {
  const uint64_t used = head_->written.load(std::memory_order_acquire) - read_;
  if (used > size_) return InvalidArgument("a ring of ", size_, " bytes holds ", used);
  const size_t at = read_ & (size_ - 1);
  return absl::string_view(data_ + at, std::min<size_t>(used, size_ - at));
}

void RingReader::Consume(size_t bytes) {
  read_ += bytes;
  head_->read.store(read_, std::memory_order_seq_cst);
}

bool RingReader::WriterWaits() {
  return head_->writer_waits.load(std::memory_order_seq_cst) != 0 &&
         head_->writer_waits.exchange(0, std::memory_order_seq_cst) != 0;
}

bool RingReader::Rest() {
  if (head_->reader_rests.load(std::memory_order_relaxed) == 0)
    head_->reader_rests.store(1, std::memory_order_seq_cst);
  return head_->written.load(std::memory_order_seq_cst) == read_;
}

}  // namespace sluice::transport
