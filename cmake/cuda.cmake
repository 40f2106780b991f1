# SPDX-License-Identifier: Apache-2.0
# CUDA code: compiled by nvcc for GPUs, and by g++ for the double of the runtime (tests/cuda_double/).
#
#   SLUICE_CUDA                ON where a toolkit is found: nvcc, headers and the static runtime
#   SLUICE_CUDA_ARCHITECTURES  as CMAKE_CUDA_ARCHITECTURES: 90 (code and PTX), 90-real, 90-virtual (PTX only)
#
# Programs that link sluice_cuda get NVIDIA's runtime, or the double if their property SLUICE_CUDA_DOUBLE is ON. Without
# a toolkit all else builds.
set(SLUICE_CUDA_ARCHITECTURES "90-virtual" CACHE STRING "architectures that nvcc compiles for")
set(SLUICE_CUDA OFF)
find_package(CUDAToolkit QUIET)
if(NOT CUDAToolkit_FOUND)
  message(STATUS "CUDA: no toolkit found, GPUs are left out of this build")
elseif(CUDAToolkit_VERSION VERSION_LESS 12.8)
  message(STATUS "CUDA: toolkit ${CUDAToolkit_VERSION} is older than 12.8, GPUs are left out of this build")
elseif(NOT CUDAToolkit_NVCC_EXECUTABLE OR NOT TARGET CUDA::cudart_static)
  message(STATUS "CUDA: the toolkit lacks nvcc or cudart_static, GPUs are left out of this build")
else()
  set(SLUICE_CUDA ON)
  # Not CUDA::toolkit, which brings the folder of NVIDIA's libraries into each program's search path.
  add_library(sluice_cuda_headers INTERFACE)
  target_include_directories(sluice_cuda_headers SYSTEM INTERFACE ${CUDAToolkit_INCLUDE_DIRS})
  message(STATUS "CUDA: toolkit ${CUDAToolkit_VERSION}, architectures ${SLUICE_CUDA_ARCHITECTURES}")
  # The sources ask the compiler for a header. The library itself is opened when it is used.
  function(sluice_library_header variable header uses)
    find_path(${variable} ${header} HINTS ${CUDAToolkit_INCLUDE_DIRS})
    if(${variable})
      target_include_directories(sluice_cuda_headers SYSTEM INTERFACE ${${variable}})
    else()
      message(STATUS "CUDA: ${header} not found, ${uses} are left out of this build")
    endif()
  endfunction()
  sluice_library_header(SLUICE_CUDNN_INCLUDE_DIR cudnn.h "convolutions")
  sluice_library_header(SLUICE_NCCL_INCLUDE_DIR nccl.h "reductions between GPUs by NCCL")
endif()

# The options of nvcc that name the architectures.
function(sluice_cuda_architectures out)
  set(options "")
  foreach(architecture ${SLUICE_CUDA_ARCHITECTURES})
    if(NOT architecture MATCHES "^([0-9]+[af]?)(-real|-virtual)?$")
      message(FATAL_ERROR "SLUICE_CUDA_ARCHITECTURES: ${architecture} is not like 90, 90-real or 90-virtual")
    endif()
    set(number ${CMAKE_MATCH_1})
    if(CMAKE_MATCH_2 STREQUAL "-virtual")
      list(APPEND options -gencode=arch=compute_${number},code=compute_${number})
    elseif(CMAKE_MATCH_2 STREQUAL "-real")
      list(APPEND options -gencode=arch=compute_${number},code=sm_${number})
    else()
      list(APPEND options "-gencode=arch=compute_${number},code=[compute_${number},sm_${number}]")
    endif()
  endforeach()
  set(${out} ${options} PARENT_SCOPE)
endfunction()

