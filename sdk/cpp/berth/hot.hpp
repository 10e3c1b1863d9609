// BERTH_HOT before a function: the compiler builds it for three levels of x86-64 (v4 with AVX-512, v3 with AVX2, and
// the baseline), and the loader picks the best one for the machine. For plain loops over columns and spans:
//
//   BERTH_HOT inline void Add(const int64_t* column, int64_t weight, size_t n, int64_t* out) {
//     for (size_t i = 0; i < n; ++i) out[i] += column[i] * weight;
//   }
//
// Only what the compiler inlines into the function benefits. Give the function whole ranges: a call goes through a
// pointer. It may not be a template, constexpr, virtual, or a lambda. Compile with -O3, or with -O2 -ftree-vectorize,
// and with -ffp-contract=off: levels 3 and 4 have fused multiply-add, which rounds once instead of twice, so that
// scores would depend on the machine and differ from Go's. berth_add_plugin of the SDK's CMake functions sets both.
// docs/plugins/hot-loops.md says more.
//
// On arm64 nothing is needed, because NEON belongs to every machine. The macro is empty there, under sanitizers, which
// do not support the dispatch, with compilers that do not support it, and with C libraries other than glibc, such as
// musl, whose loader does not support it.
#pragma once

#include <climits>  // any header of the C library: defines __GLIBC__

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(BERTH_SANITIZED)
#define BERTH_HOT
#elif defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 12
#define BERTH_HOT __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#elif defined(__x86_64__) && defined(__GLIBC__) && defined(__clang__) && __clang_major__ >= 17
#define BERTH_HOT __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define BERTH_HOT
#endif
