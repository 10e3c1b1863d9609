// A plugin that crashes ends a command of berthctl with a sentence that names the plugin. Thread: main.
#pragma once

namespace berth::ctl {

// From now on, a fatal signal inside a call into a plugin writes one line to standard error, and the program ends with
// exit code 1. Outside of calls, a fatal signal has its default effect. It cannot be undone. Do not use it for `plugin
// validate`, whose child processes have their own handlers.
void NamePluginCrashes();

}  // namespace berth::ctl
