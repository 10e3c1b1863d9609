// Reads counters and histograms from Prometheus' text format, and computes what happened between two readings.

const ATTEMPTS = 'scheduler_schedule_attempts_total';
const BUCKETS = 'scheduler_scheduling_attempt_duration_seconds_bucket';

// Calls found(name, labels, value) for each sample with one of these names. The text may be large, so others are not parsed.
function eachSample(text, names, found) {
  for (const name of names) {
    const start = `${name}{`;
    for (let at = text.indexOf(start); at >= 0; at = text.indexOf(start, at + 1)) {
      if (at > 0 && text[at - 1] !== '\n') continue;
      const end = text.indexOf('\n', at);
      const line = text.slice(at + start.length, end < 0 ? text.length : end);
      const close = line.lastIndexOf('}');
      if (close >= 0) found(name, labelsOf(line.slice(0, close)), Number(line.slice(close + 1).trim().split(' ')[0]));
    }
  }
}

function labelsOf(text) {
  const labels = new Map();
  for (const [, key, value] of text.matchAll(/([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g)) {
    labels.set(key, value.replace(/\\(.)/g, (_, one) => one === 'n' ? '\n' : one));
  }
  return labels;
}

// {at, series: Map of "profile\nresult" to {profile, result, attempts, buckets: Map of the upper bound to the count}}
export function readMetrics(text, at) {
  const series = new Map();
  eachSample(text, [ATTEMPTS, BUCKETS], (name, labels, value) => {
    const [profile, result] = [labels.get('profile') ?? '', labels.get('result') ?? ''];
    const key = `${profile}\n${result}`;
    if (!series.has(key)) series.set(key, {profile, result, attempts: 0, buckets: new Map()});
    const one = series.get(key);
    if (name === ATTEMPTS) one.attempts = value;
    else one.buckets.set(labels.get('le') === '+Inf' ? Infinity : Number(labels.get('le')), value);
  });
  return {at, series};
}

// Whether a counter is lower than before: the scheduler has started again.
export function hasRestarted(before, now) {
  return [...before.series].some(([key, one]) => (now.series.get(key)?.attempts ?? 0) < one.attempts);
}

// What happened between two readings: [{profile, result, total, perSecond, buckets}].
export function between(before, now) {
  const seconds = Math.max(0.001, (now.at - before.at) / 1000);
  return [...now.series].map(([key, one]) => {
    const old = before.series.get(key);
    const buckets = [...one.buckets].sort((a, b) => a[0] - b[0]).map(([bound, value]) => [bound, value - (old?.buckets.get(bound) ?? 0)]);
    return {profile: one.profile, result: one.result, total: one.attempts, perSecond: (one.attempts - (old?.attempts ?? 0)) / seconds, buckets};
  });
}

// An estimate from cumulative buckets, as Prometheus' histogram_quantile makes it: {seconds, isLeast}, or null without samples.
export function quantile(q, buckets) {
  const all = buckets.at(-1)?.[1] ?? 0;
  if (all <= 0) return null;
  const rank = q * all;
  const at = buckets.findIndex(([, value]) => value >= rank);
  const [bound, value] = buckets[at];
  const [low, below] = at > 0 ? buckets[at - 1] : [0, 0];
  if (bound === Infinity) return {seconds: low, isLeast: true};
  return {seconds: low + (bound - low) * (value > below ? (rank - below) / (value - below) : 1), isLeast: false};
}
