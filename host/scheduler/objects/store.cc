#include "scheduler/objects/store.h"

#include <algorithm>
#include <charconv>
#include <tuple>

#include "api/text_view.h"
#include "scheduler/objects/merge_patch.h"

namespace berth::objects {
namespace {

using api::View;

using Place = std::pair<std::string_view, std::string_view>;
Place PlaceOf(const berth_object* object) { return {View(object->ns), View(object->name)}; }
bool Before(const berth_object* object, const Place& place) { return PlaceOf(object) < place; }

// Whether `b` is a later version than `a`. Only numeric versions have an order.
bool IsLater(std::string_view a, std::string_view b) {
  uint64_t had = 0, has = 0;
  const auto [a_end, a_error] = std::from_chars(a.data(), a.data() + a.size(), had);
  const auto [b_end, b_error] = std::from_chars(b.data(), b.data() + b.size(), has);
  const bool numbers =
      a_error == std::errc() && b_error == std::errc() && a_end == a.data() + a.size() && b_end == b.data() + b.size();
  return numbers ? has > had : a != b;
}

// "namespace/name" or "name".
Place SplitKey(std::string_view key) {
  const size_t slash = key.find('/');
  if (slash == std::string_view::npos) return {"", key};
  return {key.substr(0, slash), key.substr(slash + 1)};
}

}  // namespace

// ---- kinds ----

KindId ObjectStore::Need(std::string_view group, std::string_view version, std::string_view resource) {
  if (!IsKindName(group, version, resource)) return 0;
  base::MutexLock lock(mutex_);
  if (const KindId known = Find(group, version, resource); known != 0) return known;
  const uint32_t n = count_.load(std::memory_order_relaxed);
  if (n == kMaxKinds) return 0;
  slots_[n] = std::make_unique<Slot>();
  slots_[n]->kind = MakeKind(group, version, resource);
  count_.store(n + 1, std::memory_order_release);
  return n + 1;
}

KindId ObjectStore::Find(std::string_view group, std::string_view version, std::string_view resource) const {
  const uint32_t n = count_.load(std::memory_order_acquire);
  for (uint32_t i = 0; i < n; ++i) {
    const Kind& kind = slots_[i]->kind;
    if (kind.resource == resource && kind.group == group && kind.version == version) return i + 1;
  }
  return 0;
}

std::vector<KindId> ObjectStore::NeededKinds() const {
  std::vector<KindId> kinds;
  for (KindId kind = 1; kind <= count_.load(std::memory_order_acquire); ++kind) kinds.push_back(kind);
  return kinds;
}

const ObjectStore::Slot* ObjectStore::SlotOf(KindId kind) const {
  return kind == 0 || kind > count_.load(std::memory_order_acquire) ? nullptr : slots_[kind - 1].get();
}

// ---- reads ----

const Object* ObjectStore::Get(KindId kind, std::string_view ns, std::string_view name) const {
  const Slot* slot = SlotOf(kind);
  if (slot == nullptr) return nullptr;
  const auto at = slot->entries.find({ns, name});
  return at == slot->entries.end() ? nullptr : at->second.shown.get();
}

berth_list ObjectStore::List(KindId kind, std::string_view ns) const {
  constexpr uint32_t kStride = sizeof(const berth_object*);
  const Slot* slot = SlotOf(kind);
  if (slot == nullptr) return {nullptr, 0, kStride};
  auto begin = slot->sorted.begin(), end = slot->sorted.end();
  if (!ns.empty()) {
    begin = std::lower_bound(begin, end, Place(ns, ""), Before);
    end = std::upper_bound(begin, end, ns, [](std::string_view n, const berth_object* o) { return n < View(o->ns); });
  }
  return {begin == end ? nullptr : &*begin, static_cast<uint32_t>(end - begin), kStride};
}

uint64_t ObjectStore::Version(KindId kind) const {
  const Slot* slot = SlotOf(kind);
  return slot == nullptr ? 1 : slot->version;
}

bool ObjectStore::synced() const {
  const uint32_t n = count_.load(std::memory_order_acquire);
  return std::all_of(slots_.begin(), slots_.begin() + n, [](const auto& slot) { return slot->listed; });
}

// ---- changes ----

// The key of the entry is a view into the shown object, so it moves along with it.
void ObjectStore::Show(KindId kind, Slot& slot, std::unordered_map<Key, Entry, KeyHash>::iterator at,
                       ObjectRef object) {
  const auto row =
      std::lower_bound(slot.sorted.begin(), slot.sorted.end(), Place(object->ns(), object->name()), Before);
  *row = &object->abi;
  auto node = slot.entries.extract(at);
  changes_.push_back({kind, std::move(node.mapped().shown), object});
  node.key() = {object->ns(), object->name()};
  node.mapped().shown = std::move(object);
  slot.entries.insert(std::move(node));
  ++slot.version;
}

Change ObjectStore::Set(KindId kind, ObjectRef object) {
  Slot* slot = SlotOf(kind);
  if (slot == nullptr) return {kind, nullptr, nullptr};
  const auto at = slot->entries.find({object->ns(), object->name()});
  if (at == slot->entries.end()) {
    const Place place(object->ns(), object->name());
    slot->sorted.insert(std::lower_bound(slot->sorted.begin(), slot->sorted.end(), place, Before), &object->abi);
    slot->entries.emplace(Key{object->ns(), object->name()}, Entry{object, object});
    changes_.push_back({kind, nullptr, object});
    ++slot->version;
    return {kind, nullptr, std::move(object)};
  }
  Entry& entry = at->second;
  const bool assumed = entry.shown != entry.server;
  if (entry.server->uid() == object->uid()) {
    const std::string_view had = entry.server->resource_version(), has = object->resource_version();
    if (had == has && !has.empty()) return {kind, nullptr, nullptr};
    if (assumed && !IsLater(had, has)) return {kind, nullptr, nullptr};
  }
  Change change{kind, entry.server, object};
  entry.server = object;
  Show(kind, *slot, at, std::move(object));
  return change;
}

Change ObjectStore::Gone(KindId kind, std::string_view key) {
  Slot* slot = SlotOf(kind);
  if (slot == nullptr) return {kind, nullptr, nullptr};
  const Place place = SplitKey(key);
  const auto at = slot->entries.find({place.first, place.second});
  if (at == slot->entries.end()) return {kind, nullptr, nullptr};
  slot->sorted.erase(std::lower_bound(slot->sorted.begin(), slot->sorted.end(), place, Before));
  Change change{kind, at->second.server, nullptr};
  changes_.push_back({kind, at->second.shown, nullptr});
  slot->entries.erase(at);
  ++slot->version;
  return change;
}

std::vector<std::string> ObjectStore::NotAmong(KindId kind, const base::TextSet& present) const {
  std::vector<std::string> gone;
  const Slot* slot = SlotOf(kind);
  if (slot == nullptr) return gone;
  for (const berth_object* object : slot->sorted) {
    const ObjectRef& shown = slot->entries.find(Key{View(object->ns), View(object->name)})->second.shown;
    if (std::string key = shown->key(); !present.contains(key)) gone.push_back(std::move(key));
  }
  return gone;
}

void ObjectStore::Listed(KindId kind) {
  if (Slot* slot = SlotOf(kind)) slot->listed = true;
}

bool ObjectStore::Assume(KindId kind, std::string_view ns, std::string_view name, std::string_view merge_patch) {
  Slot* slot = SlotOf(kind);
  if (slot == nullptr) return false;
  const auto at = slot->entries.find({ns, name});
  if (at == slot->entries.end()) return false;
  const auto patch = json::Parse(merge_patch);
  if (!patch || !patch->is_object()) return false;
  const Object& had = *at->second.shown;
  json::Value value = had.value;
  MergePatch(value, *patch);
  const auto object = MakeObject(intern_, std::move(value), !slot->kind.has_pod_template);
  if (!object || (*object)->ns() != had.ns() || (*object)->name() != had.name() || (*object)->uid() != had.uid()) {
    return false;
  }
  Show(kind, *slot, at, *object);
  return true;
}

void ObjectStore::Revert(KindId kind, std::string_view ns, std::string_view name) {
  {
    base::MutexLock lock(mutex_);
    reverts_.push_back({kind, std::string(ns), std::string(name)});
    reverting_.store(true, std::memory_order_release);
  }
  if (on_revert_) on_revert_();
}

void ObjectStore::ApplyReverts() {
  if (!reverting_.load(std::memory_order_acquire)) return;
  std::vector<Reverted> reverts;
  {
    base::MutexLock lock(mutex_);
    reverts.swap(reverts_);
    reverting_.store(false, std::memory_order_release);
  }
  for (const Reverted& one : reverts) {
    Slot* slot = SlotOf(one.kind);
    if (slot == nullptr) continue;
    const auto at = slot->entries.find({one.ns, one.name});
    if (at == slot->entries.end() || at->second.shown == at->second.server) continue;
    Show(one.kind, *slot, at, at->second.server);
  }
}

void ObjectStore::TakeChanges(std::vector<Change>& out) {
  ApplyReverts();
  if (changes_.empty()) return;
  out.insert(out.end(), std::make_move_iterator(changes_.begin()), std::make_move_iterator(changes_.end()));
  changes_.clear();
}

}  // namespace berth::objects
