// Thread: any; a pure function.
#pragma once

#include <cstdint>
#include <string>

namespace berth::bind {

// Go's time.Duration.String for whole milliseconds: "10s", "1m0s", "1.5s", "250ms".
std::string GoDuration(int64_t ns);

}  // namespace berth::bind
