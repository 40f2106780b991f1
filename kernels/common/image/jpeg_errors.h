// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_IMAGE_JPEG_ERRORS_H_
#define SLUICE_KERNELS_COMMON_IMAGE_JPEG_ERRORS_H_

#include <csetjmp>
#include <cstdio>
#include <cstring>

#include <jpeglib.h>

namespace sluice::kernels {

// The errors of one libjpeg object. libjpeg reports an error by a call that must not return, so
// calls run inside Try.
//
// Threads:  one at a time.
class JpegErrors {
 public:
  JpegErrors() {
    manager_.error_exit = &Exit;
    manager_.output_message = [](j_common_ptr) {};
  }
  JpegErrors(const JpegErrors&) = delete;
  JpegErrors& operator=(const JpegErrors&) = delete;

  jpeg_error_mgr* manager() { return &manager_; }
  const char* text() const { return text_; }

  // Runs `body`, and returns false if libjpeg reports an error. An error leaves `body` by longjmp.
  // REQUIRES: no object that `body` makes has a destructor.
  template <typename Body>
  bool Try(const Body& body) {
    if (setjmp(jump_) != 0) return false;
    body();
    return true;
  }

 private:
  [[noreturn]] static void Exit(j_common_ptr object) {
    auto* const self = static_cast<JpegErrors*>(object->client_data);
    self->manager_.format_message(object, self->text_);
    longjmp(self->jump_, 1);
  }

  jpeg_error_mgr manager_ = Standard();
  jmp_buf jump_;
  char text_[JMSG_LENGTH_MAX] = "";

  static jpeg_error_mgr Standard() {
    jpeg_error_mgr manager;
    std::memset(&manager, 0, sizeof(manager));
    return *jpeg_std_error(&manager);
  }
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_IMAGE_JPEG_ERRORS_H_
