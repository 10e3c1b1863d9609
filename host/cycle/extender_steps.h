// What HTTP extenders do in a scheduling cycle: refuse nodes that every plugin let pass, and score what is left. The
// scheduling thread waits for their answers, as upstream's does. Only made when the configuration has extenders.
// Source: findNodesThatPassExtenders and prioritizeNodes in pkg/scheduler/schedule_one.go; core.md 1.8, 1.9.
//
// Thread: scheduling thread. Ownership: what was refused and scored lives until the next Begin.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/pod.h"
#include "base/bitmap.h"
#include "berth/abi.h"
#include "cache/cache.h"
#include "extender/extender.h"
#include "framework/profile.h"
#include "plugin/reasons.h"
#include "plugin/status.h"

namespace berth::cycle {

// How an extender took a node out.
struct ExtenderRefusal {
  berth_verdict verdict;
  const std::string* extender;  // its name
};

// One extender's part of the totals: score x weight x 10, by row (feasible rows only).
struct ExtenderScores {
  const std::string* extender;
  std::vector<int64_t> weighted;
};

class ExtenderSteps {
 public:
  // extenders: not empty, in the order in which they are asked.
  ExtenderSteps(cache::Cache& cache, plugin::ReasonTable& reasons, const framework::ExtenderList& extenders);

  bool may_filter() const { return may_filter_; }
  bool may_score() const { return may_score_; }

  // A new attempt.
  void Begin();

  // Takes rows out of feasible. Those that the extender names get a status, others just go. Called again in an attempt
  // it adds to what was refused before. An error of an extender that cannot be ignored ends the search.
  plugin::Status Filter(const api::Pod& pod, base::Bitmap& feasible);
  // Adds to the totals, by row. Errors give no score. record: for scores().
  void Prioritize(const api::Pod& pod, const base::Bitmap& feasible, std::vector<int64_t>& totals, bool record);

  // The status that an extender gave a row last, whatever plugins say of it; nullptr: none did.
  const ExtenderRefusal* RefusalOf(uint32_t row) const;
  const std::map<uint32_t, ExtenderRefusal>& refusals() const { return refusals_; }  // by row
  // Nodes that are in no snapshot, but an extender refused them all the same: name -> list of reasons.
  const std::map<std::string, uint32_t>& foreign() const { return foreign_; }
  // Who took the row out without a word; nullptr: nobody.
  const std::string* DroppedBy(uint32_t row) const;
  const std::vector<ExtenderScores>& scores() const { return scores_; }

 private:
  const std::string& PodText(const api::Pod& pod);
  void Gather(const base::Bitmap& rows);
  void Take(const extender::Extender& from, const extender::Filtered& answer, base::Bitmap& feasible);
  void Refuse(const extender::Extender& from, const extender::Refusal& refusal);
  void Add(const extender::Extender& from, const extender::Prioritized& answer, std::vector<int64_t>& totals,
           bool record);

  cache::Cache& cache_;
  plugin::ReasonTable& reasons_;
  const framework::ExtenderList& extenders_;
  bool may_filter_ = false, may_score_ = false;

  std::string pod_text_;  // of the attempt's pod, once it was needed
  std::vector<uint32_t> rows_;
  std::vector<extender::Asked> asked_;  // as rows_
  std::map<uint32_t, ExtenderRefusal> refusals_;
  std::map<uint32_t, const std::string*> dropped_;
  std::map<std::string, uint32_t> foreign_;
  std::vector<ExtenderScores> scores_;
};

}  // namespace berth::cycle
