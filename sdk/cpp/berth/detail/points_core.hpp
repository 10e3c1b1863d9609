// The C tables of the points of the queue and of the scheduling cycle, and of events: one struct template per point,
// with its id, its name in Kubernetes' spelling, whether it may still change, whether plugin P offers it, and its
// table. points.hpp lists them all.
#pragma once

#include <span>

#include "berth/detail/instance.hpp"
#include "berth/post_filter.h"
#include "berth/queue_sort.h"

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
struct QueueSortPoint {
  static constexpr const char* kId = BERTH_POINT_QUEUE_SORT;
  static constexpr const char* kName = "queueSort";
  static constexpr bool kDraft = false;
  static constexpr bool kOffered = HasLess<P>;

  static int32_t Call(berth_plugin* p, const berth_queued* a, const berth_queued* b) noexcept {
    auto& self = Instance<P>::Of(p);
    bool less = false;
    GuardedVoid(self.At("Less"), nullptr, [&] { less = self.plugin->Less(Queued(a), Queued(b)); });
    return less ? 1 : 0;
  }
  static constexpr berth_queue_sort Make() { return {sizeof(berth_queue_sort), 0, &Call}; }
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
struct PostFilterPoint {
  static constexpr const char* kId = BERTH_POINT_POST_FILTER;
  static constexpr const char* kName = "postFilter";
  static constexpr bool kDraft = false;
  static constexpr bool kOffered = HasPostFilter<P>;

  static berth_status Call(berth_plugin* p, berth_cycle* c, const berth_pod* pod, const berth_diagnosis* diagnosis,
                           berth_post_result* out) noexcept {
    auto& self = Instance<P>::Of(p);
    return Guarded(self.At("PostFilter"), c, 0, [&] {
      Cycle cycle(self.host, c);
      Nomination nomination(out);
      return self.plugin->PostFilter(cycle, Pod(pod), Diagnosis(diagnosis), nomination);
    });
  }
  static constexpr berth_post_filter Make() { return {sizeof(berth_post_filter), 0, &Call}; }
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

// The host requests interests once, and hints in batches, also for code that handles one pod at a time.
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

  // Used if Interests() throws: too many retries are better than a pod that waits without end.
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
