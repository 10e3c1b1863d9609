// The TLS of an extender's connections, as client-go makes it of tlsConfig. Source: makeTransport in
// pkg/scheduler/extender.go, k8s.io/client-go/transport. Thread: any.
#pragma once

#include <string>

#include "base/result.h"
#include "config/configuration.h"
#include "http/tls_options.h"

namespace berth::extender {

// Authorities and data are read now; a certificate and key that are both files are read anew for each connection.
// enableHTTPS without authorities means that nothing is verified. path: "extenders[0]", for errors:
//   extenders[0].tlsConfig.caFile: open /x: no such file or directory
base::Result<http::TlsOptions> TlsOf(const config::Extender& extender, const std::string& path);

}  // namespace berth::extender
