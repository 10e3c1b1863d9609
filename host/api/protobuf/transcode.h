// Objects of built-in kinds from protobuf to JSON, so that the readers of JSON stay the only ones of most kinds.
// Thread: any.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "api/protobuf/message_types.h"
#include "base/result.h"

namespace berth::protobuf {

// The text of a larger object is an error. etcd holds 1.5 MiB, and JSON of an object is at most some times as long.
inline constexpr size_t kMaxJsonBytes = size_t{64} << 20;

// The JSON that the API server gives for the same object, in another order of fields, always with apiVersion and kind,
// and without metadata.managedFields. message: without an envelope. Fields that message_types.inc does not know are
// left out. The error names the field.
base::Result<std::string> ToJson(const KindType& kind, std::string_view message);

}  // namespace berth::protobuf
