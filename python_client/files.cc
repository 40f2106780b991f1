// SPDX-License-Identifier: Apache-2.0
#include "python_client/files.h"

#include <pybind11/stl.h>

#include "core/io/file.h"
#include "core/io/local_file_system.h"
#include "python_client/gil.h"
#include "python_client/numpy.h"

namespace sluice::python {
namespace py = pybind11;
namespace {

// The function's value, from a call without the GIL.
template <typename Function>
auto WithoutTheLock(const Function& function) {
  auto result = [&] {
    WithoutGil free;
    return function();
  }();
  if constexpr (std::is_same_v<decltype(result), absl::Status>) {
    RaiseUnlessOk(result);
  } else {
    return ValueOrRaise(std::move(result));
  }
}

template <absl::Status (*kFunction)(const std::string&)>
void Call(const std::string& path) {
  WithoutTheLock([&] { return kFunction(path); });
}

// File names may be other bytes than UTF-8.
py::list AsBytes(const std::vector<std::string>& names) {
  py::list list;
  for (const std::string& name : names) list.append(py::bytes(name));
  return list;
}

py::tuple Describe(const std::string& path) {
  const FileInfo info = WithoutTheLock([&] { return DescribeFile(path); });
  return py::make_tuple(info.size, info.modified_ns, info.folder);
}

WriteMode ModeOf(const std::string& mode) {
  return mode == "a" ? WriteMode::kAppend : WriteMode::kReplace;
}

// The path of a file of this machine, for Python's own functions.
std::string PathOnThisMachine(const std::string& path) {
  FileSystem* const files = ValueOrRaise(FileSystemOf(path));
  if (files == *FileSystemOf("")) return LocalPath(path);
  Raise(Unimplemented("this is not possible with files of scheme '", SchemeOf(path), "' (file: '",
                      path, "')"));
}

}  // namespace

void DefineFiles(py::module_& m) {
  m.def("describe_file", Describe);
  m.def("local_path", [](const std::string& path) { return py::bytes(PathOnThisMachine(path)); });
  m.def("file_exists",
        [](const std::string& path) { return WithoutTheLock([&] { return FileExists(path); }); });
  m.def("make_new_folder", Call<MakeNewFolder>);
  m.def("make_folders", Call<MakeFolders>);
  m.def("remove_file", Call<RemoveFile>);
  m.def("remove_folder_with_contents", Call<RemoveFolderWithContents>);
  m.def("rename_file", [](const std::string& from, const std::string& to) {
    WithoutTheLock([&] { return RenameFile(from, to); });
  });
  m.def("copy_file", [](const std::string& from, const std::string& to) {
    WithoutTheLock([&] { return CopyFile(from, to); });
  });
  m.def("list_folder", [](const std::string& path) {
    return AsBytes(WithoutTheLock([&] { return ListFolder(path); }));
  });
  m.def("matching_files", [](const std::string& pattern) {
    return AsBytes(WithoutTheLock([&] { return MatchingFiles(pattern); }));
  });
  py::class_<RandomAccessFile>(m, "ReadableFile")
      .def(py::init([](const std::string& path) {
        return WithoutTheLock([&] { return RandomAccessFile::Open(path); });
      }))
      .def("size", &RandomAccessFile::size)
      .def("read_at", [](const RandomAccessFile& file, uint64_t offset, uint64_t size) {
        return py::bytes(WithoutTheLock([&] { return file.ReadAt(offset, size); }));
      });
  py::class_<OutputFile>(m, "WritableFile")
      .def(py::init([](const std::string& path, const std::string& mode) {
        return WithoutTheLock([&] { return CreateFile(path, ModeOf(mode)); });
      }))
      .def("append",
           [](OutputFile& file, const std::string& bytes) {
             WithoutTheLock([&] { return file.Append(bytes); });
           })
      .def("close", [](OutputFile& file) { WithoutTheLock([&] { return file.Close(); }); });
}

}  // namespace sluice::python
