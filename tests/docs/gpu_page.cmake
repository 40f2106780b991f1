# SPDX-License-Identifier: Apache-2.0
# docs/gpu.md, followed: its kernel for the op of docs/adding-an-op.md, compiled for the double of the CUDA runtime.
set(page ${CMAKE_SOURCE_DIR}/docs/gpu.md)
set(tree ${CMAKE_CURRENT_BINARY_DIR}/gpu)
set(changed kernels/cuda/math/register.h kernels/cuda/math/register.cc)
set(new kernels/cuda/math/smooth_step.h kernels/cuda/math/smooth_step.cu kernels/cuda/math/smooth_step.cc
    tests/kernels/cuda/smooth_step_test.cc)
set(outputs ${changed} ${new})
list(TRANSFORM outputs PREPEND ${tree}/)
set(inputs ${changed})
list(TRANSFORM inputs PREPEND ${CMAKE_SOURCE_DIR}/)
add_custom_command(OUTPUT ${outputs}
  COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/apply_page.py ${page} ${CMAKE_SOURCE_DIR} ${tree} ${changed} ${new}
  DEPENDS ${page} ${CMAKE_CURRENT_SOURCE_DIR}/apply_page.py ${inputs} VERBATIM)

# Device code, as sluice_cuda_code compiles it for the double.
add_library(sluice_docs_gpu_code OBJECT EXCLUDE_FROM_ALL ${tree}/kernels/cuda/math/smooth_step.cu
  ${tree}/kernels/cuda/math/smooth_step.h)
set_source_files_properties(${tree}/kernels/cuda/math/smooth_step.cu PROPERTIES LANGUAGE CXX)
sluice_cuda_double_options(sluice_docs_gpu_code)
target_include_directories(sluice_docs_gpu_code BEFORE PRIVATE ${tree})

list(FILTER outputs INCLUDE REGEX "\\.cc$")
sluice_docs_program(sluice_docs_gpu_test TREE ${tree}
  SOURCES ${outputs} ${tree}/kernels/cuda/math/register.h $<TARGET_OBJECTS:sluice_docs_gpu_code>
          ${CMAKE_SOURCE_DIR}/tests/kernels/cuda/gpu_runner.cc ${CMAKE_SOURCE_DIR}/tests/kernels/cuda/thread_orders.cc
          ${CMAKE_SOURCE_DIR}/tests/kernels/kernel_runner.cc
  LINK sluice_cuda_double)
set_target_properties(sluice_docs_gpu_test PROPERTIES SLUICE_CUDA_DOUBLE ON)
