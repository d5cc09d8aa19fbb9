# SPDX-License-Identifier: MIT
#
# simtcc.cmake - CUDA as a language of CMake, through simtcc:
#
#   cmake -DCMAKE_TOOLCHAIN_FILE=.../common/simt/simtcc.cmake ...
#
# CMake would look for the parts of NVIDIA's toolkit, so this says what it would find.
set(simt ${CMAKE_CURRENT_LIST_DIR})
set(simt_lib ${simt}) # installed
if(NOT EXISTS ${simt_lib}/libsimt.a)
  set(simt_lib ${simt}/../../build/cpu/simt)
endif()
if(DEFINED ENV{SIMT_BUILD})
  set(simt_lib $ENV{SIMT_BUILD})
endif()
execute_process(COMMAND ${simt}/simtcc --version OUTPUT_QUIET) # builds the emulator

set(CMAKE_CUDA_COMPILER ${simt}/simtcc)
set(CMAKE_CUDA_COMPILER_ID NVIDIA) # whose options simtcc takes
set(CMAKE_CUDA_COMPILER_VERSION 13.0)
set(CMAKE_CUDA_COMPILER_ID_RUN TRUE)
set(CMAKE_CUDA_COMPILER_FORCED TRUE)
set(CMAKE_CUDA_ARCHITECTURES 90 CACHE STRING "any: SIMT_DEVICE is what counts")
set(CMAKE_CUDA_STANDARD_COMPUTED_DEFAULT 17)
set(CMAKE_CUDA_EXTENSIONS_COMPUTED_DEFAULT OFF)
# From what nvcc -v prints, CMake takes these:
set(CMAKE_CUDA_COMPILER_PRODUCED_OUTPUT "
#\$ LIBRARIES=-L${simt_lib}
#\$ INCLUDES=-I${simt}/include

#\$ ${simt}/simtcc -L${simt_lib} -lcudart_static
")
set(CMAKE_CUDA_IMPLICIT_LINK_DIRECTORIES ${simt_lib}) # when the C++ compiler links
# find_package(CUDAToolkit) takes these:
set(CUDAToolkit_INCLUDE_DIR ${simt}/include CACHE PATH "")
set(CUDAToolkit_INCLUDE_DIRECTORIES ${simt}/include) # from CMake 4.4 on
foreach(name CUDA_CUDART CUDA_cudart_LIBRARY CUDA_cudart_static_LIBRARY)
  set(${name} ${simt_lib}/libcudart.a CACHE FILEPATH "")
endforeach()
# A library of .cu and .cpp files is linked by the C++ compiler, which would make one of its own.
set(CMAKE_CXX_CREATE_SHARED_LIBRARY
  "${simt}/simtcc -shared -o <TARGET> <OBJECTS> <LINK_LIBRARIES>")
