// Reproducible random scores: each is a function of a seed and texts, so it does not depend on the order of the nodes
// or the number of threads. Thread: any.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace rand_score {

inline constexpr int64_t kMostScore = 100;

// FNV-1a over the texts with terminators, starting from the seed.
inline uint64_t Hash(uint64_t seed, std::initializer_list<std::string_view> texts) {
  uint64_t hash = 0xcbf29ce484222325u ^ seed;
  const auto add = [&hash](unsigned char byte) { hash = (hash ^ byte) * 0x100000001b3u; };
  for (const std::string_view text : texts) {
    for (const char c : text) add(static_cast<unsigned char>(c));
    add(0);
  }
  return hash;
}

// The last step of splitmix64: FNV's low bits alone are too regular for names that differ in one digit.
inline uint64_t Scramble(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// 0..100, uniformly distributed.
inline int64_t Draw(uint64_t seed, std::string_view node) {
  return static_cast<int64_t>(Scramble(Hash(seed, {node})) % (kMostScore + 1));
}

}  // namespace rand_score
