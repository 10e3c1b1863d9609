// The subcommands of berthctl. Each function adds a command with its flags and the function to run. Exit codes: 0:
// done; 1: the answer is negative, or an error. Thread: main.
#pragma once

#include "config/flags/command.h"

namespace berth::ctl {

void AddConfigCommand(flags::Command& program);
void AddPardonCommand(flags::Command& plugin);
void AddPluginCommand(flags::Command& program);
void AddPluginValidateCommand(flags::Command& plugin);  // subcommands of plugin: validate, explain
void AddPluginNewCommand(flags::Command& plugin);       // of AddPluginCommand
void AddPolicyCommand(flags::Command& program);         // its exit codes differ: see there
void AddSimulateCommand(flags::Command& program);
void AddWhyCommand(flags::Command& program);

}  // namespace berth::ctl
