// The service table of berth/trial.h. The handle of a trial is its cycle, which refers to the Trial.
#include "berth/trial.h"

#include <exception>

#include "plugin/instance/instance.h"
#include "scheduler/framework/preemption_services.h"
#include "scheduler/framework/trial.h"

namespace berth::framework {
namespace {

// Runs fn(trial) -> Status and converts the status. A closed trial returns ERROR.
template <class Fn>
berth_status Do(berth_cycle* handle, Fn&& fn) noexcept {
  const plugin::HostTime host;  // other plugins run here, with their own deadlines
  Trial& trial = *handle->trial;
  try {
    if (!trial.open()) {
      trial.error() = "the trial is closed";
      return BERTH_ERROR;
    }
    plugin::Status status = fn(trial);
    if (status.ok()) return BERTH_SUCCESS;
    trial.error() = status.Message();
    plugin::BlameHost();  // the trial has recorded the fault of the plugin that failed
  } catch (const std::exception& e) {
    trial.error() = e.what();
  }
  return BERTH_ERROR;
}

berth_cycle* Open(const berth_host*, berth_cycle* cycle, uint32_t row) {
  if (cycle->trials == nullptr) return nullptr;
  const plugin::HostTime host;
  Trial* trial = cycle->trials->Open(row);
  return trial == nullptr ? nullptr : trial->cycle();
}

berth_status Remove(berth_cycle* handle, const berth_pod* pod) {
  return Do(handle, [pod](Trial& trial) { return trial.Remove(*pod); });
}

berth_status Add(berth_cycle* handle, const berth_pod* pod) {
  return Do(handle, [pod](Trial& trial) { return trial.Add(*pod); });
}

berth_status Filter(berth_cycle* handle, berth_verdict* out, berth_id* plugin) {
  return Do(handle, [&](Trial& trial) {
    Rejection rejection;
    plugin::Status status = trial.RunFilterPluginsWithNominatedPods(rejection);
    *out = rejection.verdict;
    *plugin = rejection.plugin == nullptr ? base::kNoId : rejection.plugin->name_id();
    return status;
  });
}

berth_status TurnTo(berth_cycle* handle, uint32_t row) {
  return Do(handle, [row](Trial& trial) { return trial.TurnTo(row); });
}

berth_str Error(const berth_cycle* handle) {
  const std::string& text = handle->trial->error();
  return {text.data(), text.size()};
}

void Close(berth_cycle* handle) {
  const plugin::HostTime host;
  handle->trial->Close();
}

}  // namespace

void AddTrialService(plugin::Services& services) {
  static const berth_trials table{sizeof table, 0, Open, Remove, Add, Filter, Error, Close, TurnTo};
  services.Add(BERTH_SERVICE_TRIAL, &table);
}

}  // namespace berth::framework
