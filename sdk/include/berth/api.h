/* berth/api.h (since 1.1) - requests to the API server that no other service makes, and Events. */
#ifndef BERTH_API_H
#define BERTH_API_H
#include "berth/host.h"
#ifdef __cplusplus
extern "C" {
#endif
typedef struct berth_api_request {
  uint32_t size, rsv;
  berth_str verb; /* "GET" "POST" "PUT" "PATCH" "DELETE" */
  berth_str group, version, resource, ns, name, subresource; /* "" where there is none */
  berth_str content_type; /* of body: "application/json", "application/strategic-merge-patch+json", ... */
  berth_str body;         /* JSON, or "" */
} berth_api_request;
typedef struct berth_api_reply {
  uint32_t size;
  int32_t code;      /* HTTP status; 0 = there was no answer; the server may have carried out the request */
  berth_str body;    /* the answer's JSON; with code 0 the error */
  berth_str reason;  /* of a refusal (code below 200 or from 300): "NotFound", "Conflict", ...; "" if unknown */
  berth_str message; /* of a refusal: the server's message, as in client-go's errors; with code 0 the error */
} berth_api_reply;
#define BERTH_SERVICE_API "berth.host.api/1"
typedef struct berth_api {
  uint32_t size, rsv;
  /* [any] The host queues the request under clientConnection's rate and sends it again if the server answers with
   * Retry-After. It calls done exactly once, [any], never before send returns; *reply lives until done returns. done must
   * not block. If the host ends, or the instance ends or is quarantined first, done gets code 0: after deactivate and
   * before destroy or, for a later request, within send. */
  void (*send)(const berth_host *host, const berth_api_request *request,
               void (*done)(void *ctx, const berth_api_reply *reply), void *ctx);
  /* [any] An events.k8s.io/v1 Event about a pod; related may be NULL. type: "Normal" or "Warning". Both pods are the
   * host's. A note of more than 1024 bytes is cut. Never blocks. */
  void (*event)(const berth_host *host, const berth_pod *regarding, const berth_pod *related, berth_str type,
                berth_str reason, berth_str action, berth_str note);
  /* [any] Keeps a pod of the host readable, as it is now, until drop_pod or destroy: for use when the reply to a request
   * arrives. Counted. */
  void (*keep_pod)(const berth_host *host, const berth_pod *pod);
  void (*drop_pod)(const berth_host *host, const berth_pod *pod); /* [any] undoes one keep_pod */
} berth_api;
#ifdef __cplusplus
}
#endif
#endif
