#include "cluster/serve/statusz.h"

#include <time.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <set>

#include "base/text.h"
#include "cluster/serve/delimiter.h"
#include "cluster/serve/zpage.h"
#include "codec/text/rfc3339.h"

namespace berth::serve {
namespace {

// aggregatePaths in statusz.go: the first part of each path, once.
std::vector<std::string> Folders(const std::vector<std::string>& paths) {
  static const std::set<std::string> kNotForDebugging{"/apis", "/api", "/openid", "/openapi", "/.well-known"};
  std::set<std::string> folders;
  for (const std::string& path : paths) {
    const std::string folder = path.substr(0, path.find('/', 1));
    if (folder.size() > 1 && folder[0] == '/' && kNotForDebugging.count(folder) == 0) folders.insert(folder);
  }
  return {folders.begin(), folders.end()};
}

// Go's time.UnixDate in the local time zone: "Mon Jan  2 15:04:05 MST 2006".
std::string UnixDate(int64_t unix_seconds) {
  const time_t when = unix_seconds;
  tm local{};
  localtime_r(&when, &local);
  char text[64];
  return {text, strftime(text, sizeof text, "%a %b %e %H:%M:%S %Z %Y", &local)};
}

std::string Uptime(int64_t seconds) {
  char text[64];
  std::snprintf(text, sizeof text, "%lld hr %02d min %02d sec", static_cast<long long>(seconds / 3600),
                static_cast<int>(seconds / 60 % 60), static_cast<int>(seconds % 60));
  return text;
}

std::string StatusText(const Status& status, int64_t up, const std::vector<std::string>& folders) {
  const std::string to = Delimiter() + " ";
  std::string out = "\nStarted" + to + UnixDate(status.start_unix_seconds) + "\nUp" + to + Uptime(up) + "\nGo version" +
                    to + status.go_version + "\nBinary version" + to + status.binary_version + "\n";
  if (!status.emulation_version.empty()) out += "Emulation version" + to + status.emulation_version;
  out += "\n";
  if (!folders.empty()) out += "Paths" + to + base::Join(folders, " ");
  return out + "\n";
}

json::Object StatusFields(const Status& status, int64_t up, const std::vector<std::string>& folders) {
  json::Object fields{{"startTime", text::UnixTimeText(status.start_unix_seconds)},
                      {"uptimeSeconds", up},
                      {"goVersion", status.go_version},
                      {"binaryVersion", status.binary_version}};
  if (!status.emulation_version.empty()) fields.emplace_back("emulationVersion", status.emulation_version);
  json::Array list;
  for (const std::string& folder : folders) list.emplace_back(folder);
  fields.emplace_back("paths", json::Value(std::move(list)));
  return fields;
}

}  // namespace

Route StatuszRoute(Status status, std::function<std::vector<std::string>()> paths,
                   std::function<int64_t()> now_unix_seconds) {
  const auto up = [start = status.start_unix_seconds, now = std::move(now_unix_seconds)] {
    return std::max<int64_t>(now() - start, 0);
  };
  const auto page = std::make_shared<const Zpage>(
      "statusz", "Statusz", [status, up, paths] { return StatusText(status, up(), Folders(paths())); },
      [status, up, paths] { return StatusFields(status, up(), Folders(paths())); });
  // Upstream registers the page after it has asked for the paths, so that the page is not among them.
  return {.path = "/statusz", .listed = false, .handler = [page](const http::Incoming& request) {
            return page->Get(request);
          }};
}

}  // namespace berth::serve
