// The state of the page in location.hash: #/view/segment/segment?key=value. Whoever made the link has chosen it.

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
  const [, view, rest, query] = /^#?\/?([^/?]*)\/?([^?]*)\??(.*)$/s.exec(hash);
  return {view, rest: decode(rest), params: new URLSearchParams(query)};
}

// The hash of a view. Empty parameters are left out.
export function hashOf(view, rest = '', params = {}) {
  const query = new URLSearchParams(Object.entries(params).filter(([, value]) => value || value === 0));
  const path = [view, ...rest === '' ? [] : String(rest).split('/').map(encode)].join('/');
  return `#/${path}${query.size > 0 ? `?${query}` : ''}`;
}

export const podHash = (pod) => hashOf('pod', pod);
export const decisionHash = (id) => hashOf('decision', id);
export const nodeHash = (node, params = {}) => hashOf('cluster', '', {...params, node});
