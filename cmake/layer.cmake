# SPDX-License-Identifier: Apache-2.0
# sluice_layer(name [FOLDERS f...] [RECURSE] [EXCLUDE regex...] [DEPENDS target...])
#
# One static library from the .cc files of this folder and of the named subfolders (RECURSE: all of them). A folder
# without sources becomes an INTERFACE library, so that the layers above link either way. DEPENDS is public.
# A new .cc is picked up by itself.
function(sluice_glob out)
  cmake_parse_arguments(arg "RECURSE" "" "FOLDERS;EXCLUDE" ${ARGN})
  if(arg_RECURSE)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cc)
  else()
    file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cc)
  endif()
  foreach(folder ${arg_FOLDERS})
    file(GLOB more CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cc)
    list(APPEND sources ${more})
  endforeach()
  foreach(regex ${arg_EXCLUDE})
    list(FILTER sources EXCLUDE REGEX ${regex})
  endforeach()
  set(${out} ${sources} PARENT_SCOPE)
endfunction()

# Targets that exist, of those named.
function(sluice_existing out)
  set(found "")
  foreach(target ${ARGN})
    if(TARGET ${target})
      list(APPEND found ${target})
    endif()
  endforeach()
  set(${out} ${found} PARENT_SCOPE)
endfunction()

# Tests are compiled as they are written: optimised, they take half as long again to compile, and what they test is what
# takes the time when they run.
function(sluice_compile_for_tests target)
  if(NOT SLUICE_SANITIZE)
    target_compile_options(${target} PRIVATE -O0)
  endif()
endfunction()

# A target with sanitizers in a build without them, where it may link libraries of that build.
function(sluice_sanitize target)
  target_compile_options(${target} PRIVATE
    ${SLUICE_SANITIZED_OPTIMISATION} -fsanitize=address,undefined ${SLUICE_SANITIZER_OPTIONS})
  target_link_options(${target} PRIVATE -fsanitize=address,undefined)
endfunction()

# The precompiled headers, one for the layers and one for the tests, shared by targets whose flags are the same.
function(sluice_pch name header)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/${name}.cc CONTENT "// Owns the precompiled header.\n")
  add_library(${name} OBJECT EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/${name}.cc)
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE ${SLUICE_ABSL} Threads::Threads ${ARGN})
  # In angle brackets: CMake writes any other name as an absolute path, and each checkout would have its own objects.
  target_precompile_headers(${name} PRIVATE <cmake/${header}>)
endfunction()

if(SLUICE_PCH)
  sluice_pch(sluice_pch pch.h)
  if(TARGET GTest::gmock)
    sluice_pch(sluice_test_pch test_pch.h GTest::gmock)
    sluice_compile_for_tests(sluice_test_pch)
  endif()
endif()

function(sluice_use_pch target)
  if(SLUICE_PCH)
    target_precompile_headers(${target} REUSE_FROM sluice_pch)
  endif()
endfunction()

function(sluice_use_test_pch target)
  sluice_compile_for_tests(${target})
  if(SLUICE_PCH)
    target_precompile_headers(${target} REUSE_FROM sluice_test_pch)
  endif()
endfunction()

function(sluice_layer name)
  cmake_parse_arguments(arg "RECURSE" "" "FOLDERS;EXCLUDE;DEPENDS" ${ARGN})
  set(recurse "")
  if(arg_RECURSE)
    set(recurse RECURSE)
  endif()
  sluice_glob(sources ${recurse} FOLDERS ${arg_FOLDERS} EXCLUDE ${arg_EXCLUDE})
  sluice_existing(depends ${arg_DEPENDS})
  if(sources)
    add_library(${name} STATIC ${sources})
    set(scope PUBLIC)
    sluice_use_pch(${name})
  else()
    add_library(${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(${name} ${scope} ${CMAKE_SOURCE_DIR})
  target_link_libraries(${name} ${scope} ${depends})
endfunction()
