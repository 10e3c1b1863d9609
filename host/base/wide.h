// BERTH_WIDE before a function: the compiler builds it for several x86-64 levels, and the loader picks the best one for
// the machine. Only what the compiler inlines into the function benefits. Vectors of arm64 belong to every machine, so
// nothing is needed there. The same as BERTH_HOT of the SDK's C++ layer (berth/hot.hpp), which the host does not
// include; unlike plugins, the host is built with -O2, so BERTH_WIDE asks for the vectorizer too. Use it for loops over
// integers only: GCC does not promise that options such as -ffp-contract=off stay in force in a function with the
// attribute optimize("O3"). GCC 12 keeps them.
#pragma once

#include <climits>  // any header of the C library: defines __GLIBC__

// The loader picks through an indirect function, which only glibc resolves, and sanitizers do not support.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define BERTH_WIDE __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default"), optimize("O3")))
#else
#define BERTH_WIDE
#endif
