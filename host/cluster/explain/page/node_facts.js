// What the page knows about one node: its resources, its labels, and what a decision says about it.

import {RESOURCES, freeFraction} from './coloring.js';
import {decisionLink, podLink} from './decision_parts.js';
import {button, el, facts, name} from './dom.js';
import {count, percent} from './format.js';

// The button and Escape call close(). decision and nodes (DecisionNodes) may be null.
export function nodeFacts({nodeName, node, table, labels, decision, nodes, close}) {
  const heading = el('h2', {tabindex: '-1'}, name(nodeName));
  const box = el('section', {class: 'panel node-facts', 'aria-label': 'Node', on: {
    keydown: (event) => event.key === 'Escape' && close(),
  }}, el('div', {class: 'panel-head'}, heading, button('Close', close)));
  if (node < 0) box.append(el('p', {class: 'muted'}, 'The scheduler knows no node with this name.'));
  else box.append(general(table, labels, node), resources(table, node));
  if (decision && nodes) box.append(verdict(nodeName, decision, nodes));
  return {element: box, heading};
}

function general(table, keys, node) {
  return facts([['Pods', count(table.pods[node])], ['Schedulable', table.unschedulable[node] ? 'no: it is cordoned' : 'yes'],
    ...keys.map((key) => [key, table.labels[key]?.[node] && name(table.labels[key][node])])]);
}

function meter(fraction) {
  const used = el('span', {class: 'left'});
  used.style.width = `${100 * Math.min(1, fraction)}%`;
  return el('span', {class: 'bar', 'aria-hidden': 'true'}, used);
}

function resources(table, node) {
  const line = ([resource, [title, format]]) => {
    const free = freeFraction(table, resource, node);
    const cells = [format(table.requested[resource]?.[node]), format(table.allocatable[resource]?.[node]), percent(free)];
    return el('tr', {}, el('th', {scope: 'row'}, title), cells.map((text) => el('td', {class: 'number'}, text)),
      el('td', {class: 'bars'}, meter(free === null ? 0 : 1 - free)));
  };
  return el('table', {class: 'small'}, el('caption', {}, 'Resources'),
    el('thead', {}, el('tr', {}, el('th', {scope: 'col'}, 'Resource'),
      ['Requested', 'Allocatable', 'Free'].map((one) => el('th', {scope: 'col', class: 'number'}, one)), el('td'))),
    el('tbody', {}, [...RESOURCES].map(line)));
}

function verdict(nodeName, decision, nodes) {
  const box = el('div', {}, el('h3', {}, 'Decision ', decisionLink(decision.id), ' about ', podLink(decision.pod)));
  const row = nodes.rowOf(nodeName);
  if (row < 0) {
    box.append(el('p', {class: 'muted'}, 'The decision knows no such node.'));
    return box;
  }
  const chosen = decision.node === nodeName ? 'Passed, and chosen' : nodes.verdictText(row);
  box.append(facts([['Verdict', name(chosen)], ['Code', nodes.rejection(row)?.code], ['Reasons', nodes.reasons(row)]]));
  if (typeof nodes.totals[row] === 'number') box.append(scores(nodes, row));
  return box;
}

function scores(nodes, row) {
  const line = (title, value) => el('tr', {}, el('th', {scope: 'row'}, title), el('td', {class: 'number'}, count(value)));
  return el('table', {class: 'small'}, el('caption', {}, 'Weighted scores'),
    el('tbody', {}, nodes.scores.map((one) => line(name(one.plugin), one.values[row]))),
    el('tfoot', {}, line('Total', nodes.totals[row])));
}
