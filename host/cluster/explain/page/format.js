// Numbers, times, and amounts as text. A value that is missing is a dash.

const NONE = '–';
const whole = new Intl.NumberFormat('en-US', {maximumFractionDigits: 0});
const short = new Intl.NumberFormat('en-US', {maximumSignificantDigits: 3});
const clock = new Intl.DateTimeFormat('en-GB', {hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3});
const day = new Intl.DateTimeFormat('en-US', {month: 'short', day: 'numeric'});

// A function that formats finite numbers.
const numbers = (format) => (value) => Number.isFinite(value) ? format(value) : NONE;

export const count = numbers((value) => whole.format(value));
export const percent = numbers((fraction) => `${whole.format(fraction * 100)}%`);
export const rate = numbers((value) => value >= 100 ? whole.format(value) : short.format(value));
export const cores = numbers((millicores) => short.format(millicores / 1000));

export const micros = numbers((value) => {
  if (value < 1000) return `${short.format(value)} µs`;
  return value < 1e6 ? `${short.format(value / 1000)} ms` : `${short.format(value / 1e6)} s`;
});

export const bytes = numbers((value) => {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
  while (Math.abs(value) >= 1024 && units.length > 1) {
    value /= 1024;
    units.shift();
  }
  return `${short.format(value)} ${units[0]}`;
});

export function plural(value, one, many = `${one}s`) {
  return `${count(value)} ${value === 1 ? one : many}`;
}

function parsed(text) {
  const time = new Date(text || NaN);
  return time.getUTCFullYear() > 1 ? time : null;
}

// The time of day, with the date if that is not today.
export function time(text) {
  const at = parsed(text);
  if (!at) return NONE;
  return at.toDateString() === new Date().toDateString() ? clock.format(at) : `${day.format(at)}, ${clock.format(at)}`;
}

export function timeNow() {
  return clock.format(new Date()).slice(0, 8);
}

// How long ago a time is, or how far ahead.
export function age(text) {
  const at = parsed(text);
  if (!at) return NONE;
  const seconds = (Date.now() - at) / 1000;
  return seconds < -0.5 ? `in ${span(-seconds)}` : `${span(Math.max(0, seconds))} ago`;
}

function span(seconds) {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`;
  return seconds < 86400 ? `${Math.round(seconds / 3600)} h` : plural(Math.round(seconds / 86400), 'day');
}
