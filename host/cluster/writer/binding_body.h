// The body of a POST to pods/NAME/binding, a v1.Binding. Thread: any; a pure function.
#pragma once

#include <string>

#include "api/protobuf/write_binding.h"
#include "client/requests/encoding.h"

namespace berth::writer {

std::string BindingBody(requests::Encoding encoding, const protobuf::BindingFields& binding);

}  // namespace berth::writer
