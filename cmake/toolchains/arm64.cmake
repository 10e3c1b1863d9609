# Cross compilation for arm64 on Debian bookworm (preset arm64): Debian's cross compiler with the libraries of the sysroot that
# scripts/sysroot has written. The build runs no program for arm64; the tests do, under qemu.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(BERTH_DEBIAN_ARCHITECTURE arm64)
set(BERTH_SYSROOT "${CMAKE_CURRENT_LIST_DIR}/../../build/sysroot.arm64" CACHE PATH "libraries of arm64, from scripts/sysroot")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES BERTH_SYSROOT)
if(NOT EXISTS "${BERTH_SYSROOT}/.packages")
  message(FATAL_ERROR "there are no libraries of arm64 in ${BERTH_SYSROOT}: run scripts/build --arch arm64 first")
endif()
file(REAL_PATH "${BERTH_SYSROOT}" CMAKE_SYSROOT)

set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc-12)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++-12)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static -L "${CMAKE_SYSROOT}")

# Uses only headers and libraries of the sysroot, and only programs of this machine.
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
