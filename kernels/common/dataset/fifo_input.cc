// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/dataset/fifo_input.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/time/clock.h"

namespace sluice::kernels {
namespace {

absl::Status FileError(const std::string& path, int error) {
  return MakeStatus(absl::ErrnoToStatusCode(error), path, "; ", std::strerror(error));
}

constexpr int kPipeBytes = 1 << 20;
constexpr int kPollMs = 20;  // between looks at the token, and for the file

class FifoInput final : public Input {
 public:
  FifoInput(std::string path, int file, const CancelToken& cancel)
      : path_(std::move(path)), file_(file), cancel_(cancel) {}
  ~FifoInput() override { close(file_); }
  FifoInput(const FifoInput&) = delete;
  FifoInput& operator=(const FifoInput&) = delete;

  const std::string& path() const override { return path_; }

  absl::StatusOr<size_t> Read(char* to, size_t size) override {
    SLUICE_RETURN_IF_ERROR(WaitUntil(absl::InfiniteFuture()));
    while (true) {
      const ssize_t got = read(file_, to, size);
      if (got >= 0) return static_cast<size_t>(got);
      if (errno != EINTR && errno != EAGAIN) return FileError(path_, errno);
      SLUICE_RETURN_IF_ERROR(WaitUntil(absl::InfiniteFuture()));
    }
  }

  // Waits for bytes, or the end. Linux reports the end of a FIFO only once it had a writer.
  absl::Status WaitUntil(absl::Time deadline) const {
    while (!cancel_.cancelled()) {
      pollfd polled = {file_, POLLIN, 0};
      const int ready = poll(&polled, 1, kPollMs);
      if (ready > 0) return absl::OkStatus();
      if (ready < 0 && errno != EINTR) return FileError(path_, errno);
      if (absl::Now() >= deadline) {
        return DeadlineExceeded("no process writes to ", path_);
      }
    }
    return cancel_.status();
  }

 private:
  const std::string path_;
  const int file_;
  const CancelToken& cancel_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Input>> OpenFifo(const std::string& path, absl::Duration limit,
                                                const CancelToken& cancel) {
  const absl::Time deadline = absl::Now() + limit;
  while (!cancel.cancelled()) {
    // Without O_NONBLOCK, open() would wait for a writer.
    const int file = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file >= 0) {
      (void)fcntl(file, F_SETPIPE_SZ, kPipeBytes);  // for fewer reads; fails for other files
      auto input = std::make_unique<FifoInput>(path, file, cancel);
      SLUICE_RETURN_IF_ERROR(input->WaitUntil(deadline));
      return input;
    }
    if (errno != ENOENT && errno != EINTR) return FileError(path, errno);
    if (absl::Now() >= deadline) {
      return DeadlineExceeded(path, " does not exist after ", absl::FormatDuration(limit));
    }
    absl::SleepFor(absl::Milliseconds(kPollMs));
  }
  return cancel.status();
}

}  // namespace sluice::kernels
