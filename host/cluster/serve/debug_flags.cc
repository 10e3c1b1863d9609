#include "cluster/serve/debug_flags.h"

#include <charconv>
#include <cstdint>
#include <limits>

#include "base/result.h"
#include "base/text.h"
#include "telemetry/log/log.h"

namespace berth::serve {
namespace {

constexpr const char* kIndex =
    "<html>\n<head>\n<title>/debug/flags/</title>\n</head>\n<body>\n/debug/flags/<br>\n<br>\nflags:<br>\n<table>\n"
    "<tr>v<br>\n</table>\n<br>\nfull flags configurable<br>\n</body>\n</html>\n";

http::Answer FlagText(int status, const std::string& text) { return {status, "text/plain", text + "\n", NoSniff()}; }

// strconv.ParseUint(text, 10, 32).
base::Result<uint32_t> ParseUint32(std::string_view text) {
  uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = end == text.data() + text.size();
  if (whole && error == std::errc()) return number;
  return base::Fail("strconv.ParseUint: parsing " + base::Quoted(text) + ": " +
                    (whole && error == std::errc::result_out_of_range ? "value out of range" : "invalid syntax"));
}

http::Answer PutVerbosity(const std::string& body) {
  const auto verbosity = ParseUint32(body);
  if (!verbosity) return FlagText(400, verbosity.error().message);
  if (*verbosity > static_cast<uint32_t>(std::numeric_limits<int32_t>::max())) {
    return FlagText(400, "failed set klog.logging.verbosity " + body + ": strconv.ParseInt: parsing " +
                             base::Quoted(body) + ": value out of range");
  }
  log::SetVerbosity(static_cast<int>(*verbosity));
  return FlagText(200, "successfully set klog.logging.verbosity to " + body);
}

http::Answer ServeVerbosity(const http::Incoming& request) {
  return request.method == "PUT" ? PutVerbosity(request.body) : FlagText(406, "unsupported http method");
}

}  // namespace

void AddDebugFlags(Routes& routes) {
  const auto index = [](const http::Incoming&) { return http::Answer{200, "text/html; charset=utf-8", kIndex}; };
  routes.Add({.path = "/debug/flags", .listed = false, .handler = index});
  routes.Add({.path = "/debug/flags/", .prefix = true, .listed = false, .handler = index});
  routes.Add({.path = "/debug/flags/v", .listed = false, .handler = ServeVerbosity});
}

}  // namespace berth::serve
