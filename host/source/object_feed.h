// What a reflector tells of one kind of object. Implementations decode and pass on to the scheduling thread's inbox.
// Thread: a thread of the transport or the reflector's own, one call at a time. Texts live until the return.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>

#include "base/result.h"

namespace berth::source {

using KeySet = std::unordered_set<std::string>;

class ObjectFeed {
 public:
  virtual ~ObjectFeed() = default;
  struct Seen {
    std::string key;  // "namespace/name", or the name of what has no namespace
    std::string resource_version;
  };
  // The object is as json says. The error names object and field; the object is then left as it was.
  virtual base::Result<Seen> Set(std::string_view json) = 0;
  // The object is gone.
  virtual void Gone(const std::string& key) = 0;
  // Everything that there was has been told. present: the keys of it, when an earlier list may have told more; null
  // after the first.
  virtual void Listed(std::shared_ptr<const KeySet> present) = 0;
};

}  // namespace berth::source
