// The steps of extenders in a scheduling cycle: they filter the nodes that passed all plugins, and they score feasible
// nodes. The scheduling thread waits for their replies, as in kube-scheduler. Only configurations with extenders use
// it. Source: findNodesThatPassExtenders and prioritizeNodes in pkg/scheduler/schedule_one.go.
//
// Thread: scheduling thread. Ownership: results belong to the object and are valid until the next Begin.
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
#include "plugin/instance/reasons.h"
#include "plugin/instance/status.h"
#include "scheduler/cache/cache.h"
#include "scheduler/framework/extender.h"
#include "scheduler/framework/profile.h"

namespace berth::cycle {

// The rejection of a node by an extender.
struct ExtenderRejection {
  berth_verdict verdict;
  const std::string* extender;  // its name
};

// The contribution of one extender to the totals: score x weight x 10, by row (feasible rows only).
struct ExtenderScores {
  const std::string* extender;
  std::vector<int64_t> weighted;
};

class ExtenderSteps {
 public:
  // extenders: not empty, in the order of the calls.
  ExtenderSteps(cache::Cache& cache, plugin::ReasonTable& reasons, const framework::ExtenderList& extenders);

  bool may_filter() const { return may_filter_; }
  bool may_score() const { return may_score_; }

  // Begins an attempt.
  void Begin();

  // Removes the rows that extenders reject from feasible. Rows that the reply names get a status. A second call in an
  // attempt adds to the rejections of the first. The error of an extender that is not ignorable ends the search.
  plugin::Status Filter(const api::Pod& pod, base::Bitmap& feasible);
  // Adds the scores to totals, by row. An extender that fails adds nothing. record: keeps the scores for scores().
  void Prioritize(const api::Pod& pod, const base::Bitmap& feasible, std::vector<int64_t>& totals, bool record);

  // The last rejection of the row by an extender; null if there is none. It replaces the status of a plugin.
  const ExtenderRejection* RejectionOf(uint32_t row) const;
  const std::map<uint32_t, ExtenderRejection>& rejections() const { return rejections_; }  // by row
  // Rejections of nodes that are not in the snapshot: name -> reason list.
  const std::map<std::string, uint32_t>& foreign() const { return foreign_; }
  // The name of the extender that removed the row without a status; null if none did.
  const std::string* DroppedBy(uint32_t row) const;
  const std::vector<ExtenderScores>& scores() const { return scores_; }

 private:
  const std::string& PodText(const api::Pod& pod);
  void Gather(const base::Bitmap& rows);
  void Take(const framework::Extender& from, const framework::ExtenderFilterResult& answer, base::Bitmap& feasible);
  void Reject(const framework::Extender& from, const framework::ExtenderFailedNode& rejection);
  void Add(const framework::Extender& from, const framework::ExtenderPriorities& answer, std::vector<int64_t>& totals,
           bool record);

  cache::Cache& cache_;
  plugin::ReasonTable& reasons_;
  const framework::ExtenderList& extenders_;
  bool may_filter_ = false, may_score_ = false;

  std::string pod_text_;  // the manifest of the pod if it had to be written
  std::vector<uint32_t> rows_;
  std::vector<framework::ExtenderNode> asked_;  // in the order of rows_
  std::map<uint32_t, ExtenderRejection> rejections_;
  std::map<uint32_t, const std::string*> dropped_;
  std::map<std::string, uint32_t> foreign_;
  std::vector<ExtenderScores> scores_;
};

}  // namespace berth::cycle
