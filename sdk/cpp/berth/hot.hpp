// BERTH_HOT before a function: it is compiled for several x86-64 levels and the best one is picked when the library is
// loaded. For plain loops over spans; what it calls must be inlined into it to gain. Off under sanitizers, whose checks
// do not survive the dispatch, and where the compiler cannot.
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
