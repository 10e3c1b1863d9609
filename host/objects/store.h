// The objects of every needed kind as everybody sees them: what the API server said last, or what somebody assumes of
// it before the server confirms it. Source: pkg/scheduler/util/assumecache.
//
// Thread: Need, Find, KindOf, NeededKinds and Revert any; reads the scheduling thread and whoever runs while it waits;
// the rest the scheduling thread, and changes only between the calls of plugins, but for Assume. Ownership: objects are
// counted; what a change replaced lives until TakeChanges, so that views borrowed in the meantime stay good.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "objects/kind.h"
#include "objects/object.h"

namespace berth::objects {

// A kind's number for this process; 0 = none.
using KindId = uint32_t;
using KeySet = std::unordered_set<std::string>;

// What became of an object. before null: new; now null: gone.
struct Change {
  KindId kind;
  ObjectRef before, now;
};

class ObjectStore {
 public:
  explicit ObjectStore(api::Vocabulary& words) : words_(words) {}
  ObjectStore(const ObjectStore&) = delete;

  // The kind from now on is one whose objects are wanted. 0: it cannot be one, or there are kMaxKinds already.
  KindId Need(std::string_view group, std::string_view version, std::string_view resource);
  // 0 = nobody needs it.
  KindId Find(std::string_view group, std::string_view version, std::string_view resource) const;
  std::vector<KindId> NeededKinds() const;                                  // ascending
  const Kind& KindOf(KindId kind) const { return slots_[kind - 1]->kind; }  // of a number that Need gave

  // Reads: unknown kinds are empty. What they answer shows assumptions.
  const Object* Get(KindId kind, std::string_view ns, std::string_view name) const;
  berth_list List(KindId kind, std::string_view ns) const;  // const berth_object *; ns "": of all
  uint64_t Version(KindId kind) const;                      // never 0

  // What the server says. The answer is the change of the server's object, both null when there was none: a version
  // that is known, or older than one that something is assumed of.
  Change Set(KindId kind, ObjectRef object);
  Change Gone(KindId kind, std::string_view key);
  // Keys of what is known and not among present.
  std::vector<std::string> NotAmong(KindId kind, const KeySet& present) const;
  void Listed(KindId kind);  // the kind's first list is whole
  bool synced() const;       // that of every needed kind is

  // False: there is no such object, or merge_patch is no patch of it (JSON; name, namespace and uid stay).
  bool Assume(KindId kind, std::string_view ns, std::string_view name, std::string_view merge_patch);
  // With the next TakeChanges; on_revert is then called, on the same thread.
  void Revert(KindId kind, std::string_view ns, std::string_view name);
  void set_on_revert(std::function<void()> fn) { on_revert_ = std::move(fn); }

  // Forgets what was reverted, then appends what was shown differently since the last call, in order.
  void TakeChanges(std::vector<Change>& out);

  static constexpr size_t kMaxKinds = 256;

 private:
  struct Key {
    std::string_view ns, name;  // of the entry's shown object
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    size_t operator()(const Key& key) const {
      return std::hash<std::string_view>()(key.ns) * 31 + std::hash<std::string_view>()(key.name);
    }
  };
  struct Entry {
    ObjectRef server, shown;  // one object unless something is assumed
  };
  struct Slot {
    Kind kind;
    std::unordered_map<Key, Entry, KeyHash> entries;
    std::vector<const berth_object*> sorted;  // shown objects, by namespace and name
    uint64_t version = 1;
    bool listed = false;
  };

  const Slot* SlotOf(KindId kind) const;
  Slot* SlotOf(KindId kind) { return const_cast<Slot*>(std::as_const(*this).SlotOf(kind)); }
  void ApplyReverts();
  void Show(KindId kind, Slot& slot, std::unordered_map<Key, Entry, KeyHash>::iterator at, ObjectRef object);

  api::Vocabulary& words_;
  mutable std::mutex mutex_;                            // of Need and of reverts_
  std::array<std::unique_ptr<Slot>, kMaxKinds> slots_;  // those below count_ stay as they are
  std::atomic<uint32_t> count_{0};
  std::vector<Change> changes_;
  struct Reverted {
    KindId kind;
    std::string ns, name;
  };
  std::vector<Reverted> reverts_;
  std::atomic<bool> reverting_{false};  // there are some
  std::function<void()> on_revert_;
};

}  // namespace berth::objects
