// The state of the page in location.hash: #/view/segment/segment?key=value. Everything in it comes from whoever made the link.

import {encode} from './api.js';

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// {view, rest, params}: rest is the decoded text after "#/view/".
export function parse(hash) {
  const [path, query = ''] = splitAt(hash.replace(/^#\/?/, ''), '?');
  const [view, rest = ''] = splitAt(path, '/');
  return {view, rest: rest.split('/').map(decode).join('/'), params: new URLSearchParams(query)};
}

function splitAt(text, mark) {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

// The hash of a view. Empty parameters are left out.
export function hashOf(view, rest = '', params = {}) {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(params)) {
    if (value !== '' && value !== null && value !== undefined) query.set(key, value);
  }
  const path = rest === '' ? view : `${view}/${String(rest).split('/').map(encode).join('/')}`;
  const text = query.toString();
  return `#/${path}${text ? `?${text}` : ''}`;
}

export const podHash = (pod) => hashOf('pod', pod);
export const decisionHash = (id) => hashOf('decision', id);
export const nodeHash = (node, params = {}) => hashOf('cluster', '', {...params, node});
