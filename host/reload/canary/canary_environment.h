// The environment of the child process: variables for the language and the machine, and no tokens, proxies or paths of
// credentials. Thread: any, while no thread sets variables.
#pragma once

#include <string>
#include <vector>

namespace berth::canary {

// "NAME=value" of this process's variables that are passed on: PATH, LANG, LC_*, TZ, those of the dynamic linker, the
// allocator, and the sanitizers; and those whose names are in `others`.
std::vector<std::string> ScrubbedEnvironment(const std::vector<std::string>& others = {});

}  // namespace berth::canary
