// Results that the host keeps although they depend on data of the plugin, such as a measured load. Name
// BERTH_SERVICE_KEPT in kNeeds, and declare in kScoreReuse or kFilterReuse what the results depend on besides. Make a
// KeptResults in the plugin's constructor and keep it.
//   void Take(uint32_t row, double load) { loads_[row] = load, kept_.RowChanged(row); }
#pragma once

#include <cstdint>

#include "berth/detail/services.hpp"
#include "berth/host.hpp"
#include "berth/kept.h"

namespace berth::sdk {

class KeptResults {
 public:
  explicit KeptResults(const Host& host)
      : host_(host.raw()), table_(detail::CopyTable<berth_kept>(host.raw()->service(host.raw(), BERTH_SERVICE_KEPT))) {
    detail::Patch<"berth.host.kept/1: row_changed">(table_, &berth_kept::row_changed);
    detail::Patch<"berth.host.kept/1: all_changed">(table_, &berth_kept::all_changed);
  }

  // [serial] The plugin's data about the row has changed: the host calls the plugin again for it.
  void RowChanged(uint32_t row) const { table_.row_changed(host_, row); }
  // [serial] The plugin's data about every row has changed.
  void AllChanged() const { table_.all_changed(host_); }

 private:
  const berth_host* host_;
  berth_kept table_;
};

}  // namespace berth::sdk
