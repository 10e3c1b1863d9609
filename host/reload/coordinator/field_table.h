// How a change of each field of the two configurations takes effect: one table for the coordinator, for the settings of
// a published policy, and for the test that compares it with docs/hot-swap.md. Thread: any; pure.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/configuration/load.h"
#include "scheduler/framework/live_settings.h"

namespace berth::reload {

enum class Effect : uint8_t {
  kPolicy,   // the profiles and their libraries are built from it
  kLive,     // it is one of framework::LiveSettings
  kRestart,  // it is read when the program starts: settings of connections, locks, and servers
};

struct Field {
  std::string_view name;  // as in the file; no two fields of the two kinds have the same name
  Effect effect;
  // Of kLive, else null: sets it, and logs the new value.
  void (*apply)(const config::LoadResult& from, framework::LiveSettings& to) = nullptr;
  std::string (*text)(const config::LoadResult& of) = nullptr;
};

// Every field that KubeSchedulerConfiguration v1 and BerthConfiguration can have, but apiVersion and kind.
std::span<const Field> FieldTable();

// "clientConnection: changes only with a restart": one per field that differs from the running configuration.
std::vector<std::string> NeedsRestart(const config::LoadResult& now, const config::LoadResult& wanted);

// verbosity: that of -v, which applies unless the file has one.
framework::LiveSettings SettingsOf(const config::LoadResult& configuration, int verbosity);
// "parallelism 8", "backoff of 1 s to 10 s": one per text that differs.
std::vector<std::string> SettingChanges(const config::LoadResult& now, const config::LoadResult& wanted);

}  // namespace berth::reload
