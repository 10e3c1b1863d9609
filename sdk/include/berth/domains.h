/* berth/domains.h (since 1.1) - topology domains. The nodes with the same value of a label key are a domain. The domains of a
 * key have consecutive numbers, so that a count per domain is an array. */
#ifndef BERTH_DOMAINS_H
#define BERTH_DOMAINS_H
#include "berth/host.h"
#ifdef __cplusplus
extern "C" {
#endif
#define BERTH_NO_DOMAIN 4294967295u /* the row's node does not have the key, or the row is not live */
typedef struct berth_domains { /* the caller sets size; the host writes no more than that */
  uint32_t size, n;            /* n: ordinals are 0 ... n-1; some may have no row */
  const uint32_t *of_row;      /* [cycle] ordinal per row of the snapshot */
  const berth_id *values;      /* [cycle] label value per ordinal; "" is a value like any other */
  const uint32_t *n_rows;      /* [cycle] live rows per ordinal */
  uint64_t numbering;          /* equal: the ordinals mean the same; new ones may follow them */
} berth_domains;
#define BERTH_SERVICE_DOMAINS "berth.host.domains/1"
typedef struct berth_domain_columns {
  uint32_t size, rsv;
  /* [serial] in pre_filter, pre_score, post_filter and pod_change. The first use of a key reads all rows, later uses
   * only rows whose labels changed; the host keeps the 64 keys used last, and those of the cycle. 0 = *out is filled; key must
   * not be BERTH_ID_ABSENT. */
  int32_t (*of)(const berth_snap *snap, berth_id key, berth_domains *out);
} berth_domain_columns;
#ifdef __cplusplus
}
#endif
#endif
