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
  // A pod that came at least this long before the end of the measured time is in the metrics.
  static constexpr int64_t kReportSeconds = 60;

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
  // The node of the row was deleted.
  void Clear(uint32_t row) {
    if (row < rows_.size()) rows_[row] = {};
  }
  // The end of the time that the metrics of the row are about.
  void SetWindowEnd(uint32_t row, int64_t unix_seconds) {
    if (row >= rows_.size()) rows_.resize(size_t{row} + 1);
    rows_[row].window_end = unix_seconds;
    Sum(rows_[row]);
  }
  // Drops the pods that came more than a minute ago. False: there was none.
  bool Sweep(uint32_t row, int64_t now) {
    if (row >= rows_.size()) return false;
    const auto old = [now](const Recent& recent) { return recent.came + kReportSeconds <= now; };
    if (std::erase_if(rows_[row].pods, old) == 0) return false;
    Sum(rows_[row]);
    return true;
  }
  int64_t MissingOn(uint32_t row) const { return row < rows_.size() ? rows_[row].missing : 0; }

 private:
  struct Recent {
    std::string uid;
    int64_t came, milli;
  };
  struct Row {
    std::vector<Recent> pods;
    int64_t missing = 0, window_end = 0;
  };

  static void Sum(Row& row) {
    row.missing = 0;
    for (const Recent& recent : row.pods) {
      if (recent.came + kReportSeconds > row.window_end) row.missing += recent.milli;
    }
  }

  std::vector<Row> rows_;
};

}  // namespace plugins::target_load_packing
