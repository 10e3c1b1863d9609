// Objects and lists of the API server in either encoding. Thread: any.
#pragma once

#include <functional>

#include "api/json_items.h"
#include "base/result.h"
#include "client/http/transport.h"
#include "client/requests/encoding.h"

namespace berth::reflector {

api::ObjectIdentity IdentityOf(requests::Encoded object);
// The body of a reply. An envelope of protobuf is one whatever the reply says about its content.
requests::Encoded BodyOf(const http::Reply& reply);
// Of a list; empty texts if it is none.
api::ListMetadata MetadataOf(requests::Encoded body);
// Calls `item` for every element of a list. The error is that of `item`, names what is malformed, or says that the body
// is no list; items before it have been passed on.
base::Result<api::ListMetadata> ForEachItem(requests::Encoded body,
                                            const std::function<base::Result<void>(requests::Encoded)>& item);

}  // namespace berth::reflector
