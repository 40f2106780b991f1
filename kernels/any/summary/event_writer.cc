// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/summary/event_writer.h"

#include "proto/event.pb.h"

namespace sluice::kernels {

absl::Status EventWriter::Write(const proto::Event& event) {
  std::string bytes;
  if (event.ByteSizeLong() > INT32_MAX || !event.SerializeToString(&bytes)) {
    return ResourceExhausted("the event is too large: ", event.ByteSizeLong(), " bytes");
  }
  absl::MutexLock lock(&mu_);
  file_->Append(bytes);
  if (++queued_ <= most_queued_ && absl::Now() - flushed_ < flush_every_) return absl::OkStatus();
  return FlushLocked();
}

absl::Status EventWriter::FlushLocked() {
  queued_ = 0;
  flushed_ = absl::Now();
  return file_->Flush();
}

}  // namespace sluice::kernels
