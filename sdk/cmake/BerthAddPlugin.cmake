# How a plugin is built. The same file serves the Berth source tree and an installed SDK (find_package(BerthSDK)).
include_guard(GLOBAL)

# Sets OUT to TRUE when code of this folder is compiled with a sanitizer, set here or by a parent. Its runtime is linked into
# the program only, so that a plugin is then full of symbols that it may not insist on.
function(berth_plugin_sanitized OUT)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" TYPE)
  get_directory_property(OPTIONS COMPILE_OPTIONS)
  get_directory_property(LINK LINK_OPTIONS)
  if("${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${TYPE}} ${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${TYPE}} ${OPTIONS} ${LINK}" MATCHES "-fsanitize=")
    set(${OUT} TRUE PARENT_SCOPE)
  else()
    set(${OUT} FALSE PARENT_SCOPE)
  endif()
endfunction()

# What code of a plugin is compiled with, in the library and in its tests alike. No fused multiply-add: scores must agree
# with Go's to the last bit.
function(berth_plugin_compile_options TARGET VERSION)
  target_compile_options(${TARGET} PRIVATE -ffp-contract=off -fno-trapping-math
    "$<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>")
  target_compile_definitions(${TARGET} PRIVATE BERTH_PLUGIN_VERSION="${VERSION}")
  berth_plugin_sanitized(SANITIZED)
  if(SANITIZED)
    target_compile_definitions(${TARGET} PRIVATE BERTH_SANITIZED)
  endif()
  target_link_libraries(${TARGET} PRIVATE Berth::sdk)
endfunction()

