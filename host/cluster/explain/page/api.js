// Reads the scheduler's API. The base is the folder above that of this module, so it is right behind a proxy with a prefix too.

export const BASE = new URL('../', import.meta.url);
const TIMEOUT_MS = 30000;
const HALF_PAIRS = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

// status is 0 if there was no answer.
export class ApiError extends Error {
  constructor(status, path, text, verb = 'get') {
    super(text);
    Object.assign(this, {status, verb, path: `/${path.split('?')[0]}`});
  }
}

// A text as one segment of a path, or as a value of a query.
export function encode(text) {
  return encodeURIComponent(String(text).replace(HALF_PAIRS, '\ufffd'));
}

// "namespace/name" as a part of a path. A dot segment would lead to another path.
export function podPath(pod) {
  const parts = pod.split('/');
  if (parts.length < 2 || parts.some((part) => ['', '.', '..'].includes(part))) {
    throw new Error(`"${pod}" is no name of a pod. Write it as namespace/name.`);
  }
  return `${encode(parts[0])}/${encode(parts.slice(1).join('/'))}`;
}

async function get(path, signal, read, options = {}) {
  const verb = options.method?.toLowerCase();
  const stop = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  try {
    const answer = await fetch(new URL(path, BASE), {signal: stop, cache: 'no-store', redirect: 'error', ...options});
    if (!answer.ok) throw new ApiError(answer.status, path, (await answer.text()).trim().slice(0, 300), verb);
    return await read(answer);
  } catch (error) {
    if (error instanceof ApiError || signal.aborted) throw error;
    throw new ApiError(0, path, error.message);
  }
}

export const getJson = (path, signal) => get(path, signal, (answer) => answer.json());
export const getText = (path, signal) => get(path, signal, (answer) => answer.text());

// For what computes from a body and changes nothing.
export function postJson(path, body, signal) {
  return get(path, signal, (answer) => answer.json(), {method: 'POST', body: JSON.stringify(body), headers: {'Content-Type': 'application/json'}});
}

const MEANINGS = {
  403: (path, verb) => `You may not read ${path} (403). A ClusterRole must allow you "${verb}" on this nonResourceURL.`,
  429: (path) => `Too many requests to ${path} (429). Try again in a second.`,
  404: (path) => `The scheduler has nothing at ${path} (404).`,
  503: (path) => `The scheduler is not ready to answer ${path} (503).`,
};

// What the reader of the page should know about an error.
export function explain(error) {
  if (!(error instanceof ApiError)) return `The page cannot show this: ${error.message}`;
  const {status, path, verb, message} = error;
  if (status === 0) return `The scheduler cannot be reached (${message}). It may be restarting.`;
  const meaning = MEANINGS[status]?.(path, verb) ?? `The scheduler answers ${path} with the status ${status}.`;
  return message ? `${meaning} It says: ${message}` : meaning;
}
