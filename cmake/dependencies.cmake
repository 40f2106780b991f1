# SPDX-License-Identifier: Apache-2.0
# Packages, all from Debian 12. Headers of packages are system headers, so that their warnings are not ours.
find_package(Threads REQUIRED)
find_package(absl CONFIG REQUIRED)
find_package(Protobuf REQUIRED)
find_package(ZLIB REQUIRED)
find_package(Snappy REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(gRPC CONFIG REQUIRED)
find_package(Eigen3 CONFIG REQUIRED)
find_package(nlohmann_json CONFIG REQUIRED)
find_package(CLI11 CONFIG REQUIRED)
find_package(GTest CONFIG)
find_package(benchmark CONFIG)

# oneDNN's CMake config requires OpenCL headers that the CPU library does not need.
find_library(SLUICE_DNNL_LIBRARY dnnl REQUIRED)
find_path(SLUICE_DNNL_INCLUDE dnnl.hpp REQUIRED)
add_library(sluice_dnnl INTERFACE)
# Debian's build uses libgomp. We run it with one thread in each call.
target_link_libraries(sluice_dnnl INTERFACE ${SLUICE_DNNL_LIBRARY} gomp)
if(NOT SLUICE_DNNL_INCLUDE STREQUAL "/usr/include")
  target_include_directories(sluice_dnnl SYSTEM INTERFACE ${SLUICE_DNNL_INCLUDE})
endif()

# RE2: the regular expressions of TensorFlow's string ops; gRPC brings it. Debian's package has no CMake config.
find_library(SLUICE_RE2_LIBRARY re2 REQUIRED)
add_library(sluice_re2 INTERFACE)
target_link_libraries(sluice_re2 INTERFACE ${SLUICE_RE2_LIBRARY})

# ICU: the encodings of TensorFlow's text ops.
find_package(ICU REQUIRED COMPONENTS uc)

# Image files.
find_package(JPEG REQUIRED)
find_package(PNG REQUIRED)
find_package(GIF REQUIRED)

# SQLite: data sets of the rows of a query.
find_package(SQLite3 REQUIRED)

# LMDB: tests write the files with it that core/io/lmdb_reader.h reads. Debian's package has no CMake config.
find_library(SLUICE_LMDB_LIBRARY lmdb)
if(SLUICE_LMDB_LIBRARY)
  add_library(sluice_lmdb INTERFACE)
  target_link_libraries(sluice_lmdb INTERFACE ${SLUICE_LMDB_LIBRARY})
endif()

# Debian's interpreter, whose numpy and protobuf are Debian's too; another python3 may come first in PATH.
set(Python3_EXECUTABLE /usr/bin/python3 CACHE FILEPATH "interpreter of the Python client")
find_package(Python3 REQUIRED COMPONENTS Interpreter Development.Module)
find_package(pybind11 CONFIG REQUIRED)

set(SLUICE_ABSL
    absl::any_invocable absl::base absl::bits absl::btree absl::cleanup absl::config absl::cord
    absl::core_headers absl::fixed_array absl::flags absl::flags_parse absl::flat_hash_map absl::flat_hash_set
    absl::function_ref absl::hash absl::inlined_vector absl::int128 absl::node_hash_map absl::node_hash_set
    absl::numeric_representation absl::raw_logging_internal absl::span absl::stacktrace absl::status
    absl::statusor absl::str_format absl::strings absl::symbolize absl::synchronization absl::time
    absl::failure_signal_handler)
foreach(target ${SLUICE_ABSL})
  if(NOT TARGET ${target})
    list(REMOVE_ITEM SLUICE_ABSL ${target})
  endif()
endforeach()
