// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_DEVICE_CUDA_LIBRARY_H_
#define SLUICE_CORE_DEVICE_CUDA_LIBRARY_H_

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "core/status.h"

namespace sluice::cuda {

// The folders, separated by colons, in which NVIDIA's libraries are looked for. Empty, as at the
// start: the loader's path. Libraries that are open stay open.
void SetLibraryPath(std::string folders);

// How a library is called and found.
struct LibraryName {
  const char* name;                // as NVIDIA writes it
  std::vector<const char*> files;  // the first that opens is taken
  int major;                       // the version that the headers are of
  const char* version_function;    // size_t (*)(void)
  int version_unit;                // its value / version_unit is the major version
  bool writes_version = false;     // version_function is int (*)(int*), and returns 0
};

// Finds the functions of one open library.
//
// Threads:  any.
class Library {
 public:
  // Null if the library does not have it.
  using Find = std::function<void*(const char* function)>;

  Library(const LibraryName& name, std::string where, Find find)
      : name_(&name), where_(std::move(where)), find_(std::move(find)) {}

  // Sets pointers: Load("create", Create, "destroy", Destroy). UNIMPLEMENTED if the library lacks a
  // function.
  template <typename Function, typename... Others>
  absl::Status Load(const char* name, Function*& function, Others&&... others) const {
    void* found = find_(name);
    if (found == nullptr) return Lacks(name);
    function = reinterpret_cast<Function*>(found);
    if constexpr (sizeof...(others) > 0)
      return Load(others...);
    else
      return absl::OkStatus();
  }
  // UNIMPLEMENTED with the version found if that is not of the headers' major version.
  absl::Status CheckVersion() const;

 private:
  absl::Status Lacks(const char* function) const;

  const LibraryName* name_;
  std::string where_;
  Find find_;
};

// Opens a library. UNIMPLEMENTED, with what was looked for and where, if there is none. `name`
// outlives the result.
absl::StatusOr<Library> OpenLibrary(const LibraryName& name);

// A test's stand-in for a library: OpenLibrary asks it instead of the loader. A Status is the
// failure to open it; null puts the loader back. Each LibraryTable loads again at its next use.
// REQUIRES: nobody uses functions of the library meanwhile.
using LibraryDouble = std::function<absl::StatusOr<Library::Find>()>;
void UseLibraryForTest(absl::string_view name, LibraryDouble stand_in);
// Counts the calls of UseLibraryForTest.
uint64_t LibraryGeneration();

// The functions of a library, loaded at their first use. Table has `static const LibraryName kName`
// and `absl::Status Load(const Library&)`. A failure is not kept: the next use tries again.
template <typename Table>
class LibraryTable {
 public:
  absl::StatusOr<const Table*> Get() {
    const uint64_t generation = LibraryGeneration();
    absl::MutexLock lock(&mu_);
    if (loaded_ == generation) return &table_;
    SLUICE_ASSIGN(const Library library, OpenLibrary(Table::kName));
    SLUICE_RETURN_IF_ERROR(library.CheckVersion());
    SLUICE_RETURN_IF_ERROR(table_.Load(library));
    loaded_ = generation;
    return &table_;
  }

 private:
  absl::Mutex mu_;
  uint64_t loaded_ ABSL_GUARDED_BY(mu_) = 0;  // the generation of the functions; 0: none
  Table table_;                               // written under mu_, then constant
};

}  // namespace sluice::cuda

#endif  // SLUICE_CORE_DEVICE_CUDA_LIBRARY_H_
