// The tables that a plugin offers, one per extension point, and the check that they are complete.
// Thread: a value. Ownership: the tables belong to the plugin.
#pragma once

#include <span>
#include <string>

#include "base/result.h"
#include "berth/berth.h"
#include "berth/binding.h"
#include "berth/deltas.h"
#include "berth/draft/succession.h"
#include "berth/handover.h"
#include "berth/objects.h"
#include "berth/pod_change.h"
#include "berth/post_filter.h"
#include "berth/queue_sort.h"
#include "plugin/instance/point.h"

namespace berth::plugin {

// Null: the plugin does not offer the table.
struct PluginTables {
  const berth_pre_enqueue* pre_enqueue = nullptr;
  const berth_queue_sort* queue_sort = nullptr;
  const berth_pre_filter* pre_filter = nullptr;
  const berth_filter* filter = nullptr;
  const berth_post_filter* post_filter = nullptr;
  const berth_pre_score* pre_score = nullptr;
  const berth_score* score = nullptr;
  const berth_reserve* reserve = nullptr;
  const berth_permit* permit = nullptr;
  const berth_pre_bind* pre_bind = nullptr;
  const berth_bind* bind = nullptr;
  const berth_post_bind* post_bind = nullptr;
  const berth_events* events = nullptr;
  const berth_pod_change* pod_change = nullptr;
  const berth_deltas* deltas = nullptr;
  const berth_object_changes* object_changes = nullptr;
  const berth_handover* handover = nullptr;
  const berth_succession* succession = nullptr;

  bool Offers(Point point) const;
};

// Asks the plugin for each table. Runs plugin code: within a call. Keeps the tables that it has when the plugin throws.
void FetchTables(berth_plugin* plugin, PluginTables& tables);

// Whether each table is complete, and the plugin offers each point that its note announces (configuration names). An
// error starts with prefix.
base::Result<void> CheckTables(const PluginTables& tables, std::span<const std::string> announced,
                               const std::string& prefix);

}  // namespace berth::plugin
