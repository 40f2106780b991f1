// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_POLL_DESCRIPTOR_H_
#define SLUICE_TRANSPORT_POLL_DESCRIPTOR_H_

#include <unistd.h>

#include <utility>

namespace sluice::transport {

// A descriptor that closes with its owner.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }
  // Leaves the descriptor to the caller.
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_ = -1;
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_POLL_DESCRIPTOR_H_