# berth_add_plugin(<target> SOURCES <files...> [VERSION <text>] [OUTPUT_NAME <name>])
# One plugin library: <target>.so, or <name>.so, exporting berth_entry_v1 and nothing else, needing nothing but the C++ runtime. It goes
# to BERTH_PLUGIN_OUTPUT_DIRECTORY when that is set. VERSION defaults to the project's.
function(berth_add_plugin TARGET)
  cmake_parse_arguments(ARG "" "VERSION;OUTPUT_NAME" "SOURCES" ${ARGN})
  if(NOT ARG_SOURCES OR ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "berth_add_plugin(${TARGET} SOURCES <files...> [VERSION <text>] [OUTPUT_NAME <name>])")
  endif()
  if(NOT ARG_VERSION)
    set(ARG_VERSION "${PROJECT_VERSION}")
  endif()
  if(NOT ARG_VERSION)
    set(ARG_VERSION "0.0.0")
  endif()
  if(NOT ARG_OUTPUT_NAME)
    set(ARG_OUTPUT_NAME "${TARGET}")
  endif()
  set(MAP "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/berth_plugin.map")
  add_library(${TARGET} MODULE ${ARG_SOURCES})
  berth_plugin_compile_options(${TARGET} "${ARG_VERSION}")
  target_compile_options(${TARGET} PRIVATE "$<$<NOT:$<CONFIG:Debug>>:-O3>")
  set_target_properties(${TARGET} PROPERTIES
    OUTPUT_NAME "${ARG_OUTPUT_NAME}" PREFIX "" SUFFIX ".so" POSITION_INDEPENDENT_CODE ON
    C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    LINK_DEPENDS "${MAP}" BERTH_PLUGIN_VERSION "${ARG_VERSION}")
  if(BERTH_PLUGIN_OUTPUT_DIRECTORY)
    set_target_properties(${TARGET} PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${BERTH_PLUGIN_OUTPUT_DIRECTORY}")
  endif()
  target_link_options(${TARGET} PRIVATE "LINKER:--version-script=${MAP}" LINKER:-z,now LINKER:-z,relro
    LINKER:-z,noexecstack LINKER:--build-id=sha1 LINKER:--exclude-libs,ALL LINKER:--as-needed)
  berth_plugin_sanitized(SANITIZED)
  if(NOT SANITIZED)
    target_link_options(${TARGET} PRIVATE LINKER:-z,defs)
  endif()
endfunction()

# berth_add_fake_host(<folder>)
# Berth::sdk_testing of an installed SDK: a library of the sources in the folder, so that the project's own compiler, standard
# library, and options compile it. Once in a project, and only if a target links it.
function(berth_add_fake_host FOLDER)
  get_property(LANGUAGES GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(TARGET Berth::sdk_testing OR NOT "CXX" IN_LIST LANGUAGES)
    return()
  endif()
  find_package(Threads QUIET REQUIRED)
  file(GLOB SOURCES "${FOLDER}/*.cc")
  add_library(berth_sdk_testing STATIC EXCLUDE_FROM_ALL ${SOURCES})
  add_library(Berth::sdk_testing ALIAS berth_sdk_testing)
  target_link_libraries(berth_sdk_testing PUBLIC Berth::sdk Threads::Threads ${CMAKE_DL_LIBS})
  # The project's warnings are for its own code, and optimization takes more time than it saves.
  target_compile_options(berth_sdk_testing PRIVATE -w -O0)
  set_target_properties(berth_sdk_testing PROPERTIES POSITION_INDEPENDENT_CODE ON UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 17
    CXX_CLANG_TIDY "" CXX_CPPCHECK "" CXX_INCLUDE_WHAT_YOU_USE "")
endfunction()

# berth_add_plugin_test(<plugin target> SOURCES <test files...>)
# A GoogleTest program <plugin target>_test of the plugin's object files, the fake host, and the test files; one ctest.
# Nothing happens where GoogleTest or its mocks are not installed, or BERTH_BUILD_TESTS is off.
function(berth_add_plugin_test PLUGIN)
  cmake_parse_arguments(ARG "" "" "SOURCES" ${ARGN})
  if(DEFINED BERTH_BUILD_TESTS AND NOT BERTH_BUILD_TESTS)
    return()
  endif()
  find_package(GTest QUIET)
  if(NOT TARGET GTest::gmock)
    message(STATUS "${PLUGIN}: no GoogleTest with GoogleMock, its test is left out")
    return()
  endif()
  get_target_property(VERSION ${PLUGIN} BERTH_PLUGIN_VERSION)
  set(TEST ${PLUGIN}_test)
  add_executable(${TEST} ${ARG_SOURCES} "$<TARGET_OBJECTS:${PLUGIN}>")
  berth_plugin_compile_options(${TEST} "${VERSION}")
  target_link_libraries(${TEST} PRIVATE Berth::sdk_testing GTest::gmock GTest::gtest GTest::gtest_main)
  if(BERTH_PLUGIN_OUTPUT_DIRECTORY)
    set_target_properties(${TEST} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/bin")
  endif()
  add_test(NAME ${TEST} COMMAND ${TEST} --gtest_brief=1)
  set_tests_properties(${TEST} PROPERTIES TIMEOUT 300 LABELS "plugin")
endfunction()

# berth_validate_plugin(<plugin target>)
# One ctest <plugin target>_validate: what `berthctl plugin validate` says of the library. Nothing happens where there is
# no berthctl of that ability beside the SDK, in CMAKE_PREFIX_PATH or in PATH, and in the Berth source tree, which has
# its own test of every plugin.
function(berth_validate_plugin PLUGIN)
  if(TARGET berthctl)
    return()
  endif()
  find_program(BERTHCTL berthctl HINTS "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../../bin")
  if(BERTHCTL)
    execute_process(COMMAND "${BERTHCTL}" plugin validate --help RESULT_VARIABLE UNABLE OUTPUT_QUIET ERROR_QUIET)
  endif()
  if(NOT BERTHCTL OR UNABLE)
    message(STATUS "${PLUGIN}: no berthctl that validates, that test is left out")
    return()
  endif()
  add_test(NAME ${PLUGIN}_validate COMMAND "${BERTHCTL}" plugin validate "$<TARGET_FILE:${PLUGIN}>")
  set_tests_properties(${PLUGIN}_validate PROPERTIES TIMEOUT 300 LABELS "plugin")
endfunction()
