// SPDX-License-Identifier: Apache-2.0
#include "core/io/atomic_file.h"

#include <random>

#include "core/io/file.h"

namespace sluice {

AtomicFile::AtomicFile(std::string path, std::string temporary, std::unique_ptr<OutputFile> file)
    : path_(std::move(path)), temporary_(std::move(temporary)), file_(std::move(file)) {
  buffer_.reserve(kBufferSize);
}

absl::StatusOr<std::unique_ptr<AtomicFile>> AtomicFile::Create(const std::string& path) {
  std::random_device device;
  const uint64_t random = uint64_t{device()} << 32 | device();
  std::string temporary = absl::StrCat(path, ".tempstate", random);
  SLUICE_ASSIGN(std::unique_ptr<OutputFile> file, CreateFile(temporary, WriteMode::kNew));
  return std::unique_ptr<AtomicFile>(new AtomicFile(path, std::move(temporary), std::move(file)));
}

AtomicFile::~AtomicFile() {
  file_.reset();
  if (!committed_) RemoveFile(temporary_).IgnoreError();
}

absl::Status AtomicFile::Append(absl::string_view bytes) {
  size_ += bytes.size();
  if (buffer_.size() + bytes.size() > kBufferSize) SLUICE_RETURN_IF_ERROR(Flush());
  if (bytes.size() >= kBufferSize) return file_->Append(bytes);
  buffer_.append(bytes.data(), bytes.size());
  return absl::OkStatus();
}

absl::Status AtomicFile::Flush() {
  SLUICE_RETURN_IF_ERROR(file_->Append(buffer_));
  buffer_.clear();
  return absl::OkStatus();
}

absl::Status AtomicFile::Close() {
  if (file_ == nullptr) return absl::OkStatus();
  SLUICE_RETURN_IF_ERROR(Flush());
  const absl::Status status = file_->Close();
  file_.reset();
  return status;
}

absl::Status AtomicFile::Commit() {
  SLUICE_RETURN_IF_ERROR(Close());
  SLUICE_RETURN_IF_ERROR(RenameFile(temporary_, path_));
  committed_ = true;
  return absl::OkStatus();
}

}  // namespace sluice
