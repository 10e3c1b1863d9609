// The service table of berth/draft/objects.h over the object store. Added to plugin::Services by whoever owns the
// store. Thread: as the table's tags say.
#pragma once

#include "objects/store.h"
#include "plugin/instance.h"
#include "plugin/services.h"

namespace berth::framework {

// store must outlive every instance that services serves, but for its last call.
void AddObjectServices(plugin::Services& services, objects::ObjectStore& store);

// Tells the instance of a change of a kind it needs; without the point nothing happens. [serial]
void TellChange(plugin::Instance& instance, const objects::Change& change);
// ... and of one object as new.
void TellNew(plugin::Instance& instance, objects::KindId kind, const berth_object& object);

}  // namespace berth::framework
