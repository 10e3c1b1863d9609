// Links, badges, and columns of decisions, for several views.

import {el, link, name} from './dom.js';
import {age, micros, time} from './format.js';
import {decisionHash, hashOf, nodeHash, podHash} from './route.js';
import {numberColumn, textColumn} from './table.js';

const BADGES = {Scheduled: ['good', '✓'], Binding: ['good', '→'], active: ['good', '✓'], Unschedulable: ['bad', '✕'], Pending: ['bad', '…'],
  Error: ['warn', '!'], Gated: ['warn', '∥'], quarantined: ['warn', '!']};

// A result or a state, with a mark in addition to the color.
export function badge(text) {
  const [kind, mark] = Object.hasOwn(BADGES, text) ? BADGES[text] : ['', '·'];
  return el('span', {class: `badge ${kind}`}, el('span', {'aria-hidden': 'true'}, mark), ' ', name(text));
}

export const podLink = (pod) => link(podHash(pod), name(pod));
export const nodeLink = (node, params) => link(nodeHash(node, params), name(node));
export const decisionLink = (id) => link(decisionHash(id), `#${id}`);

export function mapLink(id) {
  return el('p', {}, link(hashOf('cluster', '', {color: 'verdict', decision: id}), 'Show the verdicts on the heat map'));
}

export function timeElement(text) {
  return el('time', {datetime: text, title: age(text)}, time(text));
}

// Names with commas between them.
export function names(list, make = name) {
  return el('span', {}, (list ?? []).flatMap((one, at) => at === 0 ? [make(one)] : [', ', make(one)]));
}

const POD = textColumn('pod', 'Pod', {header: true, cell: (one) => podLink(one.pod)});
const COLUMNS = [
  numberColumn('id', 'Decision', decisionLink),
  POD,
  textColumn('result', 'Result', {cell: (one) => badge(one.result)}),
  {id: 'node', title: 'Node or message', wide: true, value: (one) => one.node || one.message,
    cell: (one) => one.node ? nodeLink(one.node) : el('span', {class: 'clamp'}, name(one.message))},
  textColumn('started', 'Started', {cell: (one) => timeElement(one.started)}),
  numberColumn('attempt', 'Attempt'),
  numberColumn('feasibleNodes', 'Feasible'),
  numberColumn('evaluatedNodes', 'Evaluated'),
  numberColumn('cycleMicroseconds', 'Cycle', micros),
  numberColumn('totalMicroseconds', 'Total', micros),
  textColumn('profile', 'Profile'),
];

// The columns of a list of decisions; those of one pod do not name it again.
export function decisionColumns({ofOnePod = false} = {}) {
  return ofOnePod ? COLUMNS.filter((one) => one !== POD) : COLUMNS;
}
