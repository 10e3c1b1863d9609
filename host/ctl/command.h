// The subcommands of berthctl. Each adds itself and its flags to the program and says what runs: 0 = done, 1 = the
// answer is no or something went wrong. Thread: main.
#pragma once

#include "flags/command.h"

namespace berth::ctl {

void AddConfigCommand(flags::Command& program);
void AddPardonCommand(flags::Command& plugin);
void AddPluginCommand(flags::Command& program);
void AddPluginValidateCommand(flags::Command& plugin);  // subcommands of plugin: validate, explain
void AddPluginNewCommand(flags::Command& plugin);       // of AddPluginCommand
void AddSimulateCommand(flags::Command& program);

}  // namespace berth::ctl
