// What clientConnection says about encodings. Thread: any; a pure function. Source: k8s.io/client-go/rest/request.go
// NewRequest (the header Accept) and Body.
#pragma once

#include "client/requests/encoding.h"
#include "config/configuration/configuration.h"

namespace berth {

requests::Encodings EncodingsOf(const config::ClientConnection& client);

}  // namespace berth
