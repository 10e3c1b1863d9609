// Receives the objects of one kind from a reflector. Implementations decode them and pass them to the scheduling
// thread's inbox. Thread: changing ones, one call at a time; see reflector.h. Texts are valid during the call.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/text_hash.h"

namespace berth::reflector {

class ObjectFeed {
 public:
  virtual ~ObjectFeed() = default;
  struct Seen {
    std::string key;  // "namespace/name"; the name if it has no namespace
    std::string resource_version;
  };
  // Adds or replaces an object. The error names the object and the field; the previous version then stays.
  virtual base::Result<Seen> Set(std::string_view json) = 0;
  // The same with an object in protobuf, without an envelope. Only a feed that decodes protobuf itself overrides both;
  // the others get the JSON of the object.
  virtual bool decodes_protobuf() const { return false; }
  virtual base::Result<Seen> SetProtobuf(std::string_view) { return base::Fail("protobuf is not decoded"); }
  // The object was deleted.
  virtual void Gone(const std::string& key) = 0;
  // A list is complete: Set was called for all its objects. present: the keys of the list, for removing objects of an
  // earlier list; null for the first list.
  virtual void Listed(std::shared_ptr<const base::TextSet> present) = 0;
};

}  // namespace berth::reflector
