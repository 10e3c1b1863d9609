// Reads the scheduler's API. The base is the folder above that of this module, so it is right behind a proxy with a prefix too.

const BASE = new URL('../', import.meta.url);
const TIMEOUT_MS = 30000;

// What went wrong with a request. status is 0 if there was no answer.
export class ApiError extends Error {
  constructor(status, path, text) {
    super(text);
    this.status = status;
    this.path = path;
  }
}

// A text as one segment of a path, or as a value of a query.
export function encode(text) {
  return encodeURIComponent(String(text).replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd'));
}

// "namespace/name" as a part of a path. A dot segment would lead to another path.
export function podPath(pod) {
  const slash = pod.indexOf('/');
  const parts = slash < 0 ? ['default', pod] : [pod.slice(0, slash), pod.slice(slash + 1)];
  if (parts.some((part) => part === '' || part === '.' || part === '..')) {
    throw new ApiError(404, '', `"${pod}" is not a name of a pod. Write it as namespace/name.`);
  }
  return parts.map(encode).join('/');
}

async function get(path, signal, read) {
  const stop = new AbortController();
  const cancel = () => stop.abort();
  const timer = setTimeout(cancel, TIMEOUT_MS);
  signal.addEventListener('abort', cancel, {once: true});
  if (signal.aborted) cancel();
  try {
    const answer = await fetch(new URL(path, BASE), {signal: stop.signal, cache: 'no-store', redirect: 'error'});
    if (!answer.ok) throw new ApiError(answer.status, path, (await answer.text()).trim().slice(0, 300));
    return await read(answer);
  } catch (error) {
    if (error instanceof ApiError || signal.aborted) throw error;
    throw new ApiError(0, path, stop.signal.aborted ? 'no answer in 30 seconds' : String(error.message ?? error));
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
  }
}

export function getJson(path, signal) {
  return get(path, signal, (answer) => answer.json());
}

export function getText(path, signal) {
  return get(path, signal, (answer) => answer.text());
}

// What the reader of the page should know about an error, in a sentence or two.
export function explain(error) {
  if (!(error instanceof ApiError)) return `The page cannot show this answer: ${error.message ?? error}`;
  const path = `/${error.path.split('?')[0]}`;
  const said = error.message ? ` The scheduler says: ${error.message}` : '';
  switch (error.status) {
    case 0:
      return `The scheduler cannot be reached (${error.message}). It may be restarting.`;
    case 401:
      return `The scheduler does not accept your credentials for ${path} (401).${said}`;
    case 403:
      return `You may not read ${path} (403). A ClusterRole must allow you "get" on this nonResourceURL.${said}`;
    case 404:
      return error.path ? `The scheduler has nothing at ${path} (404).${said}` : error.message;
    case 429:
      return `The scheduler has too many requests (429).${said}`;
    case 503:
      return `The scheduler is not ready to answer ${path} (503).${said}`;
    default:
      return `The scheduler answers ${path} with an error (${error.status}).${said}`;
  }
}
