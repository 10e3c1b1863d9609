// From a request as Boost.Beast parsed it to Incoming. For the session only. Thread: any; pure.
#pragma once

#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>

#include "client/http/incoming.h"

namespace berth::http {

// Moves the body out of the request. The fields of the connection stay as they are.
Incoming IncomingOf(boost::beast::http::request<boost::beast::http::string_body>& request);

// value without line breaks, which would start another header. Source: Go net/http headerNewlineToSpace.
std::string HeaderValue(std::string value);

}  // namespace berth::http
