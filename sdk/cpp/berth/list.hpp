// A berth_list as a C++ range. It uses the list's stride, so it also reads the longer records of a newer host. Borrowed
// like everything that it points at; copying it is cheap, because it is two words.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>

#include "berth/abi.h"

namespace berth::sdk {

// T is the C record. As is the type of an element for the reader: the record itself, or a view of it.
template <class T, class As = const T&>
class List {
 public:
  class Iterator {
   public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = std::remove_cvref_t<As>;
    using difference_type = std::ptrdiff_t;
    using reference = As;
    using pointer = void;

    Iterator() = default;
    Iterator(const char* at, uint32_t stride) : at_(at), stride_(stride) {}
    As operator*() const { return static_cast<As>(*reinterpret_cast<const T*>(at_)); }
    const T* operator->() const { return reinterpret_cast<const T*>(at_); }
    As operator[](difference_type i) const { return *(*this + i); }
    Iterator& operator+=(difference_type n) { return at_ += n * static_cast<difference_type>(stride_), *this; }
    Iterator& operator-=(difference_type n) { return *this += -n; }
    Iterator& operator++() { return *this += 1; }
    Iterator& operator--() { return *this += -1; }
    Iterator operator++(int) { return Iterator(std::exchange(at_, at_ + stride_), stride_); }
    Iterator operator--(int) { return Iterator(std::exchange(at_, at_ - stride_), stride_); }
    friend Iterator operator+(Iterator i, difference_type n) { return i += n; }
    friend Iterator operator+(difference_type n, Iterator i) { return i += n; }
    friend Iterator operator-(Iterator i, difference_type n) { return i -= n; }
    friend difference_type operator-(Iterator a, Iterator b) {
      return a.stride_ == 0 ? 0 : (a.at_ - b.at_) / static_cast<difference_type>(a.stride_);
    }
    friend bool operator==(Iterator a, Iterator b) { return a.at_ == b.at_; }
    friend std::strong_ordering operator<=>(Iterator a, Iterator b) { return a.at_ <=> b.at_; }

   private:
    const char* at_ = nullptr;
    uint32_t stride_ = 0;
  };

  List() = default;
  List(berth_list raw) : raw_(raw) {}  // NOLINT: meant to convert

  uint32_t size() const { return raw_.n; }
  bool empty() const { return raw_.n == 0; }
  As operator[](uint32_t i) const { return static_cast<As>(*BERTH_AT(raw_, T, i)); }
  As front() const { return (*this)[0]; }
  Iterator begin() const { return {static_cast<const char*>(raw_.ptr), raw_.stride}; }
  Iterator end() const { return begin() + raw_.n; }
  const berth_list& raw() const { return raw_; }

 private:
  berth_list raw_{nullptr, 0, sizeof(T)};
};

}  // namespace berth::sdk
