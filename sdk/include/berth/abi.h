/* berth/abi.h - the types and constants that every other header of the Berth plugin ABI uses.
 *
 * Plugins and the host include it. It needs only <stddef.h> and <stdint.h>, and compiles as C99 -pedantic, C11, C++17, and
 * C++20.
 *
 * GROWTH     The ABI major is in the entry symbol's name (berth_entry_v1). Inside a major nothing released changes: a
 *            struct grows only at its end, and its first field `size` is sizeof() as its PROVIDER compiled it; a reader
 *            checks BERTH_HAS (pointer members) or BERTH_FIELD (scalars) before it uses a member that was added to the
 *            struct later. A new meaning is a new id (".../2"), never an edit of an old one. Unknown ids answer NULL. No C enum,
 *            bitfield, bool, long, time_t or varargs crosses: only fixed-width integers and pointers, padding spelled out.
 *            Records in a berth_list carry no `size`: the list's stride is the size of one record as its provider
 *            compiled it, so they may grow as well. berth_str, berth_kv, berth_verdict are frozen for the major, and so are
 *            structs that another struct contains by value: berth_reuse, berth_list, berth_node_term.
 * OWNERSHIP  Who allocates frees; there is no free() across the boundary. What the host passes in is BORROWED, read-only
 *            and dead when the call returns, unless marked [cycle] (until that scheduling cycle ends), [attempt] (until
 *            PostBind or the failure handling of that pod's attempt is over) or [life] (until destroy returns). What a
 *            plugin passes in is copied by the host before the host's function returns. Plugin tables are [life].
 * THREADS    Tags name domains, not OS threads: two calls of one domain may arrive on different threads.
 *            [serial]     never concurrent with another [serial] or [parallel] call on the same instance.
 *            [parallel]   may run on several host threads at once on one instance: write only to `out`, to your cycle
 *                         data's per-row slots, and to what you guard yourself.
 *            [bind]       on binding threads, concurrent with everything: lock what you share.
 *            [background] on a thread of its own, concurrent with [parallel] and [bind] of other instances.
 *            [any]        may be called from any thread between init and destroy; never blocks on the scheduling thread
 *                         and takes no lock that the host holds across a plugin call.
 *            With BERTH_F_SERIAL_ONLY the host makes [parallel] and [bind] calls mutually exclusive (slower, never wrong).
 *            Two instances of one library (profiles, generations) share its globals: treat those as [any].
 *            On a function of the host a tag says from where it may be called: [serial] from [serial] calls, [parallel]
 *            from [serial] and [parallel] ones, [background] from calls of the life cycle, [any] from any thread.
 * LIMITS     A call that takes longer than the host's deadline (BerthConfiguration faults.callDeadline, 1 s unless it is
 *            set, real time also in a simulation) counts as ERROR when it comes back. Exempt are the calls of the life
 *            cycle, pre_bind_pre_flight, pre_bind, bind, and everything that answers no status.
 * FAULTS     No exception, panic or longjmp may leave a plugin (the C++ layer catches them all). Never call exit, abort,
 *            setlocale, signal, InitGoogleLogging, DEFINE_<flag>; never change cwd, umask, environment or the FP mode.
 * LIFECYCLE  entry -> create -> init -> activate -> {calls} -> deactivate -> destroy. After deactivate returns the plugin
 *            has no thread, callback, TLS destructor or registered pointer left in the process.
 * TEXT       UTF-8, pointer and length, not NUL-terminated unless said.
 * TIME       *_unix_ns is wall clock, comparable with the API server's times, BERTH_NO_TIME when absent; *_mono_ns is
 *            only good for durations and deadlines. Both are virtual in `berthctl simulate`. */
#ifndef BERTH_ABI_H
#define BERTH_ABI_H
#include <stddef.h>
#include <stdint.h>

#define BERTH_ABI_MAJOR 1u
#define BERTH_ABI_MINOR 2u

#if defined(__GNUC__) || defined(__clang__)
#define BERTH_EXPORT __attribute__((visibility("default")))
#else
#define BERTH_EXPORT
#endif

/* Does the provider of *p know pointer member f, and did it fill it? p may be NULL. */
#define BERTH_HAS(p, T, f) ((p) != NULL && (p)->size >= offsetof(T, f) + sizeof((p)->f) && (p)->f != NULL)
/* Does the provider of *p know scalar member f? p must not be NULL. */
#define BERTH_FIELD(p, T, f) ((p)->size >= offsetof(T, f) + sizeof((p)->f))

