# The place for CUDA files: kernels/cuda/*.cu and core/device/cuda*.cc become sluice_cuda where a toolkit is found.
# libcuda is never linked (the static runtime opens it), so that the same binary starts without a driver.
file(GLOB sluice_cuda_sources CONFIGURE_DEPENDS
     ${CMAKE_SOURCE_DIR}/kernels/cuda/*.cu ${CMAKE_SOURCE_DIR}/core/device/cuda*.cc)
set(SLUICE_HAVE_CUDA OFF)

if(NOT SLUICE_CUDA STREQUAL "OFF")
  find_program(SLUICE_NVCC nvcc HINTS ENV CUDA_HOME PATH_SUFFIXES bin PATHS /usr/local/cuda/bin)
  if(SLUICE_NVCC)
    message(STATUS "CUDA: ${SLUICE_NVCC}")
    if(sluice_cuda_sources)
      set(CMAKE_CUDA_COMPILER ${SLUICE_NVCC})
      set(CMAKE_CUDA_ARCHITECTURES 90)
      set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
      enable_language(CUDA)
      # CMake 3.25 does not know that nvcc takes it.
      set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
      set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
      find_package(CUDAToolkit REQUIRED)
      set(SLUICE_HAVE_CUDA ON)
    endif()
  elseif(SLUICE_CUDA STREQUAL "ON")
    message(FATAL_ERROR "SLUICE_CUDA=ON, but no nvcc in PATH, CUDA_HOME or /usr/local/cuda")
  else()
    message(STATUS "CUDA: no nvcc found, building without GPU kernels")
  endif()
endif()

# Called by kernels/, when the floors that the GPU code needs are known.
function(sluice_add_cuda)
  if(SLUICE_HAVE_CUDA)
    add_library(sluice_cuda STATIC ${sluice_cuda_sources})
    target_link_libraries(sluice_cuda PUBLIC sluice_core CUDA::cudart_static Eigen3::Eigen)
    target_include_directories(sluice_cuda PUBLIC ${CMAKE_SOURCE_DIR})
    # Eigen's headers compile without noise by these.
    target_compile_options(sluice_cuda PRIVATE
      "$<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr;-diag-suppress=20011,20012;-Xcompiler=-fPIC>")
  endif()
endfunction()
