# One function per kind of target, so that a folder's CMakeLists.txt has only its name and what it may include.

# berth_link(<target> <scope> <folders of host/, sdk, or other targets...>)
# Links the target with the libraries of folders. scheduler/cache is the library berth_scheduler_cache.
function(berth_link TARGET SCOPE)
  foreach(DEP ${ARGN})
    string(REPLACE "/" "_" LIBRARY "${DEP}")
    if(DEP STREQUAL "sdk")
      set(LIBRARY sdk_headers)
    endif()
    if(NOT DEP MATCHES ":" AND NOT TARGET ${DEP})
      set(DEP berth_${LIBRARY})
    endif()
    target_link_libraries(${TARGET} ${SCOPE} ${DEP})
  endforeach()
endfunction()

# berth_link_host(<program> DEPS <folders...>)
# A program of host/cmd: DEPS are the folders that it includes, as in berth_host_library.
function(berth_link_host PROGRAM)
  cmake_parse_arguments(ARG "" "" "DEPS" ${ARGN})
  berth_link(${PROGRAM} PRIVATE ${ARG_DEPS})
endfunction()

# berth_host_library(<folder> [DEPS <folders...>] [LIBS <third party...>])
# All *.cc of host/<folder> as a static library. DEPS are exactly the folders that its files include; scripts/check proves it.
function(berth_host_library FOLDER)
  cmake_parse_arguments(ARG "" "" "DEPS;LIBS" ${ARGN})
  string(REPLACE "/" "_" NAME "berth_${FOLDER}")
  file(GLOB SOURCES CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cc")
  add_library(${NAME} STATIC ${SOURCES})
  target_include_directories(${NAME} PUBLIC "${PROJECT_SOURCE_DIR}/host")
  berth_link(${NAME} PUBLIC ${ARG_DEPS})
  target_link_libraries(${NAME} PUBLIC ${ARG_LIBS} Threads::Threads)
endfunction()

# The headers of the standard library that most tests include. GCC 12 compiles the host without precompiled headers:
# with them it also warns about accesses in the library's own code.
set(BERTH_STANDARD_HEADERS <algorithm> <array> <atomic> <chrono> <cstddef> <cstdint> <functional> <map> <memory> <optional>
  <set> <span> <string> <string_view> <unordered_map> <utility> <variant> <vector>)

# berth_test_paths(<target> <scope>)
# Defines BERTH_TEST_SOURCE_DIR and BERTH_TEST_BUILD_DIR. ccache compiles the target again in each clone.
function(berth_test_paths TARGET SCOPE)
  target_compile_definitions(${TARGET} ${SCOPE}
    BERTH_TEST_SOURCE_DIR="${PROJECT_SOURCE_DIR}" BERTH_TEST_BUILD_DIR="${PROJECT_BINARY_DIR}")
endfunction()

# berth_test(<name> SOURCES <files...> DEPS <host folders or targets...> [LABELS <labels...>] [WORKING_DIRECTORY <dir>]
#            [FATAL_SIGNALS] [PATHS])
# One GoogleTest program, run as one ctest. Labels: unit, loader, plugin, scenario, docs; slow: not an everyday test.
# FATAL_SIGNALS: the tested code dies of signals, or handles them itself, so a sanitizer must not handle them.
# PATHS: as berth_test_paths.
function(berth_test NAME)
  cmake_parse_arguments(ARG "FATAL_SIGNALS;PATHS" "" "SOURCES;DEPS;LABELS;ENVIRONMENT" ${ARGN})
  add_executable(${NAME} ${ARG_SOURCES})
  set_target_properties(${NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/bin")
  berth_link(${NAME} PRIVATE ${ARG_DEPS})
  target_link_libraries(${NAME} PRIVATE GTest::gmock GTest::gtest GTest::gtest_main)
  if(ARG_PATHS)
    berth_test_paths(${NAME} PRIVATE)
  endif()
  add_test(NAME ${NAME} COMMAND ${NAME} --gtest_brief=1)
  set(SECONDS 300)
  if(CMAKE_CROSSCOMPILING)
    set(SECONDS 1200)  # an emulator is slow
  endif()
  set_tests_properties(${NAME} PROPERTIES TIMEOUT ${SECONDS} LABELS "${ARG_LABELS}")
  set(SIGNALS "")
  if(ARG_FATAL_SIGNALS)
    set(SIGNALS "handle_segv=0:handle_sigbus=0:handle_sigill=0:handle_sigfpe=0:handle_abort=0")
  endif()
  if(BERTH_SANITIZE STREQUAL "tsan")
    list(APPEND ARG_ENVIRONMENT "TSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/tsan.suppressions:${SIGNALS}")
  elseif(BERTH_SANITIZE STREQUAL "asan-ubsan" AND ARG_FATAL_SIGNALS)
    list(APPEND ARG_ENVIRONMENT "ASAN_OPTIONS=${SIGNALS}")
  endif()
  if(ARG_ENVIRONMENT)
    set_tests_properties(${NAME} PROPERTIES ENVIRONMENT "${ARG_ENVIRONMENT}")
  endif()
  berth_test_headers(${NAME})
  if("unit" IN_LIST ARG_LABELS OR "loader" IN_LIST ARG_LABELS)
    add_dependencies(berth_sanitized_tests ${NAME})
  endif()
  if("tsan" IN_LIST ARG_LABELS)
    add_dependencies(berth_tsan_tests ${NAME})
  endif()
endfunction()

# berth_unit_test(<folder of host/> [SOURCES <more files...>] [EXCLUDE <files...>] [SEPARATE] ...)
# All *_test.cc of tests/unit/<folder>, and SOURCES, without EXCLUDE, as the program unit_<folder>. SEPARATE: each
# file by itself, for files that share short names. The rest as berth_test.
function(berth_unit_test FOLDER)
  cmake_parse_arguments(ARG "FATAL_SIGNALS;PATHS;SEPARATE" "" "SOURCES;EXCLUDE;DEPS;LABELS;ENVIRONMENT" ${ARGN})
  set(FLAGS "")
  foreach(FLAG FATAL_SIGNALS PATHS)
    if(ARG_${FLAG})
      list(APPEND FLAGS ${FLAG})
    endif()
  endforeach()
  string(REGEX REPLACE "[/-]" "_" NAME "unit_${FOLDER}")
  file(GLOB TESTS CONFIGURE_DEPENDS RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}/*_test.cc")
  list(REMOVE_ITEM TESTS "" ${ARG_EXCLUDE})
  berth_test(${NAME} SOURCES ${TESTS} ${ARG_SOURCES} DEPS ${ARG_DEPS} LABELS ${ARG_LABELS} ENVIRONMENT ${ARG_ENVIRONMENT}
    ${FLAGS})
  if(ARG_SEPARATE)
    set_target_properties(${NAME} PROPERTIES UNITY_BUILD OFF)
  endif()
endfunction()

# Compiling a test takes a sixth less time without debug information. A sanitizer needs it to name lines, and so does a debugger.
if(BERTH_SANITIZE STREQUAL "")
  set(BERTH_TEST_DEBUG_INFO OFF CACHE BOOL "compile tests for a debugger: with debug information")
else()
  set(BERTH_TEST_DEBUG_INFO ON CACHE BOOL "compile tests for a debugger: with debug information")
endif()

# berth_compile_as_test(<test program> <program with the precompiled header>)
# The test's own code takes no time to run, so it is not optimized.
function(berth_compile_as_test TARGET HEADERS)
  target_compile_options(${TARGET} PRIVATE -O0)
  if(NOT BERTH_TEST_DEBUG_INFO)
    target_compile_options(${TARGET} PRIVATE -g0)
  endif()
  if(NOT "${TARGET}" STREQUAL "${HEADERS}")
    target_precompile_headers(${TARGET} REUSE_FROM ${HEADERS})
    berth_link_fast(${TARGET})
  endif()
endfunction()

# berth_test_headers(<test program>)
# Test programs share one precompiled header. The program berth_test_headers owns it, since GCC refuses one that was compiled
# with more macros than the file that uses it.
function(berth_test_headers TARGET)
  if(NOT TARGET berth_test_headers)
    file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/test_headers.cc" CONTENT "")
    add_executable(berth_test_headers EXCLUDE_FROM_ALL "${PROJECT_BINARY_DIR}/test_headers.cc")
    target_link_libraries(berth_test_headers PRIVATE GTest::gmock GTest::gtest_main Threads::Threads)
    berth_compile_as_test(berth_test_headers berth_test_headers)
    target_precompile_headers(berth_test_headers PRIVATE
      <gmock/gmock.h> <gtest/gtest.h> <filesystem> <fstream> <mutex> <sstream> <thread> ${BERTH_STANDARD_HEADERS})
  endif()
  berth_compile_as_test(${TARGET} berth_test_headers)
endfunction()

# berth_plugin_test_headers(<test program of a plugin>)
# The same for tests of plugins, with the headers of the SDK's fake host. The options of the program that owns
# the precompiled header are those of berth_plugin_compile_options.
function(berth_plugin_test_headers TARGET)
  if(NOT TARGET berth_plugin_test_headers)
    find_package(GTest REQUIRED)
    file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/plugin_test_headers.cc" CONTENT "")
    add_executable(berth_plugin_test_headers EXCLUDE_FROM_ALL "${PROJECT_BINARY_DIR}/plugin_test_headers.cc")
    target_link_libraries(berth_plugin_test_headers PRIVATE Berth::sdk_testing GTest::gmock GTest::gtest_main)
    target_compile_options(berth_plugin_test_headers PRIVATE -ffp-contract=off -fno-trapping-math
      "$<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>")
    berth_compile_as_test(berth_plugin_test_headers berth_plugin_test_headers)
    berth_relax_warnings(berth_plugin_test_headers)
    target_precompile_headers(berth_plugin_test_headers PRIVATE
      <gmock/gmock.h> <gtest/gtest.h> <berth/testing/plugin_under_test.hpp> ${BERTH_STANDARD_HEADERS})
  endif()
  berth_relax_warnings(${TARGET})
  berth_compile_as_test(${TARGET} berth_plugin_test_headers)
endfunction()

# berth_link_fast(<test program>)
# Links it with gold, which takes half the time of GNU ld and is in the same package.
function(berth_link_fast TARGET)
  include(CheckLinkerFlag)
  check_linker_flag(CXX -fuse-ld=gold BERTH_HAS_GOLD)
  if(BERTH_HAS_GOLD)
    target_link_options(${TARGET} PRIVATE -fuse-ld=gold)
  endif()
endfunction()
