// Changes after which a pending pod would fit. The scheduler evaluates each on all nodes, so that it is asked only on request.

import {getJson} from './api.js';
import {button, el, name, panel, setText} from './dom.js';
import {nodeLink} from './decision_parts.js';
import {plural} from './format.js';

export function suggestions(path, signal) {
  const status = el('p', {class: 'muted', role: 'status'});
  const list = el('ul');
  async function find() {
    setText(status, 'Looking…');
    try {
      const {suggestions: found = []} = await getJson(`admin/v1/pods/${path}?suggest=1`, signal);
      list.replaceChildren(...found.map(item));
      setText(status, found.length ? `${plural(found.length, 'change')}, each evaluated on the cluster as it is` : 'No change was found.');
    } catch (error) {
      if (!signal.aborted) setText(status, error.message);
    }
  }
  return panel('What would make it fit', el('p', {}, button('Find changes', find)), status, list);
}

const item = (one) => el('li', {}, name(one.change), ` (${plural(one.nodes, 'node')}, for example `, nodeLink(one.node), ')');
