// The name of this machine. Thread: any.
#pragma once

#include <string>

namespace berth::os {

// "localhost" if the system has none.
std::string Hostname();

}  // namespace berth::os