# sluice_cuda_code(name SOURCES f.cu... [ROUND_EACH f.cu...])
#
# Two libraries: <name> by nvcc, <name>_double by g++. No product and sum of the ROUND_EACH files become one rounding on
# the GPU; on the double none do.
function(sluice_cuda_code name)
  cmake_parse_arguments(arg "" "" "SOURCES;ROUND_EACH" ${ARGN})
  if(NOT arg_SOURCES)
    add_library(${name} INTERFACE)
    add_library(${name}_double INTERFACE)
    return()
  endif()
  sluice_cuda_code_for_gpus(${name} "${arg_SOURCES}" "${arg_ROUND_EACH}")
  add_library(${name}_double STATIC EXCLUDE_FROM_ALL ${arg_SOURCES})
  set_source_files_properties(${arg_SOURCES} PROPERTIES LANGUAGE CXX)
  set_source_files_properties(${arg_ROUND_EACH} PROPERTIES COMPILE_DEFINITIONS SLUICE_ROUND_EACH)
  sluice_cuda_double_options(${name}_double)
endfunction()

# Compiles a target's device code for the double.
function(sluice_cuda_double_options target)
  # The pragmas are nvcc's. Kernels are loops, as those for the CPU are.
  target_compile_options(${target} PRIVATE -ffp-contract=off -Wno-unknown-pragmas)
  if(NOT SLUICE_SANITIZE)
    target_compile_options(${target} PRIVATE -O3)
  endif()
  target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR})
  target_link_libraries(${target} PUBLIC sluice_cuda_double)
endfunction()

function(sluice_cuda_code_for_gpus name sources round_each)
  sluice_cuda_architectures(architectures)
  # GCC's warnings on the code that nvcc generates are not ours, except those of -Wall.
  set(options -std=c++20 -O3 ${architectures} --compress-mode=size --expt-relaxed-constexpr -DNDEBUG
      -Xcompiler=-Wall,-fPIC,-pthread -I${CMAKE_SOURCE_DIR})
  if(SLUICE_WERROR)
    list(APPEND options -Werror=all-warnings)
  endif()
  set(objects "")
  foreach(source ${sources})
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${CMAKE_SOURCE_DIR} OUTPUT_VARIABLE path)
    set(object ${CMAKE_BINARY_DIR}/cuda/${path}.o)
    cmake_path(GET object PARENT_PATH folder)
    file(MAKE_DIRECTORY ${folder})
    set(own "")
    if(source IN_LIST round_each)
      set(own -fmad=false -DSLUICE_ROUND_EACH)
    endif()
    add_custom_command(OUTPUT ${object}
      COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} ${CUDAToolkit_NVCC_EXECUTABLE} ${options} ${own}
              -MD -MF ${object}.d -c ${source} -o ${object}
      DEPENDS ${source} DEPFILE ${object}.d COMMENT "Building CUDA object ${path}.o" VERBATIM)
    list(APPEND objects ${object})
  endforeach()
  set_source_files_properties(${objects} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  add_library(${name} STATIC ${objects})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
endfunction()

# What the kernels' and the device's host code needs, by the program that links it.
function(sluice_cuda_libraries)
  file(GLOB_RECURSE code CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/kernels/cuda/*.cu)
  sluice_cuda_code(sluice_cuda_code SOURCES ${code} ROUND_EACH ${ARGN})
  add_library(sluice_cuda_runtime INTERFACE)
  set(double "$<BOOL:$<TARGET_PROPERTY:SLUICE_CUDA_DOUBLE>>")
  target_link_libraries(sluice_cuda_runtime INTERFACE
    "$<IF:${double},sluice_cuda_code_double,sluice_cuda_code>"
    "$<IF:${double},sluice_cuda_double,CUDA::cudart_static>")

  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/kernels/cuda/*.cc)
  file(GLOB device CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/core/device/cuda_*.cc)
  list(FILTER device EXCLUDE REGEX "/cuda_absent\\.cc$")
  list(FILTER sources EXCLUDE REGEX "/kernels/cuda/absent\\.cc$")
  if(NOT sources AND NOT device)
    add_library(sluice_cuda INTERFACE)
    target_link_libraries(sluice_cuda INTERFACE sluice_kernels sluice_cuda_runtime sluice_cuda_headers)
    return()
  endif()
  add_library(sluice_cuda STATIC ${sources} ${device})
  target_include_directories(sluice_cuda PUBLIC ${CMAKE_SOURCE_DIR})
  target_link_libraries(sluice_cuda PUBLIC sluice_kernels sluice_cuda_headers INTERFACE sluice_cuda_runtime)
  sluice_use_pch(sluice_cuda)
endfunction()
