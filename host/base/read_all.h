// Thread: any.
#pragma once

#include <istream>
#include <string>

namespace berth::base {

// The rest of a stream, read in blocks; nothing if the stream has failed before. Afterwards the stream is at its end,
// or, after a read error, bad().
std::string ReadAll(std::istream& in);

}  // namespace berth::base
