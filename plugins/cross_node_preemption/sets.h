// A walk through the sets of n elements: those of one, then those of two, and so on, each once. Pure; any thread.
#pragma once

#include <cstdint>

namespace plugins::cross_node {

// A Visitor has these members. A thing enters after all things of the set that have smaller numbers.
//
//   bool Enter(uint32_t thing);  // false: the walk leaves out all sets that begin with this one, and calls no Leave
//   void Leave(uint32_t thing);
//   bool Judge();  // the set that has entered; false ends the walk
template <class Visitor>
class SetWalk {
 public:
  // most: how many sets are judged or skipped.
  SetWalk(Visitor& visitor, uint32_t things, uint32_t most) : visitor_(visitor), things_(things), left_(most) {}

  // False: there were more sets than `most`.
  bool Run() {
    for (uint32_t size = 1; size <= things_; ++size) {
      judged_ = false;
      if (!Extend(0, size)) break;
      if (!judged_) break;  // larger sets begin with the skipped ones
    }
    return !cut_;
  }

 private:
  // Adds `more` things with numbers of at least `from`. False: the walk is over.
  bool Extend(uint32_t from, uint32_t more) {
    if (more == 0) return Count() && Judge();
    for (uint32_t thing = from; thing + more <= things_; ++thing) {
      if (!visitor_.Enter(thing)) {
        if (!Count()) return false;
        continue;
      }
      const bool goes_on = Extend(thing + 1, more - 1);
      visitor_.Leave(thing);
      if (!goes_on) return false;
    }
    return true;
  }

  bool Judge() {
    judged_ = true;
    return visitor_.Judge();
  }

  bool Count() {
    if (left_ == 0) {
      cut_ = true;
      return false;
    }
    --left_;
    return true;
  }

  Visitor& visitor_;
  const uint32_t things_;
  uint32_t left_;
  bool judged_ = false, cut_ = false;
};

}  // namespace plugins::cross_node
