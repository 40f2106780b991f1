// SPDX-License-Identifier: Apache-2.0
#include "core/io/event_file.h"

#include <unistd.h>

#include <atomic>

#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "core/io/file.h"
#include "core/io/record.h"
#include "proto/event.pb.h"

namespace sluice {

absl::StatusOr<std::unique_ptr<EventFile>> EventFile::Create(const std::string& folder,
                                                             absl::string_view suffix) {
  static std::atomic<int64_t> number{0};
  if (suffix.find('/') != absl::string_view::npos) {
    return InvalidArgument("the suffix of an event file may not have a /: ", suffix);
  }
  char host[256] = "unknown";
  gethostname(host, sizeof(host) - 1);
  const int64_t seconds = absl::ToUnixSeconds(absl::Now());
  std::string path = absl::StrFormat("%s/events.out.tfevents.%010d.%s.%d.%d%s", folder, seconds,
                                     host, getpid(), number.fetch_add(1), suffix);
  SLUICE_RETURN_IF_ERROR(MakeFoldersAbove(path));
  SLUICE_ASSIGN(std::unique_ptr<OutputFile> output, CreateFile(path, WriteMode::kAppend));
  std::unique_ptr<EventFile> file(new EventFile(std::move(path), std::move(output)));
  proto::Event first;
  first.set_wall_time(static_cast<double>(seconds));
  first.set_file_version("brain.Event:2");
  file->Append(first.SerializeAsString());
  SLUICE_RETURN_IF_ERROR(file->Flush());
  return file;
}

EventFile::~EventFile() { Flush().IgnoreError(); }

void EventFile::Append(absl::string_view event) { pending_ += FramedRecord(event); }

absl::Status EventFile::Flush() {
  absl::string_view rest = pending_;
  const absl::Status status = file_->Consume(&rest);
  pending_ = std::string(rest);
  return status;
}

}  // namespace sluice
