// Result<T>: a value or an Error, for faults of the infrastructure (files, input, libraries). Verdicts of plugins are
// not Results: they are framework::Status. The only includer of tl::expected. Thread: any; values own their content.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace berth::base {

struct Error {
  std::string message;  // complete sentence for a person; names the file, object or field
};

template <class T>
using Result = tl::expected<T, Error>;

// return Fail("cannot open " + path);
inline tl::unexpected<Error> Fail(std::string message) { return tl::unexpected<Error>(Error{std::move(message)}); }

}  // namespace berth::base
