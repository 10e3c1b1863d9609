// The TLS options of the connections to an extender. Source: makeTransport in pkg/scheduler/extender.go;
// k8s.io/client-go/transport. Thread: any.
#pragma once

#include <string>

#include "base/result.h"
#include "client/http/tls_options.h"
#include "config/configuration/configuration.h"

namespace berth::extender {

// Reads the authorities and the data now; if certificate and key are both files, every connection reads them again.
// enableHTTPS without authorities turns verification off. path: "extenders[0]", for errors:
//   extenders[0].tlsConfig.caFile: open /x: no such file or directory
base::Result<http::TlsOptions> TlsOf(const config::Extender& extender, const std::string& path);

}  // namespace berth::extender
