// A bit per row, in 64-bit words: sets of nodes. Bits beyond size() are always zero, so words can be combined without
// checks. Thread: like a std::vector.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace berth::base {

// How many bits of the n words are set.
size_t CountBits(const uint64_t* words, size_t n);

class Bitmap {
 public:
  Bitmap() = default;
  explicit Bitmap(size_t size) { Resize(size); }

  // New bits are zero.
  void Resize(size_t size) {
    words_.resize(WordsFor(size), 0);
    size_ = size;
    MaskTail();
  }
  void Reset() { words_.assign(words_.size(), 0); }
  void SetAll() {
    words_.assign(words_.size(), ~uint64_t{0});
    MaskTail();
  }

  size_t size() const { return size_; }
  size_t n_words() const { return words_.size(); }
  uint64_t* words() { return words_.data(); }
  const uint64_t* words() const { return words_.data(); }

  bool Test(size_t i) const { return (words_[i >> 6] >> (i & 63)) & 1; }
  void Set(size_t i) { words_[i >> 6] |= uint64_t{1} << (i & 63); }
  void Clear(size_t i) { words_[i >> 6] &= ~(uint64_t{1} << (i & 63)); }
  void Assign(size_t i, bool on) { on ? Set(i) : Clear(i); }

  size_t Count() const { return CountBits(words_.data(), words_.size()); }
  bool Any() const {
    for (uint64_t w : words_) {
      if (w != 0) return true;
    }
    return false;
  }
  void And(const Bitmap& other) { And(other.words()); }
  void And(const uint64_t* other) {
    for (size_t i = 0; i < words_.size(); ++i) words_[i] &= other[i];
  }
  void AndNot(const Bitmap& other) {
    for (size_t i = 0; i < words_.size(); ++i) words_[i] &= ~other.words_[i];
  }
  void CopyWords(const uint64_t* from) { words_.assign(from, from + words_.size()); }

  // fn(row) for every set bit, ascending.
  template <class Fn>
  void ForEach(Fn&& fn) const {
    for (size_t w = 0; w < words_.size(); ++w) {
      for (uint64_t bits = words_[w]; bits != 0; bits &= bits - 1) {
        fn(static_cast<uint32_t>(w * 64 + static_cast<size_t>(std::countr_zero(bits))));
      }
    }
  }

  static size_t WordsFor(size_t size) { return (size + 63) / 64; }

 private:
  void MaskTail() {
    if (size_ % 64 != 0) words_.back() &= (uint64_t{1} << (size_ % 64)) - 1;
  }

  std::vector<uint64_t> words_;
  size_t size_ = 0;
};

}  // namespace berth::base
