#include "plugin/instance/plugin_tables.h"

#include <utility>

namespace berth::plugin {
namespace {

template <class Table>
const Table* Fetch(berth_plugin* plugin, const char* id) {
  return static_cast<const Table*>(plugin->extension(plugin, id));
}

// A table is usable when it reaches its last 1.0 member and the members that may not be NULL are there.
template <class Table, class... Members>
bool Complete(const Table* table, Members... required) {
  return table == nullptr || (table->size >= sizeof(Table) && (... && (table->*required != nullptr)));
}

}  // namespace

void FetchTables(berth_plugin* plugin, PluginTables& tables) {
  tables.pre_enqueue = Fetch<berth_pre_enqueue>(plugin, BERTH_POINT_PRE_ENQUEUE);
  tables.queue_sort = Fetch<berth_queue_sort>(plugin, BERTH_POINT_QUEUE_SORT);
  tables.pre_filter = Fetch<berth_pre_filter>(plugin, BERTH_POINT_PRE_FILTER);
  tables.filter = Fetch<berth_filter>(plugin, BERTH_POINT_FILTER);
  tables.post_filter = Fetch<berth_post_filter>(plugin, BERTH_POINT_POST_FILTER);
  tables.pre_score = Fetch<berth_pre_score>(plugin, BERTH_POINT_PRE_SCORE);
  tables.score = Fetch<berth_score>(plugin, BERTH_POINT_SCORE);
  tables.reserve = Fetch<berth_reserve>(plugin, BERTH_POINT_RESERVE);
  tables.permit = Fetch<berth_permit>(plugin, BERTH_POINT_PERMIT);
  tables.pre_bind = Fetch<berth_pre_bind>(plugin, BERTH_POINT_PRE_BIND);
  tables.bind = Fetch<berth_bind>(plugin, BERTH_POINT_BIND);
  tables.post_bind = Fetch<berth_post_bind>(plugin, BERTH_POINT_POST_BIND);
  tables.events = Fetch<berth_events>(plugin, BERTH_POINT_EVENTS);
  tables.pod_change = Fetch<berth_pod_change>(plugin, BERTH_POINT_POD_CHANGE);
  tables.deltas = Fetch<berth_deltas>(plugin, BERTH_POINT_DELTAS);
  tables.object_changes = Fetch<berth_object_changes>(plugin, BERTH_POINT_OBJECTS);
  tables.handover = Fetch<berth_handover>(plugin, BERTH_POINT_HANDOVER);
  tables.succession = Fetch<berth_succession>(plugin, BERTH_POINT_SUCCESSION);
}

bool PluginTables::Offers(Point point) const {
  switch (point) {
    case Point::kPreFilter: return pre_filter != nullptr;
    case Point::kFilter: return filter != nullptr;
    case Point::kPostFilter: return post_filter != nullptr;
    case Point::kReserve: return reserve != nullptr;
    case Point::kPreScore: return pre_score != nullptr;
    case Point::kScore: return score != nullptr;
    case Point::kPreBind: return pre_bind != nullptr;
    case Point::kBind: return bind != nullptr;
    case Point::kPostBind: return post_bind != nullptr;
    case Point::kPermit: return permit != nullptr;
    case Point::kPreEnqueue: return pre_enqueue != nullptr;
    case Point::kQueueSort: return queue_sort != nullptr;
  }
  return false;
}

base::Result<void> CheckTables(const PluginTables& t, std::span<const std::string> announced,
                               const std::string& prefix) {
  const std::pair<const char*, bool> checks[] = {
      {"pre_enqueue", Complete(t.pre_enqueue, &berth_pre_enqueue::pre_enqueue)},
      {"queue_sort", Complete(t.queue_sort, &berth_queue_sort::less)},
      {"pre_filter", Complete(t.pre_filter, &berth_pre_filter::pre_filter)},
      {"filter", Complete(t.filter, &berth_filter::filter)},
      {"post_filter", Complete(t.post_filter, &berth_post_filter::post_filter)},
      {"pre_score", Complete(t.pre_score, &berth_pre_score::pre_score)},
      {"score",
       Complete(t.score, &berth_score::score) &&
           (t.score == nullptr || t.score->normalize_kind != BERTH_NORMALIZE_CALL || t.score->normalize != nullptr)},
      {"reserve", Complete(t.reserve, &berth_reserve::reserve, &berth_reserve::unreserve)},
      {"permit", Complete(t.permit, &berth_permit::permit)},
      {"pre_bind", Complete(t.pre_bind, &berth_pre_bind::pre_bind)},
      {"bind", Complete(t.bind, &berth_bind::bind)},
      {"post_bind", Complete(t.post_bind, &berth_post_bind::post_bind)},
      {"events", Complete(t.events, &berth_events::interests)},
      {"pod_change", Complete(t.pod_change)},
      {"deltas", Complete(t.deltas, &berth_deltas::deltas)},
      {"objects", Complete(t.object_changes, &berth_object_changes::changed)},
      {"handover", Complete(t.handover)},
      {"succession", Complete(t.succession, &berth_succession::prepare)}};
  for (const auto& [table, complete] : checks) {
    if (!complete) return base::Fail(prefix + "its " + table + " table is too short or lacks a function it must have");
  }
  if (t.score != nullptr && t.score->normalize_kind > BERTH_NORMALIZE_REVERSE) {
    return base::Fail(prefix + "its score table asks for normalisation " + std::to_string(t.score->normalize_kind) +
                      ", which this host does not know");
  }
  for (const std::string& point_name : announced) {
    bool offered = false;
    for (size_t p = 0; p < kPoints; ++p) {
      const Point point = static_cast<Point>(p);
      offered = offered || (ConfigName(point) == point_name && t.Offers(point));
    }
    if (!offered) {
      return base::Fail(prefix + "its note announces the point " + point_name + ", which the plugin does not offer");
    }
  }
  return {};
}

}  // namespace berth::plugin
