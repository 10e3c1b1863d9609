// The protobuf of an Event. Thread: any; a pure function.
#pragma once

#include <string>

#include "cluster/events/event_body.h"

namespace berth::events {

// As EventBody.
std::string EventMessage(const EventRecord& record, const std::string& reporting_instance, const std::string& name,
                         int count);

}  // namespace berth::events
