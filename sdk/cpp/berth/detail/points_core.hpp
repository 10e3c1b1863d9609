// The C tables of the stable points: one struct template per point, with its id, its name in Kubernetes' spelling,
// whether plugin P offers it, and its table. points.hpp lists them all.
#pragma once

#include <span>

#include "berth/detail/instance.hpp"

namespace berth::sdk::detail {

template <class P>
struct PreEnqueuePoint {
  static constexpr const char* kId = BERTH_POINT_PRE_ENQUEUE;
  static constexpr const char* kName = "preEnqueue";
  static constexpr bool kDraft = false;
  static constexpr bool kOffered = HasPreEnqueue<P>;

  static berth_status Call(berth_plugin* p, berth_cycle* c, const berth_pod* pod) noexcept {
    auto& self = Instance<P>::Of(p);
    return Guarded(self.At("PreEnqueue"), c, 0, [&] {
      Cycle cycle(self.host, c);
      return self.plugin->PreEnqueue(cycle, Pod(pod));
    });
  }
  static constexpr berth_pre_enqueue Make() { return {sizeof(berth_pre_enqueue), 0, &Call}; }
};

template <class P>
struct PreFilterPoint {
  static constexpr const char* kId = BERTH_POINT_PRE_FILTER;
  static constexpr const char* kName = "preFilter";
  static constexpr bool kDraft = false;
  static constexpr bool kOffered = HasPreFilterPlain<P> || HasPreFilterNames<P>;

  static berth_status Call(berth_plugin* p, berth_cycle* c, const berth_pod* pod, berth_names* out) noexcept {
    auto& self = Instance<P>::Of(p);
    return Guarded(self.At("PreFilter"), c, kMaySkip, [&] {
      Cycle cycle(self.host, c);
      if constexpr (HasPreFilterNames<P>) {
        self.names.Clear();
        Status status = self.plugin->PreFilter(cycle, Pod(pod), self.names);
        if (self.names.narrowed()) {
          out->narrowed = 1;
          out->names = self.names.names().data();
          out->n = static_cast<uint32_t>(self.names.names().size());
        }
        return status;
      } else {
        return self.plugin->PreFilter(cycle, Pod(pod));
      }
    });
  }
  static constexpr berth_pre_filter Make() { return {sizeof(berth_pre_filter), 0, &Call}; }
};

template <class P>
struct FilterPoint {
  static constexpr const char* kId = BERTH_POINT_FILTER;
  static constexpr const char* kName = "filter";
  static constexpr bool kDraft = false;
  static constexpr bool kOffered = HasFilterNode<P> || HasFilterBatch<P>;

  static berth_status Call(berth_plugin* p, berth_cycle* c, const berth_pod* pod, const berth_rows* rows,
                           berth_verdict* out) noexcept {
    auto& self = Instance<P>::Of(p);
    return Guarded(self.At("Filter"), c, 0, [&] {
      Cycle cycle(self.host, c);
      const Pod view(pod);
      if constexpr (HasFilterBatch<P>) {
        return self.plugin->Filter(cycle, view, Rows(rows), std::span(out, rows->n));
      } else {
        P& plugin = *self.plugin;
        const Snapshot& snap = cycle.snap();
        Rows(rows).ForEachLive(
            [&](uint32_t i, uint32_t row) { out[i] = plugin.Filter(cycle, view, Node(&snap, row)); });
        return Status::Ok();
      }
    });
  }
  static constexpr berth_filter Make() {
    berth_filter table{sizeof(berth_filter), 0, {}, &Call};
    if constexpr (requires { P::kFilterReuse; }) table.reuse = P::kFilterReuse.raw();
    return table;
  }
};

template <class P>
struct PreScorePoint {
  static constexpr const char* kId = BERTH_POINT_PRE_SCORE;
  static constexpr const char* kName = "preScore";
  static constexpr bool kDraft = false;
  static constexpr bool kOffered = HasPreScore<P>;

  static berth_status Call(berth_plugin* p, berth_cycle* c, const berth_pod* pod, const berth_rows* rows) noexcept {
    auto& self = Instance<P>::Of(p);
    return Guarded(self.At("PreScore"), c, kMaySkip, [&] {
      Cycle cycle(self.host, c);
      return self.plugin->PreScore(cycle, Pod(pod), Rows(rows));
    });
  }
  static constexpr berth_pre_score Make() { return {sizeof(berth_pre_score), 0, &Call}; }
};

template <class P>
struct ScorePoint {
  static constexpr const char* kId = BERTH_POINT_SCORE;
  static constexpr const char* kName = "score";
  static constexpr bool kDraft = false;
  static constexpr bool kOffered = HasScoreNode<P> || HasScoreBatch<P>;

  static berth_status Call(berth_plugin* p, berth_cycle* c, const berth_pod* pod, const berth_rows* rows,
                           int64_t* out) noexcept {
    auto& self = Instance<P>::Of(p);
    return Guarded(self.At("Score"), c, kMayUniform, [&] {
      Cycle cycle(self.host, c);
      const Pod view(pod);
      if constexpr (HasScoreBatch<P>) {
        return self.plugin->Score(cycle, view, Rows(rows), std::span(out, rows->n));
      } else {
        P& plugin = *self.plugin;
        const Snapshot& snap = cycle.snap();
        Rows(rows).ForEachLive([&](uint32_t i, uint32_t row) { out[i] = plugin.Score(cycle, view, Node(&snap, row)); });
        return Status::Ok();
      }
    });
  }

