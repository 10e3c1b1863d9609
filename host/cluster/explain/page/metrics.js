// Reads counters and histograms from Prometheus' text format, and computes what happened between two readings.

const ATTEMPTS = 'scheduler_schedule_attempts_total';
const BUCKETS = 'scheduler_scheduling_attempt_duration_seconds_bucket';

// Calls found(labels, value) for each sample of the metric. The text may be large, so other lines are not parsed.
function eachSample(text, metric, found) {
  const start = `\n${metric}{`;
  for (let at = text.indexOf(start); at >= 0; at = text.indexOf(start, at + 1)) {
    const end = text.indexOf('\n', at + 1);
    const [, labels, value] = /^(.*)\} *(\S+)/.exec(text.slice(at + start.length, end < 0 ? text.length : end)) ?? [];
    if (value) found(labelsOf(labels), Number(value));
  }
}

function labelsOf(text) {
  const labels = {};
  for (const [, key, value] of text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)) labels[key] = value.replace(/\\(.)/g, (_, one) => one === 'n' ? '\n' : one);
  return labels;
}

// {at, series: Map of the labels to {profile, result, attempts, buckets: Map of the upper bound to the count}}
export function readMetrics(text, at) {
  const series = new Map();
  const of = ({profile, result}) => {
    const key = `${profile}\n${result}`;
    if (!series.has(key)) series.set(key, {profile, result, attempts: 0, buckets: new Map()});
    return series.get(key);
  };
  eachSample(`\n${text}`, ATTEMPTS, (labels, value) => { of(labels).attempts = value; });
  eachSample(`\n${text}`, BUCKETS, (labels, value) => of(labels).buckets.set(labels.le === '+Inf' ? Infinity : Number(labels.le), value));
  return {at, series};
}

// Whether a counter is lower than before: the scheduler has started again.
export function hasRestarted(before, now) {
  return [...before.series].some(([key, one]) => !(now.series.get(key)?.attempts >= one.attempts));
}

// [{profile, result, total, perSecond, buckets: [[upper bound, count], ...]}]; perSecond is null for one and the same reading.
export function between(before, now) {
  const seconds = (now.at - before.at) / 1000;
  return [...now.series].map(([key, {profile, result, attempts, buckets}]) => {
    const old = before.series.get(key);
    const added = [...buckets].sort((a, b) => a[0] - b[0]).map(([bound, value]) => [bound, value - (old?.buckets.get(bound) ?? 0)]);
    return {profile, result, total: attempts, perSecond: seconds > 0 ? (attempts - (old?.attempts ?? 0)) / seconds : null, buckets: added};
  });
}

// An estimate in seconds from cumulative buckets, as Prometheus' histogram_quantile makes it, or NaN without samples.
export function quantile(q, {buckets}) {
  const rank = q * (buckets.at(-1)?.[1] ?? 0);
  if (!(rank > 0)) return NaN;
  const at = buckets.findIndex(([, value]) => value >= rank);
  const [bound, value] = buckets[at];
  const [low, below] = at > 0 ? buckets[at - 1] : [0, 0];
  return bound === Infinity ? low : low + ((bound - low) * (rank - below)) / (value - below);
}
