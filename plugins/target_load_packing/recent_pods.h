// The pods that came to a row so recently that its metrics do not show them, and the CPU that they are expected to use.
// Thread: serial; MissingOn also parallel. Source: pkg/trimaran/handler.go of kubernetes-sigs/scheduler-plugins.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plugins::target_load_packing {

class RecentPods {
 public:
  static constexpr int64_t kReportSeconds = 60;  // metrics show a pod that came earlier than this before their end

  // came: Unix seconds.
  void Add(uint32_t row, std::string_view uid, int64_t came, int64_t milli) {
    if (row >= rows_.size()) rows_.resize(size_t{row} + 1);
    rows_[row].pods.push_back({std::string(uid), came, milli});
    Sum(rows_[row]);
  }
  void Remove(uint32_t row, std::string_view uid) {
    if (row >= rows_.size()) return;
    std::erase_if(rows_[row].pods, [uid](const Recent& recent) { return recent.uid == uid; });
    Sum(rows_[row]);
  }
  // The node of the row is gone.
  void Clear(uint32_t row) {
    if (row < rows_.size()) rows_[row] = {};
  }
  void SetWindowEnd(int64_t unix_seconds) {
    window_end_ = unix_seconds;
    for (Row& row : rows_) Sum(row);
  }
  // Forgets the pods that came more than a minute before now.
  void Sweep(int64_t now) {
    for (Row& row : rows_) {
      std::erase_if(row.pods, [now](const Recent& recent) { return recent.came + kReportSeconds <= now; });
      Sum(row);
    }
  }
  int64_t MissingOn(uint32_t row) const { return row < rows_.size() ? rows_[row].missing : 0; }

 private:
  struct Recent {
    std::string uid;
    int64_t came, milli;
  };
  struct Row {
    std::vector<Recent> pods;
    int64_t missing = 0;
  };

  void Sum(Row& row) const {
    row.missing = 0;
    for (const Recent& recent : row.pods) {
      if (recent.came > window_end_ - kReportSeconds) row.missing += recent.milli;
    }
  }

  std::vector<Row> rows_;
  int64_t window_end_ = 0;
};

}  // namespace plugins::target_load_packing
