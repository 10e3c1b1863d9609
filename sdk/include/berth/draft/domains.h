/* berth/draft/domains.h - DRAFT: topology domains. The nodes that have one value under a label key are a domain, and the
 * domains of a key are numbered densely, so that a count per domain is an array. */
#ifndef BERTH_DRAFT_DOMAINS_H
#define BERTH_DRAFT_DOMAINS_H
#include "berth/host.h"
#ifdef __cplusplus
extern "C" {
#endif
#define BERTH_NO_DOMAIN 4294967295u /* the row's node does not have the key, or the row is not live */
typedef struct berth_domains { /* the caller sets size; the host writes no more than that */
  uint32_t size, n;            /* n: ordinals are 0 ... n-1; some may have no row at the moment */
  const uint32_t *of_row;      /* [cycle] ordinal per row of the snapshot */
  const berth_id *values;      /* [cycle] label value per ordinal; "" is a value like any other */
  const uint32_t *n_rows;      /* [cycle] live rows per ordinal */
  uint64_t numbering;          /* equal: ordinals mean what they meant, and new ones may have come at the end */
} berth_domains;
#define BERTH_SERVICE_DOMAINS "berth.host.domains/1"
typedef struct berth_domain_columns {
  uint32_t size, rsv;
  /* [serial] in pre_filter, pre_score, post_filter and pod_change. The first use of a key walks all rows, later ones only
   * those whose labels changed; the host keeps the 64 keys used last, and those of the cycle. 0 = *out is filled; key must
   * not be BERTH_ID_ABSENT. */
  int32_t (*of)(const berth_snap *snap, berth_id key, berth_domains *out);
} berth_domain_columns;
#ifdef __cplusplus
}
#endif
#endif
