#include "cluster/serve/pprof.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <optional>

#include "base/text.h"
#include "cluster/serve/query.h"
#include "telemetry/profile/code_symbols.h"
#include "telemetry/profile/cpu_profile.h"
#include "telemetry/profile/heap_text.h"
#include "telemetry/profile/thread_stacks.h"

namespace berth::serve {
namespace {

constexpr int64_t kDefaultSeconds = 30, kMostSeconds = 300;
constexpr size_t kMostSymbols = 100'000;  // of one request
constexpr const char* kPlain = "text/plain; charset=utf-8";

// Request.FormValue: the first value of that name; "": none.
std::string ValueOf(std::string_view query, std::string_view name) {
  for (auto& [key, value] : ParseQuery(query)) {
    if (key == name) return std::move(value);
  }
  return "";
}

std::optional<int64_t> WholeNumber(std::string_view text, int base = 10) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// serveError of net/http/pprof.
http::Answer Refusal(int status, const std::string& why) {
  http::Answer answer = PlainError(status, why);
  answer.headers.emplace_back("X-Go-Pprof", "1");
  return answer;
}

http::Answer Download(std::string body, const std::string& name) {
  http::Answer answer{200, "application/octet-stream", std::move(body), NoSniff()};
  answer.headers.emplace_back("Content-Disposition", "attachment; filename=\"" + name + "\"");
  return answer;
}

http::Answer TakeProfile(const http::Incoming& request, const std::stop_token& stop) {
  const int64_t asked = WholeNumber(ValueOf(request.query, "seconds")).value_or(0);
  const int64_t seconds = asked <= 0 ? kDefaultSeconds : asked;
  if (seconds > kMostSeconds) {
    return Refusal(400, "a profile takes at most " + std::to_string(kMostSeconds) + " seconds");
  }
  auto taken = profile::TakeCpuProfile(std::chrono::seconds(seconds), stop);
  if (!taken) return Refusal(500, "Could not enable CPU profiling: " + taken.error().message);
  return Download(std::move(*taken), "profile");
}

http::Answer TakeStacks(const http::Incoming& request) {
  const auto stacks = profile::TakeThreadStacks();
  if (!stacks) return Refusal(500, stacks.error().message);
  const int64_t debug = WholeNumber(ValueOf(request.query, "debug")).value_or(0);
  if (debug >= 2) return {200, kPlain, profile::FullText(*stacks), NoSniff()};
  if (debug == 1) return {200, kPlain, profile::CountedText(*stacks), NoSniff()};
  return Download(profile::CountedText(*stacks), "goroutine");
}

http::Answer ShowHeap(const http::Incoming& request) {
  if (WholeNumber(ValueOf(request.query, "debug")).value_or(0) > 0) {
    return {200, "text/xml; charset=utf-8", profile::HeapText(), NoSniff()};
  }
  return Refusal(501, "the allocator does not record who allocated memory; heap?debug=1 shows what it knows");
}

// The address at the start of `text`, as strconv.ParseUint with base 0 for hexadecimal and decimal numbers; 0: none.
uint64_t AddressOf(std::string_view text) {
  const bool hex = text.starts_with("0x") || text.starts_with("0X");
  if (hex) text.remove_prefix(2);
  uint64_t address = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), address, hex ? 16 : 10);
  return error == std::errc() && end == text.data() + text.size() ? address : 0;
}

// Symbol of net/http/pprof: "0x1234+0x5678" in the body of a POST, or in the query.
http::Answer NameSymbols(const http::Incoming& request) {
  std::string_view rest = request.method == "POST" ? request.body : request.query;
  profile::Symbols symbols;
  std::string out = "num_symbols: 1\n";
  for (size_t i = 0; !rest.empty() && i < kMostSymbols; ++i) {
    const std::string_view word = rest.substr(0, rest.find('+'));
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
    const uint64_t address = AddressOf(word);
    const std::string name = address == 0 ? "" : symbols.NameOf(address);
    if (name.empty()) continue;
    char hex[24];
    std::snprintf(hex, sizeof hex, "%#llx", static_cast<unsigned long long>(address));
    out += hex + (" " + name) + "\n";
  }
  return {200, kPlain, std::move(out), NoSniff()};
}

http::Answer ShowIndex() {
  static constexpr const char* kPages[][2] = {
      {"cmdline", "The command line invocation of the current program"},
      {"goroutine", "Stack traces of all current threads. Use debug=2 for one paragraph for each thread."},
      {"heap", "What the allocator says about the heap, with debug=1. There are no samples of allocations."},
      {"profile",
       "CPU profile. You can specify the duration in the seconds GET parameter. After you get the profile file, use "
       "the go tool pprof command to investigate the profile."},
      {"symbol",
       "Maps given program counters to function names. Counters can be specified in a GET raw query or POST body, "
       "multiple counters are separated by '+'."},
  };
  std::string out =
      "<html>\n<head>\n<title>/debug/pprof/</title>\n</head>\n<body>\n/debug/pprof/\n<br>\nProfiles:\n<ul>\n";
  for (const auto& [name, what] : kPages) {
    out += "<li><a href='" + std::string(name) + "?debug=1'>" + name + "</a>: " + what + "</li>\n";
  }
  out += "</ul>\n<a href=\"goroutine?debug=2\">full thread stack dump</a>\n</body>\n</html>\n";
  return {200, "text/html; charset=utf-8", std::move(out), NoSniff()};
}

// http.Redirect of Go.
http::Answer Redirect(const http::Incoming& request, const std::string& to) {
  http::Answer answer{.status = 302, .content_type = "text/html; charset=utf-8", .headers = {{"Location", to}}};
  if (request.method == "GET") answer.body = "<a href=\"" + to + "\">Found</a>.\n\n";
  return answer;
}

}  // namespace

bool IsDebug(std::string_view path) {
  const std::string decoded = DecodePath(path);
  return decoded == "/debug" || decoded.starts_with("/debug/");
}

bool IsSlow(std::string_view path) { return DecodePath(path) == "/debug/pprof/profile"; }

void AddPprof(Routes& routes, std::vector<std::string> command_line, std::stop_token stop) {
  const std::string root = "/debug/pprof/";
  const auto add = [&](const std::string& name, Handler handler) {
    routes.Add({.path = root + name, .listed = false, .handler = std::move(handler)});
  };
  routes.Add({.path = "/debug/pprof", .listed = false, .handler = [root](const http::Incoming& request) {
                return Redirect(request, root);
              }});
  routes.Add({.path = root, .prefix = true, .listed = false, .handler = [](const http::Incoming&) {
                return Refusal(404, "Unknown profile");
              }});
  add("", [](const http::Incoming&) { return ShowIndex(); });
  add("profile", [stop = std::move(stop)](const http::Incoming& request) { return TakeProfile(request, stop); });
  add("symbol", NameSymbols);
  add("goroutine", TakeStacks);
  add("heap", ShowHeap);
  add("trace", [](const http::Incoming&) {
    return Refusal(500, "Could not enable tracing: there is no execution trace of a C++ program");
  });
  std::string line;
  for (const std::string& argument : command_line)
    line += (&argument == command_line.data() ? "" : std::string(1, '\0')) + argument;
  add("cmdline", [line](const http::Incoming&) { return http::Answer{200, kPlain, line, NoSniff()}; });
}

}  // namespace berth::serve
