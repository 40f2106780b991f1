# SPDX-License-Identifier: Apache-2.0
# Compiler flags, linker and compiler cache: everything that holds for every target.
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_COMPILE_WARNING_AS_ERROR ${SLUICE_WERROR})
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

# NDEBUG silences the assertions of Eigen and Abseil in hot loops. Ours are CHECKs, which stay.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")

# No result depends on the two -fno-: they let loops over std::sqrt or a comparison vectorise. They stand here and not at
# kernels/, because GCC refuses a precompiled header made without them.
add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-fno-math-errno;-fno-trapping-math>")
# -fPIC everywhere (not CMake's -fPIE for programs): the Python module links the static libraries, and targets whose code
# generation flags differ cannot share the precompiled header. -pthread for the same reason.
add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-fPIC;-pthread>")
if(SLUICE_MARCH)
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-march=${SLUICE_MARCH}>")
endif()
# GCC 12 takes the unused inline storage of absl::InlinedVector, which every copy of a Shape copies, for a bug of ours.
add_compile_options("$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>")
if(SLUICE_MARCH STREQUAL "native")
  # GCC 12 takes the undefined vectors of its own AVX-512 intrinsics for bugs of ours.
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-Wno-uninitialized;-Wno-maybe-uninitialized>")
endif()

set(SLUICE_SANITIZED_OPTIMISATION -O1 -g1)
set(SLUICE_SANITIZER_OPTIONS -fno-sanitize-recover=all -fno-omit-frame-pointer)

if(SLUICE_SANITIZE)
  # Assertions are on here: an index out of Eigen's bounds is found where it happens.
  string(JOIN " " CMAKE_CXX_FLAGS_RELEASE ${SLUICE_SANITIZED_OPTIMISATION})
  add_compile_options(-fsanitize=${SLUICE_SANITIZE} ${SLUICE_SANITIZER_OPTIONS})
  add_link_options(-fsanitize=${SLUICE_SANITIZE})
  if(SLUICE_SANITIZE STREQUAL "thread")
    include_directories(BEFORE SYSTEM tests/sanitize/include)
  endif()
endif()

foreach(linker mold ld.lld)
  find_program(SLUICE_LINKER_${linker} ${linker})
  if(SLUICE_LINKER_${linker})
    string(REPLACE "ld." "" linker_name ${linker})
    add_link_options("$<$<LINK_LANGUAGE:CXX>:-fuse-ld=${linker_name}>")
    break()
  endif()
endforeach()

find_program(SLUICE_CCACHE ccache)
if(SLUICE_CCACHE)
  # Without this sloppiness ccache refuses every file that uses the precompiled header. Paths below the checkout count as
  # relative, so that another checkout finds the same objects.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${SLUICE_CCACHE})
endif()
