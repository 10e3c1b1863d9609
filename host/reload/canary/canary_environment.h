// The environment of the child process: what the language and the machine need, and no tokens, proxies or paths of
// credentials. Thread: any that sets no variables meanwhile.
#pragma once

#include <string>
#include <vector>

namespace berth::canary {

// "NAME=value" of this process's variables that are passed on: PATH, LANG, LC_*, TZ, what the dynamic linker and the
// allocator read, options of sanitizers; and those that others names.
std::vector<std::string> ScrubbedEnvironment(const std::vector<std::string>& others = {});

}  // namespace berth::canary