  static berth_status CallNormalize(berth_plugin* p, berth_cycle* c, const berth_pod* pod, const berth_rows* rows,
                                    int64_t* io) noexcept {
    auto& self = Instance<P>::Of(p);
    return Guarded(self.At("Normalize"), c, 0, [&] {
      Cycle cycle(self.host, c);
      return self.plugin->Normalize(cycle, Pod(pod), Rows(rows), std::span(io, rows->n));
    });
  }

  static constexpr berth_score Make() {
    berth_score table{sizeof(berth_score), BERTH_NORMALIZE_NONE, {}, &Call, nullptr};
    if constexpr (requires { P::kScoreReuse; }) table.reuse = P::kScoreReuse.raw();
    if constexpr (requires { P::kNormalization; }) table.normalize_kind = static_cast<uint32_t>(P::kNormalization);
    if constexpr (HasNormalize<P>) {
      table.normalize_kind = BERTH_NORMALIZE_CALL;
      table.normalize = &CallNormalize;
    }
    return table;
  }
};

template <class P>
struct BindPoint {
  static constexpr const char* kId = BERTH_POINT_BIND;
  static constexpr const char* kName = "bind";
  static constexpr bool kDraft = false;
  static constexpr bool kOffered = HasBindPlain<P> || HasBindLater<P>;

  static berth_status Call(berth_plugin* p, berth_cycle* c, const berth_pod* pod, berth_id node,
                           berth_op* op) noexcept {
    auto& self = Instance<P>::Of(p);
    if constexpr (HasBindLater<P>) {
      return GuardedOp(self.At("Bind"), c, op, kMaySkip,
                       [&](Cycle& cycle, Op& handle) { return self.plugin->Bind(cycle, Pod(pod), node, handle); });
    } else {
      return Guarded(self.At("Bind"), c, kMaySkip, [&] {
        Cycle cycle(self.host, c);
        return self.plugin->Bind(cycle, Pod(pod), node);
      });
    }
  }
  static constexpr berth_bind Make() { return {sizeof(berth_bind), 0, &Call}; }
};

// Interests are asked for once; hints come in batches, for per-pod code as well.
template <class P>
struct EventsPoint {
  static constexpr const char* kId = BERTH_POINT_EVENTS;
  static constexpr const char* kName = nullptr;
  static constexpr bool kDraft = false;
  static constexpr bool kOffered = kHasInterests<P>;
  static constexpr bool kHinted = HasHint<P> || HasHints<P>;

  static berth_list Interests(berth_plugin* p) noexcept {
    auto& self = Instance<P>::Of(p);
    self.resources.clear();
    self.interests.clear();
    const bool fine = GuardedVoid(self.At("Interests"), [&self] {
      if constexpr (HasInterestsList<P>) {
        Collect(self, P::kInterests);
      } else {
        Collect(self, self.plugin->Interests());
      }
    });
    if (!fine) return EveryEvent();
    return {self.interests.data(), static_cast<uint32_t>(self.interests.size()), sizeof(berth_interest)};
  }

  template <class Range>
  static void Collect(Instance<P>& self, const Range& wanted) {
    for (const Interest& interest : wanted) self.resources.emplace_back(interest.resource);
    size_t i = 0;
    for (const Interest& interest : wanted) {
      const uint32_t flags = kHinted && interest.ask ? BERTH_INTEREST_HINT : 0u;
      self.interests.push_back({Borrow(self.resources[i++]), interest.actions, flags});
    }
  }

  // What a plugin that cannot say what it wants gets: too many retries rather than a pod that waits for ever.
  static berth_list EveryEvent() {
    static constexpr berth_interest kAll{{"*", 1}, BERTH_ACTION_ALL, 0};
    return {&kAll, 1, sizeof(kAll)};
  }

  static berth_status Hints(berth_plugin* p, berth_cycle* c, const berth_event* event, const berth_pod* const* pods,
                            uint32_t n, uint8_t* queue) noexcept {
    auto& self = Instance<P>::Of(p);
    return Guarded(self.At(HasHint<P> ? "Hint" : "Hints"), c, 0, [&] {
      Cycle cycle(self.host, c);
      const Event view(event, &self.host.services().value);
      if constexpr (HasHints<P>) {
        return self.plugin->Hints(cycle, view, Pods(pods, n), std::span(queue, n));
      } else {
        for (uint32_t i = 0; i < n; ++i) queue[i] = self.plugin->Hint(cycle, view, Pod(pods[i])) ? 1 : 0;
        return Status::Ok();
      }
    });
  }

  static constexpr berth_events Make() {
    berth_events table{sizeof(berth_events), 0, &Interests, nullptr};
    if constexpr (kHinted) table.hints = &Hints;
    return table;
  }
};

}  // namespace berth::sdk::detail
