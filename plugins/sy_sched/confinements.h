// The system calls of pods. Pods that name the same profiles share an entry, because a cluster has few of them. A pod
// whose profiles have no calls, or do not exist, has those of the default profile.
// Thread: one at a time; any for CallsOf and Count.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "profile_list.h"
#include "profiles.h"
#include "syscall_set.h"

namespace plugins::sy_sched {

class Confinements {
 public:
  // A confinement lives while pods hold it.
  using Number = uint32_t;
  static constexpr Number kDefault = 0;  // of a pod without profiles

  Confinements(const Profiles& profiles, std::string default_profile)
      : profiles_(profiles), default_profile_(std::move(default_profile)), entries_(1) {
    numbers_.emplace(ProfileList(), kDefault);
    entries_[kDefault].holders = 1;
  }

  Number Hold(ProfileList list) {
    const auto [at, is_new] = numbers_.try_emplace(std::move(list), kDefault);
    if (is_new) at->second = Make(at->first);
    ++entries_[at->second].holders;
    return at->second;
  }
  void Drop(Number number) {
    if (--entries_[number].holders > 0) return;
    numbers_.erase(entries_[number].list);
    entries_[number] = Entry();
    free_.push_back(number);
  }

  // A profile has changed.
  void Refresh() {
    for (Entry& entry : entries_) {
      if (entry.holders > 0) Fill(entry);
    }
  }

  const SyscallSet& CallsOf(Number number) const { return entries_[number].calls; }
  int64_t Count(Number number) const { return entries_[number].count; }
  size_t size() const { return numbers_.size(); }

 private:
  struct Entry {
    ProfileList list;
    SyscallSet calls;
    int64_t count = 0;
    uint32_t holders = 0;
  };

  Number Make(const ProfileList& list) {
    if (free_.empty()) {
      free_.push_back(static_cast<Number>(entries_.size()));
      entries_.emplace_back();
    }
    const Number number = free_.back();
    free_.pop_back();
    entries_[number].list = list;
    Fill(entries_[number]);
    return number;
  }
  void Fill(Entry& entry) const {
    entry.calls = {};
    for (const std::string& key : entry.list) AddProfile(key, entry.calls);
    if (entry.calls.empty()) AddProfile(default_profile_, entry.calls);
    entry.count = entry.calls.Count();
  }
  void AddProfile(const std::string& key, SyscallSet& calls) const {
    if (const SyscallSet* profile = profiles_.Find(key)) calls.Add(*profile);
  }

  const Profiles& profiles_;
  const std::string default_profile_;
  std::vector<Entry> entries_;
  std::vector<Number> free_;
  std::map<ProfileList, Number> numbers_;
};

}  // namespace plugins::sy_sched
