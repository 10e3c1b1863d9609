// The fingerprint of a set of pods, by which an agent says which pods its report counts. Source: the library
// k8stopologyawareschedwg/podfingerprint; XXH64 is specified in doc/xxhash_spec.md of Cyan4973/xxHash. Pure; thread:
// any.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace plugins::node_topology {

class Xxh64 {
 public:
  static uint64_t Of(std::string_view text, uint64_t seed = 0) {
    const size_t size = text.size();
    uint64_t hash = (size >= 32 ? Stripes(text, seed) : seed + kPrime5) + size;
    for (; text.size() >= 8; text.remove_prefix(8))
      hash = std::rotl(hash ^ Round(0, Read<uint64_t>(text)), 27) * kPrime1 + kPrime4;
    if (text.size() >= 4) {
      hash = std::rotl(hash ^ Read<uint32_t>(text) * kPrime1, 23) * kPrime2 + kPrime3;
      text.remove_prefix(4);
    }
    for (const char c : text) hash = std::rotl(hash ^ static_cast<unsigned char>(c) * kPrime5, 11) * kPrime1;
    hash = (hash ^ hash >> 33) * kPrime2;
    hash = (hash ^ hash >> 29) * kPrime3;
    return hash ^ hash >> 32;
  }

 private:
  static constexpr uint64_t kPrime1 = 11400714785074694791u, kPrime2 = 14029467366897019727u,
                            kPrime3 = 1609587929392839161u, kPrime4 = 9650029242287828579u,
                            kPrime5 = 2870177450012600261u;

  template <class T>
  static uint64_t Read(std::string_view text) {
    T value;
    std::memcpy(&value, text.data(), sizeof(value));
    if constexpr (std::endian::native == std::endian::big) {
      value = sizeof(T) == 8 ? static_cast<T>(__builtin_bswap64(value))
                             : static_cast<T>(__builtin_bswap32(static_cast<uint32_t>(value)));
    }
    return value;
  }
  static uint64_t Round(uint64_t lane, uint64_t input) { return std::rotl(lane + input * kPrime2, 31) * kPrime1; }

  // Removes whole stripes of 32 bytes.
  static uint64_t Stripes(std::string_view& text, uint64_t seed) {
    std::array<uint64_t, 4> lanes = {seed + kPrime1 + kPrime2, seed + kPrime2, seed, seed - kPrime1};
    for (; text.size() >= 32; text.remove_prefix(32)) {
      for (size_t i = 0; i < lanes.size(); ++i) lanes[i] = Round(lanes[i], Read<uint64_t>(text.substr(i * 8)));
    }
    uint64_t hash = std::rotl(lanes[0], 1) + std::rotl(lanes[1], 7) + std::rotl(lanes[2], 12) + std::rotl(lanes[3], 18);
    for (const uint64_t lane : lanes) hash = (hash ^ Round(0, lane)) * kPrime1 + kPrime4;
    return hash;
  }
};

class Fingerprint {
 public:
  void Add(std::string_view ns, std::string_view name) { pods_.push_back(Xxh64::Of(name, Xxh64::Of(ns))); }

  // The order in which pods were added does not matter.
  std::string Text() {
    std::sort(pods_.begin(), pods_.end());
    std::string bytes;
    for (const uint64_t pod : pods_) {
      for (int shift = 0; shift < 64; shift += 8) bytes.push_back(static_cast<char>(pod >> shift & 0xff));
    }
    return "pfp0v001" + Hex(Xxh64::Of(bytes));
  }

 private:
  static std::string Hex(uint64_t number) {
    std::string text;
    for (int shift = 60; shift >= 0; shift -= 4) text.push_back("0123456789abcdef"[number >> shift & 0xf]);
    return text;
  }

  std::vector<uint64_t> pods_;
};

}  // namespace plugins::node_topology
