// SPDX-License-Identifier: Apache-2.0
#include "core/device/cuda_library.h"

#include <dlfcn.h>

#include <atomic>
#include <cstdlib>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

namespace sluice::cuda {
namespace {

struct Settings {
  absl::Mutex mu;
  std::string folders ABSL_GUARDED_BY(mu);
  absl::flat_hash_map<std::string, LibraryDouble> doubles ABSL_GUARDED_BY(mu);
};

Settings& TheSettings() {
  static Settings* const settings = new Settings;
  return *settings;
}

std::string LoaderPath() {
  const char* variable = std::getenv("LD_LIBRARY_PATH");
  if (variable == nullptr || *variable == '\0') return "the loader's path";
  return Cat("the loader's path (LD_LIBRARY_PATH=", variable, ")");
}

// Opens a file of the library. `tried` gets one line for each that does not open. The library stays
// open until the process ends: kernels of it may run.
absl::StatusOr<Library> OpenFile(const LibraryName& name, const std::string& path,
                                 std::vector<std::string>& tried) {
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* reason = dlerror();
    tried.push_back(reason == nullptr ? path : reason);
    return NotFound(path);
  }
  return Library(name, path, [handle](const char* function) { return dlsym(handle, function); });
}

std::atomic<uint64_t> generation{1};

}  // namespace

uint64_t LibraryGeneration() { return generation.load(std::memory_order_acquire); }

void SetLibraryPath(std::string folders) {
  Settings& settings = TheSettings();
  absl::MutexLock lock(&settings.mu);
  settings.folders = std::move(folders);
}

void UseLibraryForTest(absl::string_view name, LibraryDouble stand_in) {
  Settings& settings = TheSettings();
  absl::MutexLock lock(&settings.mu);
  settings.doubles[name] = std::move(stand_in);
  generation.fetch_add(1, std::memory_order_release);
}

absl::StatusOr<Library> OpenLibrary(const LibraryName& name) {
  Settings& settings = TheSettings();
  std::string folders;
  LibraryDouble stand_in;
  {
    absl::MutexLock lock(&settings.mu);
    folders = settings.folders;
    if (const auto found = settings.doubles.find(name.name); found != settings.doubles.end()) {
      stand_in = found->second;
    }
  }
  if (stand_in) {
    SLUICE_ASSIGN(Library::Find find, stand_in());
    return Library(name, "a double", std::move(find));
  }
  std::vector<std::string> tried;
  const std::vector<std::string> in =
      folders.empty() ? std::vector<std::string>{""} : absl::StrSplit(folders, ':');
  for (const std::string& folder : in) {
    for (const char* file : name.files) {
      auto opened = OpenFile(name, folder.empty() ? file : Cat(folder, "/", file), tried);
      if (opened.ok()) return opened;
    }
  }
  return Unimplemented("this op needs ", name.name, " ", name.major,
                       ", which cannot be opened. Looked for ", absl::StrJoin(name.files, " and "),
                       " in ", folders.empty() ? LoaderPath() : Cat("--cuda_libraries=", folders),
                       ": ", absl::StrJoin(tried, "; "));
}

absl::Status Library::CheckVersion() const {
  size_t found = 0;
  if (name_->writes_version) {
    int (*write)(int*) = nullptr;
    SLUICE_RETURN_IF_ERROR(Load(name_->version_function, write));
    int written = 0;
    if (write(&written) == 0) found = static_cast<size_t>(written);
  } else {
    size_t (*version)() = nullptr;
    SLUICE_RETURN_IF_ERROR(Load(name_->version_function, version));
    found = version();
  }
  if (static_cast<int>(found / name_->version_unit) == name_->major) return absl::OkStatus();
  return Unimplemented("this op needs ", name_->name, " ", name_->major, ", but ", where_,
                       " has version ", found);
}

absl::Status Library::Lacks(const char* function) const {
  return Unimplemented("this op needs ", name_->name, " ", name_->major, ", but ", where_,
                       " has no function ", function);
}

}  // namespace sluice::cuda
