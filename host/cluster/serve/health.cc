#include "cluster/serve/health.h"

#include <set>

#include "base/text.h"
#include "cluster/serve/query.h"
#include "cluster/serve/routes.h"
#include "telemetry/log/log.h"

namespace berth::serve {
namespace {

struct Wishes {
  bool verbose = false;
  std::set<std::string> excluded;
};

Wishes WishesOf(std::string_view query) {
  Wishes wishes;
  for (auto& [key, value] : ParseQuery(query)) {
    wishes.verbose = wishes.verbose || key == "verbose";
    if (key == "exclude") wishes.excluded.insert(std::move(value));
  }
  return wishes;
}

std::string CannotExclude(const std::set<std::string>& names) {
  std::vector<std::string> quoted;
  for (const std::string& name : names) quoted.push_back(base::Quoted(name));
  return "warn: some health checks cannot be excluded: no matches for " + base::Join(quoted, ",") + "\n";
}

}  // namespace

Check Ping() {
  return {"ping", [] { return std::optional<std::string>(); }};
}

Health::Health(std::string name, std::vector<Check> checks, metrics::HealthMetrics* metrics)
    : name_(std::move(name)), checks_(std::move(checks)), metrics_(metrics) {
  if (checks_.empty()) checks_.push_back(Ping());
}

std::optional<std::string> Health::Run(const Check& check) const {
  auto wrong = check.run();
  if (metrics_ != nullptr) metrics_->Checked(check.name, name_, !wrong);
  return wrong;
}

http::Answer Health::All(std::string_view query) const {
  const Wishes wishes = WishesOf(query);
  std::set<std::string> unknown = wishes.excluded;
  std::string lines, reasons;
  std::vector<std::string> failed;
  for (const Check& check : checks_) {
    if (wishes.excluded.count(check.name) > 0) {
      unknown.erase(check.name);
      lines += "[+]" + check.name + " excluded: ok\n";
    } else if (const auto wrong = Run(check)) {
      failed.push_back(check.name);
      lines += "[-]" + check.name + " failed: " + (check.shows_error ? *wrong : "reason withheld") + "\n";
      reasons += "\n[-]" + check.name + " failed: " + *wrong;
    } else {
      const std::string note = check.note ? check.note() : "";
      lines += "[+]" + check.name + " ok" + (note.empty() ? "" : ": " + note) + "\n";
    }
  }
  if (!unknown.empty()) lines += CannotExclude(unknown);
  if (!failed.empty()) {
    log::V(2, base::Join(failed, ",") + " check failed: " + name_ + reasons);
    return PlainError(500, lines + name_ + " check failed");
  }
  return {.body = wishes.verbose ? lines + name_ + " check passed\n" : "ok", .headers = NoSniff()};
}

std::optional<http::Answer> Health::One(std::string_view wanted) const {
  for (const Check& check : checks_) {
    if (check.name != wanted) continue;
    const auto wrong = check.run();  // upstream counts the checks of All only
    if (wrong) return PlainError(500, "internal server error: " + *wrong);
    return http::Answer{.body = "ok"};
  }
  return std::nullopt;
}

std::vector<std::string> Health::CheckNames() const {
  std::vector<std::string> names;
  for (const Check& check : checks_) names.push_back(check.name);
  return names;
}

}  // namespace berth::serve
