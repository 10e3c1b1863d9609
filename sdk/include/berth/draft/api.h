/* berth/draft/api.h - DRAFT: requests to the API server that no other service makes, and Events. */
#ifndef BERTH_DRAFT_API_H
#define BERTH_DRAFT_API_H
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
  int32_t code;      /* HTTP status; 0 = there was no answer, and the request may or may not have been carried out */
  berth_str body;    /* the answer's JSON; with code 0 the error */
  berth_str reason;  /* of a refusal (code below 200 or from 300): "NotFound", "Conflict", ...; "" when unknown */
  berth_str message; /* of a refusal: the server's words, as client-go's errors have them; with code 0 the error */
} berth_api_reply;
#define BERTH_SERVICE_API "berth.host.api/1"
typedef struct berth_api {
  uint32_t size, rsv;
  /* [any] Queued under clientConnection's rate; what the server turns away with Retry-After is sent again. done is called
   * exactly once, [any], never before send returns, and must not block; *reply lives until it returns. Also, with code 0,
   * when the host ends, and when the instance ends or is quarantined first: after deactivate and before destroy, or, of
   * a request that was made later than that, within send. */
  void (*send)(const berth_host *host, const berth_api_request *request,
               void (*done)(void *ctx, const berth_api_reply *reply), void *ctx);
  /* [any] An events.k8s.io/v1 Event about a pod; related may be NULL. type: "Normal" or "Warning". Both pods are the
   * host's. A note of more than 1024 bytes is cut. Never blocks. */
  void (*event)(const berth_host *host, const berth_pod *regarding, const berth_pod *related, berth_str type,
                berth_str reason, berth_str action, berth_str note);
  /* [any] A pod that the host showed stays as it is now, and readable, until drop_pod or destroy: for what is said of it
   * when a request has been answered. Counted. */
  void (*keep_pod)(const berth_host *host, const berth_pod *pod);
  void (*drop_pod)(const berth_host *host, const berth_pod *pod); /* [any] gives one keep_pod back */
} berth_api;
#ifdef __cplusplus
}
#endif
#endif
