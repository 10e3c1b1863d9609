// The objects of every needed kind: the newest version from the API server, or a version that a plugin assumes until
// the server confirms it. Source: pkg/scheduler/util/assumecache.
//
// Thread: any for Need, Find, KindOf, NeededKinds, and Revert. Reads: the scheduling thread, and threads that run while
// it waits for them. Everything else: the scheduling thread; changes other than Assume only between calls of plugins.
// Ownership: objects are reference-counted. A replaced object lives until TakeChanges, so borrowed views stay valid
// until then.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/seeded_hash.h"
#include "base/text_hash.h"
#include "base/thread_annotations.h"
#include "scheduler/objects/kind.h"
#include "scheduler/objects/object.h"

namespace berth::objects {

// The number of a kind in this process; 0: none.
using KindId = uint32_t;

// A change of an object. before null: added; now null: deleted.
struct Change {
  KindId kind;
  ObjectRef before, now;
};

class ObjectStore {
 public:
  explicit ObjectStore(api::InternTables& intern) : intern_(intern) {}
  ObjectStore(const ObjectStore&) = delete;

  // Marks the kind as needed and returns its number. 0: the names are invalid, or kMaxKinds is reached.
  KindId Need(std::string_view group, std::string_view version, std::string_view resource);
  // 0: the kind is not needed.
  KindId Find(std::string_view group, std::string_view version, std::string_view resource) const;
  std::vector<KindId> NeededKinds() const;                                  // ascending
  const Kind& KindOf(KindId kind) const { return slots_[kind - 1]->kind; }  // kind: a result of Need

  // Reads; an unknown kind has no objects. The results include assumed versions.
  const Object* Get(KindId kind, std::string_view ns, std::string_view name) const;
  berth_list List(KindId kind, std::string_view ns) const;  // const berth_object *; ns "": all namespaces
  uint64_t Version(KindId kind) const;                      // never 0

  // Sets the server's version. Returns the change of the server's object; both members are null if there is none,
  // because the version is known already or older than one with an assumption.
  Change Set(KindId kind, ObjectRef object);
  Change Gone(KindId kind, std::string_view key);
  // Keys of the kind's objects that are not in `present`.
  std::vector<std::string> NotAmong(KindId kind, const base::TextSet& present) const;
  void Listed(KindId kind);  // the first list of the kind is complete
  bool synced() const;       // the first list of every needed kind is complete

  // Assumes the patched object. Returns false if there is no such object or merge_patch is invalid: not JSON, or it
  // changes name, namespace, or uid.
  bool Assume(KindId kind, std::string_view ns, std::string_view name, std::string_view merge_patch);
  // Reverts the assumption at the next TakeChanges. Calls on_revert on the same thread.
  void Revert(KindId kind, std::string_view ns, std::string_view name);
  void set_on_revert(std::function<void()> fn) { on_revert_ = std::move(fn); }

  // Reverts what Revert requested, then appends the changes of the shown objects since the last call, in order.
  void TakeChanges(std::vector<Change>& out);

  static constexpr size_t kMaxKinds = 256;

 private:
  struct Key {
    std::string_view ns, name;  // of the shown object
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    size_t operator()(const Key& key) const {
      return size_t{base::SeededHash(key.ns)} * 31 + base::SeededHash(key.name);
    }
  };
  struct Entry {
    ObjectRef server, shown;  // the same object unless there is an assumption
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

  api::InternTables& intern_;
  base::Mutex mutex_;  // one Need at a time; readers of slots_ and count_ do not take it
  std::array<std::unique_ptr<Slot>, kMaxKinds> slots_;  // slots below count_ do not change
  std::atomic<uint32_t> count_{0};
  std::vector<Change> changes_;
  struct Reverted {
    KindId kind;
    std::string ns, name;
  };
  std::vector<Reverted> reverts_ GUARDED_BY(mutex_);
  std::atomic<bool> reverting_{false};  // reverts_ is not empty
  std::function<void()> on_revert_;
};

}  // namespace berth::objects
