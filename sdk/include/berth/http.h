/* berth/http.h (since 1.2) - requests to servers other than the API server, and JSON texts. */
#ifndef BERTH_HTTP_H
#define BERTH_HTTP_H
#include "berth/api.h"
#ifdef __cplusplus
extern "C" {
#endif
#define BERTH_HTTP_INSECURE 1u /* flags: the server's certificate is not verified */
typedef struct berth_http_request {
  uint32_t size, flags;
  berth_str url;           /* http or https, host, port, path, and query: "http://prometheus:9090/api/v1/query?query=up" */
  berth_str authorization; /* the header of that name: "Bearer ..."; "": none. Never logged */
  int64_t timeout_ns;      /* > 0: without traffic in either direction */
} berth_http_request;
#define BERTH_SERVICE_HTTP "berth.host.http/1"
typedef struct berth_http {
  uint32_t size, rsv;
  /* [any] Sends GET with none of the scheduler's credentials. done as in berth_api.send; in the reply, reason is "", and
   * message is set with code 0 only. Redirects are not followed. A body of more than 64 MiB is an error. A host that has no
   * network, as in a simulation, replies with code 0. */
  void (*get)(const berth_host *host, const berth_http_request *request,
              void (*done)(void *ctx, const berth_api_reply *reply), void *ctx);
} berth_http;

#define BERTH_SERVICE_JSON "berth.host.json/1"
typedef struct berth_json {
  uint32_t size, rsv;
  /* [any] Parses a text and calls read with the document before it returns; the document lives until read returns, and the
   * service berth.host.value/1 reads it. Not 0: the text is no JSON, and read was not called. */
  int32_t (*parse)(const berth_host *host, berth_str text, void (*read)(void *ctx, const berth_value *document), void *ctx);
} berth_json;
#ifdef __cplusplus
}
#endif
#endif
