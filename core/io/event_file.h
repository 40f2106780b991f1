// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_IO_EVENT_FILE_H_
#define SLUICE_CORE_IO_EVENT_FILE_H_

#include <memory>
#include <string>

#include "core/io/file_system.h"

namespace sluice {

// An EventFile is a file of events for dashboards: records, of which the first gives the file
// version. Its name is
// `<folder>/events.out.tfevents.<seconds>.<host>.<process>.<number><suffix>`.
//
// Threads:  one at a time.
class EventFile {
 public:
  static absl::StatusOr<std::unique_ptr<EventFile>> Create(const std::string& folder,
                                                           absl::string_view suffix);
  ~EventFile();
  EventFile(const EventFile&) = delete;
  EventFile& operator=(const EventFile&) = delete;

  // Appends a serialised Event. It is in the file after the next Flush.
  void Append(absl::string_view event);
  absl::Status Flush();
  const std::string& path() const { return path_; }

 private:
  EventFile(std::string path, std::unique_ptr<OutputFile> file)
      : path_(std::move(path)), file_(std::move(file)) {}

  const std::string path_;
  const std::unique_ptr<OutputFile> file_;
  std::string pending_;
};

}  // namespace sluice

#endif  // SLUICE_CORE_IO_EVENT_FILE_H_
