// A host for one plugin instance: every service table of the ABI over the fakes, each call checked. PluginUnderTest
// owns one; tests reach it through plugin.host() to set it up (before Start) and to see what the plugin did.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "berth/binding.h"
#include "berth/plugin.h"
#include "berth/random.h"
#include "berth/testing/checker.hpp"
#include "berth/testing/fake_api.hpp"
#include "berth/testing/fake_matching.hpp"
#include "berth/testing/fake_objects.hpp"
#include "berth/testing/fake_snapshot.hpp"
#include "berth/testing/fake_tasks.hpp"
#include "berth/testing/selectors.hpp"
#include "berth/testing/value.hpp"

namespace berth::sdk::testing {

// One line the plugin logged.
struct LogLine {
  int32_t severity, verbosity;
  std::string file, message;
  std::vector<std::pair<std::string, std::string>> fields;
};

class FakeHost;
inline void OfferObjects(FakeHost& host);  // fake_object_services.hpp

class FakeHost {
 public:
  // What a berth_cycle is here; snap is null outside a scheduling cycle.
  struct CycleState {
    FakeHost* host;
    FakeSnapshot* snap;
    void* data[2] = {nullptr, nullptr};
    std::atomic<bool> cancelled{false};
    const berth_pod* pod = nullptr;  // whose attempt it is
    berth_cycle* raw() { return reinterpret_cast<berth_cycle*>(this); }
  };

  FakeHost();
  FakeHost(const FakeHost&) = delete;
  FakeHost& operator=(const FakeHost&) = delete;

  const berth_host* raw() const { return &face_; }
  Checker& checker() { return checker_; }
  FakeTasks& tasks() { return tasks_; }
  FakeApi& api() { return api_; }
  FakeMatching& matching() { return matching_; }

  // ---- setting up
  FakeHost& Args(const FakeValue& args) { return shown_args_ = args.Show(shown_), *this; }
  FakeHost& Verbosity(int32_t v) { return verbosity_ = v, *this; }
  FakeHost& Seed(uint64_t seed) { return seed_ = seed, *this; }
  FakeHost& Name(std::string_view name) { return name_ = shown_.Text(name), *this; }
  FakeHost& Profile(std::string_view name) { return profile_ = shown_.Text(name), *this; }
  // An older host: without a service, or with a table that ends after `size` bytes (junk follows), or without the named
  // part of berth_host itself.
  FakeHost& Without(const std::string& service) { return tables_.erase(service), *this; }
  FakeHost& Shorten(const std::string& service, uint32_t size) {
    auto& table = tables_.at(service);
    std::memset(reinterpret_cast<char*>(table.data()) + size, 0x5a, table.size() * sizeof(table[0]) - size);
    std::memcpy(table.data(), &size, sizeof(size));
    return *this;
  }
  FakeHost& ShortenHost(uint32_t size) {
    std::memset(reinterpret_cast<char*>(&face_) + size, 0x5a, sizeof(face_) - size);
    face_.size = size;
    return *this;
  }
  // The outcome of writing a binding.
  FakeHost& BindAnswers(berth_status status, std::string reason = "") {
    return bind_status_ = status, bind_reason_ = std::move(reason), *this;
  }
  FakeHost& AddWaiting(const FakePod& pod) { return waiting_.push_back(pod.Build()), *this; }
  // A service of a fake of its own; its functions find state again with StateOf(id). state outlives the host.
  template <class T>
  FakeHost& Extend(const char* id, const T& table, void* state) {
    Offer(id, table);
    return states_[id] = state, *this;
  }
  void* StateOf(const char* id) const { return states_.at(id); }

  // Objects other than pods and nodes. PluginUnderTest::Put tells the instance, too.
  FakeObjects& objects() { return objects_; }

  // The instance the host frees cycle data through; PluginUnderTest sets it.
  void set_instance(berth_plugin* instance) { instance_ = instance; }
  // As the host ends data: cycle_free, once. data may be null.
  void Free(void* data) {
    if (data == nullptr || instance_ == nullptr || instance_->cycle_free == nullptr) return;
    const CallScope scope(checker_, "cycle_free", kEnding);
    instance_->cycle_free(instance_, data);
  }

  // ---- what the plugin did
  std::vector<LogLine> Log() const {
    const std::lock_guard lock(mutex_);
    return log_;
  }
  // "uid -> node" per binding written, in order.
  const Texts& bindings() const { return bindings_; }
  const Texts& allowed() const { return allowed_; }    // uids of waiting pods
  const Texts& rejected() const { return rejected_; }  // "uid: reason"
  bool Opened(uint32_t what, const std::string& key) const { return opened_.contains({what, IdOf(key)}); }
  // The texts of a reason list; empty for 0 and for numbers never given out.
  Texts ReasonTexts(uint32_t number) const {
    const std::lock_guard lock(mutex_);
    return number == 0 || number > reasons_.size() ? Texts() : reasons_[number - 1].texts;
  }
  // A number for texts that the host itself has to say.
  uint32_t AddReasons(Texts texts) {
    const std::lock_guard lock(mutex_);
    reasons_.emplace_back(std::move(texts), 0);
    return static_cast<uint32_t>(reasons_.size());
  }
  // Was this number given out in that call?
  bool ReasonsAreOf(uint32_t number, uint64_t call) const {
    const std::lock_guard lock(mutex_);
    return number > 0 && number <= reasons_.size() && reasons_[number - 1].call == call;
  }

 private:
  friend struct FakeServices;
  friend struct FakeObjectServices;
  struct ReasonRecord {
    ReasonRecord(Texts all, uint64_t made_in) : texts(std::move(all)), call(made_in) {
      std::vector<berth_str> views;
      for (const std::string& text : texts) views.push_back(arena.Text(text));
      raw = arena.Exact(views);
    }
    Texts texts;
    uint64_t call;
    Arena arena;
    berth_list raw;
  };

  template <class T>
  void Offer(const char* id, const T& table) {
    auto& bytes = tables_[id];
    bytes.resize((sizeof(T) + 7) / 8);
    std::memcpy(bytes.data(), &table, sizeof(T));
  }

  Checker checker_;
  FakeTasks tasks_{checker_};
  FakeApi api_{checker_};
  FakeMatching matching_{checker_};
  mutable std::mutex mutex_;
  std::map<std::string, std::vector<uint64_t>> tables_;
  std::map<std::string, void*> states_;
  berth_host face_;
  berth_plugin* instance_ = nullptr;
  Arena shown_;
  const berth_value* shown_args_ = nullptr;
  berth_str name_ = shown_.Text("plugin"), profile_ = shown_.Text("default-scheduler");
  int32_t verbosity_ = 0;
  uint64_t seed_ = 1;
  std::vector<LogLine> log_;
  std::deque<ReasonRecord> reasons_;
  std::map<Id, int> owned_;
  std::set<std::pair<uint32_t, Id>> opened_;
  std::deque<std::pair<Totals, Arena>> requests_;
  std::deque<FakeLabelSelector> selectors_;
  std::vector<std::shared_ptr<const PodObject>> affinities_, node_selectors_;
  FakeObjects objects_;
  std::deque<Arena> lists_;
  std::vector<std::shared_ptr<const PodObject>> waiting_;
  berth_status bind_status_ = BERTH_SUCCESS;
  std::string bind_reason_;
  Texts bindings_, allowed_, rejected_;
};

}  // namespace berth::sdk::testing

#include "berth/testing/fake_object_services.hpp"
#include "berth/testing/fake_services.hpp"
