// The checks of the verdict of a Filter plugin for one row. Thread: scheduling thread.
#pragma once

#include <cstdint>
#include <string>

#include "api/node.h"
#include "plugin/instance/instance.h"
#include "plugin/instance/reasons.h"
#include "plugin/instance/status.h"

namespace berth::framework {

// The plugin that rejected a row, and its verdict.
struct Rejection {
  plugin::Instance* plugin = nullptr;  // null if the row was not rejected
  berth_verdict verdict{};
};

// The error that ends the attempt: `running "PL" filter plugin: text`.
plugin::Status FilterError(const plugin::Instance& plugin, std::string text);

// Checks the code and the reason list of a verdict that is not SUCCESS. An invalid verdict is a fault of the plugin.
plugin::Status CheckVerdict(plugin::Instance& plugin, const api::Node& node, const berth_verdict& verdict,
                            const plugin::ReasonTable& reasons);

// The error that ends the attempt after the verdict ERROR.
plugin::Status RowError(const plugin::Instance& plugin, const api::Node& node, const berth_verdict& verdict,
                        const plugin::ReasonTable& reasons);

// The fault of a plugin whose kept result differs from that of a new call.
plugin::Status DiffersFromKept(plugin::Instance& plugin, const char* what, const api::Node& node);
bool SameVerdict(const berth_verdict& a, const berth_verdict& b, const plugin::ReasonTable& reasons);

}  // namespace berth::framework
