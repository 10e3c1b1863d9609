/* berth/matching.h (since 1.1) - label selectors over interned labels. */
#ifndef BERTH_MATCHING_H
#define BERTH_MATCHING_H
#include "berth/host.h"
#ifdef __cplusplus
extern "C" {
#endif
#define BERTH_SERVICE_MATCHING "berth.host.matching/1"
typedef struct berth_matching { /* source of the rules: k8s.io/apimachinery/pkg/labels */
  uint32_t size, rsv;
  /* [parallel] 1 = the labels match. A nil selector, or one with an error, matches nothing. */
  int32_t (*match)(const berth_selector *selector, const berth_labels *labels);
  /* [parallel] Why the selector does not compile, as LabelSelectorAsSelector says; "" = it compiles. Lives until the
   * calling thread's next use of this function. */
  berth_str (*error)(const berth_host *host, const berth_selector *selector);
  /* [serial] [background] Compiles a selector of a document: {matchLabels, matchExpressions}; NULL or null: a nil one.
   * Equal contents give equal blocks, also equal to those of pods. Owned until drop() or destroy. */
  const berth_selector *(*keep)(const berth_host *host, const berth_value *selector);
  /* [serial] [background] The same for a plain map ({"app": "web"}, as in a Service): every pair must match. */
  const berth_selector *(*keep_map)(const berth_host *host, const berth_value *map);
  void (*drop)(const berth_host *host, const berth_selector *selector); /* [serial] [background] */
} berth_matching;
#ifdef __cplusplus
}
#endif
#endif
