// What the host looks at in a Filter plugin's answer about one row, wherever it asked: in the pass over all rows, with
// nominated pods, in a trial. Thread: scheduling thread.
#pragma once

#include <cstdint>
#include <string>

#include "api/node.h"
#include "plugin/instance.h"
#include "plugin/reasons.h"
#include "plugin/status.h"

namespace berth::framework {

// Who rejected a row, and how.
struct Rejection {
  plugin::Instance* plugin = nullptr;  // nullptr: nobody did
  berth_verdict verdict{};
};

// `running "PL" filter plugin: why`, which ends the attempt.
plugin::Status FilterError(const plugin::Instance& plugin, std::string text);

// A verdict that is not SUCCESS: does its code exist, were its reasons handed out? Otherwise the plugin's fault.
plugin::Status CheckVerdict(plugin::Instance& plugin, const api::Node& node, const berth_verdict& verdict,
                            const plugin::ReasonTable& reasons);

// The attempt's end when a row got ERROR.
plugin::Status RowError(const plugin::Instance& plugin, const api::Node& node, const berth_verdict& verdict,
                        const plugin::ReasonTable& reasons);

// An answer that was to be the same as before is not.
plugin::Status DiffersFromKept(plugin::Instance& plugin, const char* what, const api::Node& node);
bool SameVerdict(const berth_verdict& a, const berth_verdict& b, const plugin::ReasonTable& reasons);

}  // namespace berth::framework
