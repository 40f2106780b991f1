// SPDX-License-Identifier: Apache-2.0
#include "core/log_writer.h"

#include <limits.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace sluice {
namespace {

constexpr size_t kKeptBytes = 1 << 20;
constexpr int kLookAgainMs = 100;  // at the descriptor, which may have changed

bool WritableWithin(int descriptor, int timeout_ms) {
  pollfd one = {descriptor, POLLOUT, 0};
  return poll(&one, 1, timeout_ms) > 0;
}

bool NotNow(int error) { return error == EAGAIN || error == EWOULDBLOCK || error == EINTR; }

// Writes to a descriptor that poll has found to be writable. A pipe takes this many bytes then.
ssize_t WritePiece(int descriptor, absl::string_view bytes) {
  return write(descriptor, bytes.data(), std::min<size_t>(bytes.size(), PIPE_BUF));
}

// Writes as much as the descriptor takes without waiting. The descriptor's own flags stay as they
// are: other processes may share them.
ssize_t WriteNow(int descriptor, absl::string_view bytes) {
  struct stat about = {};
  if (fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode))
    return write(descriptor, bytes.data(), bytes.size());
  ssize_t written = send(descriptor, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  if (written >= 0 || errno != ENOTSOCK) return written;
  const iovec piece = {const_cast<char*>(bytes.data()), bytes.size()};
  written = pwritev2(descriptor, &piece, 1, /*offset=*/-1, RWF_NOWAIT);
  if (written >= 0 || (errno != EOPNOTSUPP && errno != ENOSYS && errno != EINVAL)) return written;
  if (WritableWithin(descriptor, 0)) return WritePiece(descriptor, bytes);
  errno = EAGAIN;
  return -1;
}

std::string LineAbout(int64_t dropped) {
  return absl::StrCat(dropped, " lines of the log were dropped: its reader is too slow\n");
}

}  // namespace

std::string EscapeControls(absl::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    // U+0080 to U+009F in UTF-8
    const bool wide = byte == 0xc2 && i + 1 < text.size() &&
                      static_cast<unsigned char>(text[i + 1]) >= 0x80 &&
                      static_cast<unsigned char>(text[i + 1]) < 0xa0;
    if (byte == '\n') {
      out += "\\n";
    } else if (byte == '\t') {
      out += "\\t";
    } else if (byte == '\r') {
      out += "\\r";
    } else if (byte < 0x20 || byte == 0x7f || wide) {
      absl::StrAppendFormat(&out, "\\x%02x", byte);
      if (wide) absl::StrAppendFormat(&out, "\\x%02x", static_cast<unsigned char>(text[++i]));
    } else {
      out += text[i];
    }
  }
  return out;
}

void LogWriter::Write(std::string line) {
  absl::MutexLock lock(&mu_);
  if (!kept_.empty()) return Keep(std::move(line));
  if (dropped_ > 0) line.insert(0, LineAbout(std::exchange(dropped_, 0)));
  const ssize_t written = WriteNow(descriptor(), line);
  // If the reader has gone, nothing can be done.
  if (written < 0 && !NotNow(errno)) return;
  line.erase(0, static_cast<size_t>(std::max<ssize_t>(written, 0)));
  if (line.empty()) return;
  Keep(std::move(line));
  StartDraining();
}

bool LogWriter::Flush(absl::Duration timeout) {
  absl::MutexLock lock(&mu_);
  return mu_.AwaitWithTimeout(absl::Condition(
                                  +[](LogWriter* self) ABSL_EXCLUSIVE_LOCKS_REQUIRED(self->mu_) {
                                    return !self->draining_;
                                  },
                                  this),
                              timeout);
}

void LogWriter::Keep(std::string line) {
  if (kept_bytes_ + line.size() > kKeptBytes) {
    ++dropped_;
    return;
  }
  kept_bytes_ += line.size();
  kept_.push_back(std::move(line));
}

void LogWriter::StartDraining() {
  if (std::exchange(draining_, true)) return;
  try {
    std::thread([this] { Drain(); }).detach();
  } catch (const std::system_error&) {  // no more threads
    draining_ = false;
    dropped_ += static_cast<int64_t>(kept_.size());
    Forget();
  }
}

void LogWriter::Forget() {
  kept_.clear();
  kept_bytes_ = 0;
}

void LogWriter::Drain() {
  std::string piece;
  while (true) {
    {
      absl::MutexLock lock(&mu_);
      if (kept_.empty() && dropped_ > 0) Keep(LineAbout(std::exchange(dropped_, 0)));
      if (kept_.empty()) {
        draining_ = false;
        return;
      }
      piece = kept_.front();
    }
    const int to = descriptor();
    if (!WritableWithin(to, kLookAgainMs)) continue;
    const ssize_t written = WritePiece(to, piece);
    absl::MutexLock lock(&mu_);
    if (written < 0) {
      if (NotNow(errno)) continue;
      Forget();  // the reader has gone
      dropped_ = 0;
      continue;
    }
    kept_bytes_ -= static_cast<size_t>(written);
    kept_.front().erase(0, static_cast<size_t>(written));
    if (kept_.front().empty()) kept_.pop_front();
  }
}

}  // namespace sluice
