// The check of an id that a plugin passes in, before the host keeps the id. Thread: any.
#pragma once

#include "base/intern.h"

namespace berth::plugin {

// Whether the id is "absent", or has a text.
inline bool IsKnownId(const base::InternTable& ids, base::Id id) {
  return id <= base::kEmptyId || !ids.Text(id).empty();
}

}  // namespace berth::plugin
