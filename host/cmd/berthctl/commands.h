// The subcommands of berthctl. Each function adds a command with its flags and the function to run. Exit codes: 0:
// done; 1: the answer is negative, or an error. Thread: main.
#pragma once

#include "config/flags/command.h"

namespace berth::ctl {

void AddConfigCommand(flags::Command& program);
void AddPardonCommand(flags::Command& plugin);
// kubectl_plugin: the program runs as a plugin of kubectl; the scheduler of the user's cluster is the default.
void AddPluginCommand(flags::Command& program, bool kubectl_plugin);
void AddPluginValidateCommand(flags::Command& plugin);                // subcommands of plugin: validate, explain
void AddPluginNewCommand(flags::Command& plugin);                     // of AddPluginCommand
void AddPolicyCommand(flags::Command& program, bool kubectl_plugin);  // its exit codes differ: see there
void AddSimulateCommand(flags::Command& program);
void AddWhyCommand(flags::Command& program, bool kubectl_plugin);

}  // namespace berth::ctl
