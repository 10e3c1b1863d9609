// How many nodes are left after each plugin, as a table with bars.

import {el, name} from './dom.js';
import {count} from './format.js';

function bar(left, lost, all) {
  const part = (kind, nodes) => {
    const made = el('span', {class: kind});
    made.style.width = `${all > 0 ? (100 * nodes) / all : 0}%`;
    return made;
  };
  return el('span', {class: 'bar', 'aria-hidden': 'true'}, part('left', left), part('lost', lost));
}

function step(title, left, lost, all) {
  return el('tr', {}, el('th', {scope: 'row'}, title), el('td', {class: 'bars'}, bar(left, lost, all)),
    el('td', {class: 'number muted'}, lost === null ? '' : lost > 0 ? `−${count(lost)}` : '0'), el('td', {class: 'number'}, count(left)));
}

export function funnel(decision, nodes) {
  const all = nodes.size;
  const skipped = nodes.notExamined();
  const lines = [step('All nodes', all, null, all)];
  if (skipped > 0) lines.push(step('Not examined: enough nodes were found before', all - skipped, skipped, all));
  for (const {plugin, nodes: lost, left} of nodes.funnel()) lines.push(step(name(plugin), left, lost, all));
  if (decision.result === 'Scheduled') lines.push(step('Chosen', 1, null, all));
  return el('table', {class: 'funnel'},
    el('caption', {}, 'Nodes that are left after each plugin, in the order of the first rejection'),
    el('thead', {}, el('tr', {}, el('th', {scope: 'col'}, 'Step'), el('td'),
      ['Rejected', 'Left'].map((title) => el('th', {scope: 'col', class: 'number'}, title)))),
    el('tbody', {}, lines));
}
