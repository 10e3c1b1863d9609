// The service table of berth/objects.h over the object store. Thread: as the table's tags say.
#pragma once

#include "plugin/instance/instance.h"
#include "plugin/instance/services.h"
#include "scheduler/objects/store.h"

namespace berth::framework {

void AddObjectServices(plugin::Services& services);  // uses ports.objects

// Calls ObjectChanged for a change of a kind that the instance needs, if it implements that. [serial]
void DeliverChange(plugin::Instance& instance, const objects::Change& change);
// The same for one object that is new.
void DeliverNew(plugin::Instance& instance, objects::KindId kind, const berth_object& object);

}  // namespace berth::framework