#ifdef __cplusplus
extern "C" {
#endif

/* Borrowed text. ptr may be NULL when len is 0. Frozen. */
typedef struct berth_str {
  const char *ptr;
  uint64_t len;
} berth_str;

/* An interned string: equal ids <=> equal strings. 0 = absent, BERTH_ID_EMPTY = "". An id read from a view is borrowed
 * with the view; host->intern() and host->keep() own it until host->drop() or destroy. Ids mean nothing outside this
 * process and never appear in saved state. */
typedef uint32_t berth_id;
#define BERTH_ID_ABSENT 0u
#define BERTH_ID_EMPTY 1u

/* A list of records. Walk it with BERTH_AT: stride may be larger than the record you were compiled with. */
typedef struct berth_list {
  const void *ptr;
  uint32_t n, stride;
} berth_list;
#define BERTH_AT(list, T, i) ((const T *)(const void *)((const char *)(list).ptr + (size_t)(i) * (list).stride))

typedef struct berth_kv { /* labels, node selectors. Frozen. */
  berth_id key, value;
} berth_kv;

/* One resource amount in Kubernetes' own integers: cpu in 1/1000, everything else in whole units, both rounded up. */
typedef struct berth_amount {
  berth_id name;
  uint32_t flags; /* BERTH_AMOUNT_* */
  int64_t value;
} berth_amount;
#define BERTH_AMOUNT_ROUNDED 1u   /* the exact quantity was not a multiple of the unit */
#define BERTH_AMOUNT_SATURATED 2u /* the exact quantity does not fit; value is INT64_MAX or INT64_MIN */
#define BERTH_AMOUNT_SCALAR 4u    /* counted per node as a scalar: extended, hugepages-*, kubernetes.io/, attachable-volumes-* */
#define BERTH_AMOUNT_EXTENDED 8u  /* an extended resource: a name with a domain that is not kubernetes.io */

#define BERTH_NO_TIME INT64_MIN

/* Outcome of a call: the scheduling framework's codes. A value the reader does not know counts as BERTH_ERROR.
 * Reasons travel through host->because() (a call's own status) or berth_verdict.reasons (one row's). */
typedef int32_t berth_status;
#define BERTH_SUCCESS 0
#define BERTH_ERROR 1         /* a fault, not a decision: the attempt fails, the pod is retried after error backoff */
#define BERTH_UNSCHEDULABLE 2 /* preemption or a cluster event may help */
#define BERTH_UNRESOLVABLE 3  /* UnschedulableAndUnresolvable: preemption cannot help */
#define BERTH_WAIT 4          /* permit only */
#define BERTH_SKIP 5          /* pre_filter, pre_score, pre_bind_pre_flight, bind only */
#define BERTH_PENDING 6       /* like UNSCHEDULABLE, and an event of this plugin retries the pod at once */
#define BERTH_LATER 64        /* where a berth_op is passed: the outcome will come through op->done() */
#define BERTH_UNIFORM 65      /* score only: out[0] is the score of every row asked for */

/* The verdict on one row. Frozen. */
typedef struct berth_verdict {
  uint8_t code; /* BERTH_SUCCESS, ERROR, UNSCHEDULABLE, UNRESOLVABLE, PENDING */
  uint8_t rsv[3];
  uint32_t reasons; /* 0 = none, or what cycle service's reasons() answered during this call */
} berth_verdict;

/* The rows one batch call is about, ascending. A row is a slot of the snapshot that belongs to one node for as long as
 * the node lives; it is not a position in any order.
 *   rows != NULL  rows[0..n-1] are asked for; out[i] belongs to rows[i].
 *   rows == NULL  every row of first ... first+n-1 whose bit in `live` is set is asked for; out[i] belongs to first+i;
 *                 the other cells of out may be written with anything. Used where a table sets BERTH_TOTAL, and by
 *                 pre_score, where `live` holds the feasible rows. */
typedef struct berth_rows {
  uint32_t size, n, first, rsv;
  const uint32_t *rows;
  const uint64_t *live; /* bit per row of the snapshot: the row belongs to a node (pre_score: is feasible). Never NULL. */
} berth_rows;

typedef struct berth_host berth_host;     /* the host as one plugin instance sees it; see host.h */
typedef struct berth_plugin berth_plugin; /* one instance: one plugin of one profile; see plugin.h */
typedef struct berth_cycle berth_cycle;   /* opaque: one scheduling attempt of one pod */
typedef struct berth_snap berth_snap;     /* opaque: the cluster, frozen from the first pre_filter to the end of permit */
typedef struct berth_value berth_value;   /* opaque: one node of a parsed JSON/YAML document; see host.h */

/* A call that ends later. When a function that was given an op returns BERTH_LATER it keeps the op and must call
 * op->done exactly once, from any thread; otherwise it must not touch the op after returning. */
typedef struct berth_op berth_op;
struct berth_op {
  uint32_t size, rsv;
  void (*done)(berth_op *op, berth_status status, const berth_str *reasons, uint32_t n); /* [any] ends the op */
};

#ifdef __cplusplus
}
#endif
#endif
