// Numbers, times, and amounts as text. A value that is missing is a dash.

const NONE = '–';
const whole = new Intl.NumberFormat('en-US', {maximumFractionDigits: 0});
const short = new Intl.NumberFormat('en-US', {maximumSignificantDigits: 3});
const clock = new Intl.DateTimeFormat('en-GB', {hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3});
const day = new Intl.DateTimeFormat('en-US', {month: 'short', day: 'numeric'});

const isNumber = (value) => typeof value === 'number' && Number.isFinite(value);

export function count(value) {
  return isNumber(value) ? whole.format(value) : NONE;
}

export function plural(value, one, many = `${one}s`) {
  return `${count(value)} ${value === 1 ? one : many}`;
}

export function signed(value) {
  return value === 0 ? '0' : `−${count(value)}`;
}

export function rate(value) {
  if (!isNumber(value)) return NONE;
  return value >= 100 ? whole.format(value) : short.format(value);
}

export function percent(fraction) {
  return isNumber(fraction) ? `${whole.format(fraction * 100)}%` : NONE;
}

export function micros(value) {
  if (!isNumber(value)) return NONE;
  if (value < 1000) return `${short.format(value)} µs`;
  if (value < 1e6) return `${short.format(value / 1000)} ms`;
  return `${short.format(value / 1e6)} s`;
}

export function cores(millicores) {
  return isNumber(millicores) ? short.format(millicores / 1000) : NONE;
}

export function bytes(value) {
  if (!isNumber(value)) return NONE;
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
  let at = 0;
  for (; Math.abs(value) >= 1024 && at < units.length - 1; ++at) value /= 1024;
  return `${short.format(value)} ${units[at]}`;
}

function parsed(text) {
  const time = text ? new Date(text) : null;
  return time && !Number.isNaN(time.getTime()) && time.getUTCFullYear() > 1 ? time : null;
}

// The time of day, with the date if that is not today.
export function time(text, now = new Date()) {
  const at = parsed(text);
  if (!at) return NONE;
  return at.toDateString() === now.toDateString() ? clock.format(at) : `${day.format(at)}, ${clock.format(at)}`;
}

// The time of day without fractions of a second.
export function clockTime(at) {
  return clock.format(at).replace(/[.,]\d+$/, '');
}

// How long ago (or, with "in", how far ahead) a time is.
export function age(text, now = Date.now()) {
  const at = parsed(text);
  if (!at) return NONE;
  const seconds = (now - at.getTime()) / 1000;
  return seconds < -0.5 ? `in ${span(-seconds)}` : `${span(Math.max(0, seconds))} ago`;
}

function span(seconds) {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`;
  if (seconds < 86400) return `${Math.round(seconds / 3600)} h`;
  return plural(Math.round(seconds / 86400), 'day');
}
