// BERTH_HOT before a function: the compiler builds it for several x86-64 levels, and the loader picks the best one. For
// plain loops over spans; only inlined callees benefit. It is off under sanitizers, which do not support the dispatch,
// and if the compiler does not support it.
#pragma once

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(BERTH_SANITIZED)
#define BERTH_HOT
#elif defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 12
#define BERTH_HOT __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#elif defined(__x86_64__) && defined(__clang__) && __clang_major__ >= 17
#define BERTH_HOT __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define BERTH_HOT
#endif
