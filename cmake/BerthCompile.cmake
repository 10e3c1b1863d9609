# How everything is compiled: language level, warnings, sanitizers, where outputs go.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
# Release removes asserts from the hot path, but keeps the names of symbols for stack traces.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -g1 -DNDEBUG")
set(CMAKE_C_FLAGS_RELEASE "-O2 -g1 -DNDEBUG")

find_program(BERTH_CCACHE ccache)
if(BERTH_CCACHE)
  # Paths are relative to the top of the tree, so that a second clone reuses the results of the first. ccache caches
  # files that use a precompiled header only with this sloppiness.
  set(BERTH_LAUNCHER env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1
    CCACHE_SLOPPINESS=pch_defines,time_macros "${BERTH_CCACHE}")
  set(CMAKE_C_COMPILER_LAUNCHER ${BERTH_LAUNCHER})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${BERTH_LAUNCHER})
endif()

# The compiler gets several files of a target as one unit: the standard library's headers take longer than our code.
option(BERTH_UNITY "compile several files of a target at once" ON)
set(CMAKE_UNITY_BUILD ${BERTH_UNITY})
set(CMAKE_UNITY_BUILD_BATCH_SIZE 24)

# GCC's garbage collector takes a tenth of its time, and saves memory that most machines have: four jobs at 1.5 GiB.
cmake_host_system_information(RESULT BERTH_MEMORY_MIB QUERY TOTAL_PHYSICAL_MEMORY)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND BERTH_MEMORY_MIB GREATER 12000)
  add_compile_options(--param=ggc-min-heapsize=1048576)
endif()

# Go does not fuse multiply and add, so Berth must not either: scores must agree to the last bit.
add_compile_options(-Wall -Wextra -Werror=return-type -Wno-missing-field-initializers -ffp-contract=off -fno-strict-aliasing)
# Not in tests, see berth_relax_warnings: quantities and sizes must not change silently, and a name has one meaning.
add_compile_options(-Wshadow $<$<COMPILE_LANGUAGE:CXX>:-Wconversion>)
# berth_relax_warnings([<target>])
# For the target, or for all targets of this folder that follow: tests convert small literals freely, and GoogleTest's macros
# shadow parameters.
function(berth_relax_warnings)
  if(ARGC GREATER 0)
    target_compile_options(${ARGV0} PRIVATE -Wno-shadow $<$<COMPILE_LANGUAGE:CXX>:-Wno-conversion>)
  else()
    add_compile_options(-Wno-shadow $<$<COMPILE_LANGUAGE:CXX>:-Wno-conversion>)
  endif()
endfunction()
option(BERTH_WERROR "treat warnings as errors" ON)
if(BERTH_WERROR)
  add_compile_options(-Werror)
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # With -O2, GCC 12 warns of std::string's operator+ (GCC bug 105651), depending on what it inlines.
  add_compile_options($<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:-Wno-restrict>)
endif()

if(BERTH_SANITIZE STREQUAL "asan-ubsan")
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
elseif(BERTH_SANITIZE STREQUAL "tsan")
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer)
  add_link_options(-fsanitize=thread)
elseif(NOT BERTH_SANITIZE STREQUAL "")
  message(FATAL_ERROR "BERTH_SANITIZE is '${BERTH_SANITIZE}'; it may be asan-ubsan, tsan or empty")
endif()

if(BERTH_SANITIZE STREQUAL "asan-ubsan" AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # Clang 14 copies the prologue data of this check from a coroutine to its parts in other sections, and then fails with
  # "Cannot represent a difference across sections" (LLVM issue 49689). GCC has no such check.
  add_compile_options(-fno-sanitize=function)
endif()

if(BERTH_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # In instrumented code, GCC does not see where a variant or a string is set, and warns about members that are not
  # read.
  add_compile_options(-Wno-maybe-uninitialized)
endif()

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
set(BERTH_PLUGIN_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib/berth/plugins")
find_package(Threads REQUIRED)
