#include "core/io/event_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

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
  std::string path = absl::StrFormat("%s/events.out.tfevents.%010d.%s.%d.%d%s", LocalPath(folder),
                                     seconds, host, getpid(), number.fetch_add(1), suffix);
  SLUICE_RETURN_IF_ERROR(MakeFolders(path));
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd < 0) return FileError(path, errno);
  std::unique_ptr<EventFile> file(new EventFile(std::move(path), fd));
  proto::Event first;
  first.set_wall_time(static_cast<double>(seconds));
  first.set_file_version("brain.Event:2");
  file->Append(first.SerializeAsString());
  SLUICE_RETURN_IF_ERROR(file->Flush());
  return file;
}

EventFile::~EventFile() {
  Flush().IgnoreError();
  close(fd_);
}

void EventFile::Append(absl::string_view event) { pending_ += FramedRecord(event); }

absl::Status EventFile::Flush() {
  absl::string_view rest = pending_;
  absl::Status status;
  while (!rest.empty() && status.ok()) {
    const ssize_t n = write(fd_, rest.data(), rest.size());
    if (n >= 0) {
      rest.remove_prefix(static_cast<size_t>(n));
    } else if (errno != EINTR) {
      status = FileError(path_, errno);
    }
  }
  pending_ = std::string(rest);
  return status;
}

}  // namespace sluice
