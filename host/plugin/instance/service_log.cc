// berth.host.log/1: lines of plugins go to the log of the host.
#include <vector>

#include "api/text_view.h"
#include "plugin/instance/running_call.h"
#include "plugin/instance/services.h"
#include "telemetry/log/log.h"

namespace berth::plugin {
namespace {

using api::View;

int32_t Enabled(const berth_host*, int32_t v) { return log::LogEnabled(v, std::string_view("plugin")) ? 1 : 0; }

void Line(const berth_host*, int32_t severity, int32_t v, berth_str file, int32_t line, berth_str msg,
          const berth_str* keys, const berth_str* vals, uint32_t n) {
  log::Severity level = log::Severity::kInfo;
  if (severity == BERTH_LOG_WARNING) level = log::Severity::kWarning;
  if (severity == BERTH_LOG_ERROR) level = log::Severity::kError;
  if (level == log::Severity::kInfo && !log::LogEnabled(v, View(file))) return;
  const HostTime host;  // standard error may be slow
  std::vector<log::Pair> pairs;
  pairs.reserve(n);
  for (uint32_t i = 0; i < n; ++i) pairs.push_back({View(keys[i]), View(vals[i])});
  log::Log(level, v, View(file), line, View(msg), pairs);
}

}  // namespace

const berth_log* LogService() {
  static const berth_log table{sizeof table, 0, Enabled, Line};
  return &table;
}

}  // namespace berth::plugin
