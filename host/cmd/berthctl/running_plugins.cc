#include "cmd/berthctl/running_plugins.h"

#include <algorithm>
#include <array>
#include <iomanip>
#include <iostream>
#include <vector>

#include "codec/json/value.h"
#include "codec/text/harmless.h"

namespace berth::ctl {
namespace {

using Row = std::array<std::string, 6>;

int Failed(const std::string& why) {
  std::cerr << "berthctl: " << why << "\n";
  return 1;
}

std::string Member(const json::Value& plugin, std::string_view name) {
  const json::Value* value = plugin.Find(name);
  if (value == nullptr) return "";
  return value->is_int() ? std::to_string(value->integer()) : text::Harmless(value->string());
}

// "sha256:0123456789ab": enough to distinguish versions.
std::string ShortDigest(const std::string& digest) { return digest.substr(0, sizeof "sha256:" - 1 + 12); }

void Print(const std::vector<Row>& rows) {
  std::array<size_t, std::tuple_size_v<Row>> widths{};
  for (const Row& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const Row& row : rows) {
    for (size_t i = 0; i + 1 < row.size(); ++i) {
      std::cout << std::left << std::setw(static_cast<int>(widths[i]) + 2) << row[i];
    }
    std::cout << row.back() << "\n";
  }
}

}  // namespace

int ListRunning(const AdminConnection& scheduler, bool json) {
  static constexpr const char* kPath = "/admin/v1/plugins";
  const auto answer = Ask(scheduler, kPath);
  if (!answer) return Failed(answer.error().message);
  const json::Value* plugins = answer->value.Find("plugins");
  if (plugins == nullptr) return Failed(scheduler.name + kPath + " answered without a list of plugins");
  std::vector<Row> rows = {{"NAME", "VERSION", "DIGEST", "GENERATION", "STATE", "LIBRARY"}};
  bool all_active = true;
  for (const json::Value& plugin : plugins->array()) {
    rows.push_back({Member(plugin, "name"), Member(plugin, "version"), ShortDigest(Member(plugin, "digest")),
                    Member(plugin, "generation"), Member(plugin, "state"), Member(plugin, "library")});
    all_active = all_active && rows.back()[4] == "active";
  }
  if (json) {
    std::cout << answer->text;
  } else {
    Print(rows);
  }
  return all_active ? 0 : 1;
}

}  // namespace berth::ctl
