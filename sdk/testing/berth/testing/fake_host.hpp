// A host for one plugin instance: every service table of the ABI over the fakes, with a check of each call.
// PluginUnderTest owns one; tests configure it through plugin.host() (before Start) and read what the plugin did.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
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
#include "berth/testing/fake_metrics.hpp"
#include "berth/testing/fake_objects.hpp"
#include "berth/testing/fake_snapshot.hpp"
#include "berth/testing/fake_tasks.hpp"
#include "berth/testing/selectors.hpp"
#include "berth/testing/value.hpp"

namespace berth::sdk::testing {

// One line that the plugin logged.
struct LogLine {
  int32_t severity, verbosity;
  std::string file, message;
  std::vector<std::pair<std::string, std::string>> fields;
};

class FakeHost {
 public:
  // The fake host's berth_cycle; snap is null outside a scheduling cycle.
  struct CycleState {
    FakeHost* host;
    FakeSnapshot* snap;
    void* data[2] = {nullptr, nullptr};
    std::atomic<bool> cancelled{false};
    const berth_pod* pod = nullptr;  // the pod of the attempt
    berth_cycle* raw();
  };

  FakeHost();
  ~FakeHost();
  FakeHost(const FakeHost&) = delete;
  FakeHost& operator=(const FakeHost&) = delete;

  const berth_host* raw() const { return &face_; }
  Checker& checker() { return checker_; }
  FakeTasks& tasks() { return tasks_; }
  FakeApi& api() { return api_; }
  FakeMatching& matching() { return matching_; }
  FakeMetrics& metrics() { return metrics_; }

  // ---- setup
  FakeHost& Args(const FakeValue& args);
  FakeHost& Verbosity(int32_t v) { return verbosity_ = v, *this; }
  FakeHost& Seed(uint64_t seed) { return seed_ = seed, *this; }
  FakeHost& Name(std::string_view name);
  FakeHost& Profile(std::string_view name);
  // An older host: it lacks a service, or its table ends after `size` bytes (followed by junk), or it lacks the end of
  // berth_host itself.
  FakeHost& Without(const std::string& service);
  FakeHost& Shorten(const std::string& service, uint32_t size);
  FakeHost& ShortenHost(uint32_t size);
  // The outcome of a write of a binding.
  FakeHost& BindAnswers(berth_status status, std::string reason = "");
  FakeHost& AddWaiting(const FakePod& pod);
  // Ends the wait of a pod without this plugin, as a timeout does.
  FakeHost& StopWaiting(const std::string& uid);
  // Adds the service of another fake; its functions find their state with StateOf(id). state outlives the host.
  template <class T>
  FakeHost& Extend(const char* id, const T& table, void* state) {
    return ExtendBytes(id, &table, sizeof(T), state);
  }
  void* StateOf(const char* id) const;

  // Objects other than pods and nodes. PluginUnderTest::Put also sends them to the instance.
  FakeObjects& objects() { return objects_; }

  // The instance that frees cycle data; PluginUnderTest sets it.
  void set_instance(berth_plugin* instance) { instance_ = instance; }
  // Frees cycle data as the host does: calls cycle_free once. data may be null.
  void Free(void* data);

  // ---- what the plugin did
  std::vector<LogLine> Log() const;
  // "uid -> node" for each binding that the plugin wrote, in order.
  const Texts& bindings() const { return bindings_; }
  const Texts& allowed() const { return allowed_; }    // uids of waiting pods
  const Texts& rejected() const { return rejected_; }  // "uid: reason"
  // The rows that the plugin says have changed, in order; kEveryRow: all of them.
  static constexpr uint32_t kEveryRow = UINT32_MAX;
  const std::vector<uint32_t>& changed_rows() const { return changed_rows_; }
  bool Opened(uint32_t what, const std::string& key) const;
  // The texts of a reason list; empty for 0 and for unknown numbers.
  Texts ReasonTexts(uint32_t number) const;
  // Adds a reason list of the host itself and returns its number.
  uint32_t AddReasons(Texts texts);
  // Whether the host returned this number in that call.
  bool ReasonsAreOf(uint32_t number, uint64_t call) const;

 private:
  friend struct FakeServices;
  friend struct FakeObjectServices;
  struct ReasonRecord {
    ReasonRecord(Texts all, uint64_t made_in);
    Texts texts;
    uint64_t call;
    Arena arena;
    berth_list raw;
  };

  template <class T>
  void Offer(const char* id, const T& table) {
    OfferBytes(id, &table, sizeof(T));
  }
  FakeHost& ExtendBytes(const char* id, const void* table, size_t size, void* state);
  void OfferBytes(const char* id, const void* table, size_t size);

  Checker checker_;
  FakeTasks tasks_{checker_};
  FakeApi api_{checker_};
  FakeMatching matching_{checker_};
  FakeMetrics metrics_{checker_};
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
  std::vector<uint32_t> changed_rows_;
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
