// Why one pod is where it is.

import {encode, getJson, podPath} from './api.js';
import {badge, decisionColumns, decisionLink, mapLink, names, nodeLink, timeElement} from './decision_parts.js';
import {el, facts, name, panel} from './dom.js';
import {count} from './format.js';
import {Live} from './live.js';
import {suggestions} from './suggestions.js';
import {PagedTable, numberColumn, textColumn} from './table.js';

const GROUPS = [
  textColumn('plugin', 'Plugin', {header: true}),
  textColumn('reason', 'Reason', {wide: true}),
  numberColumn('nodes', 'Nodes'),
  textColumn('detail', 'Detail', {wide: true}),
  {id: 'examples', title: 'Examples', wide: true, cell: (one) => names(one.examples, (node) => nodeLink(node))},
  textColumn('code', 'Code'),
];

export const title = (route) => `Pod ${route.rest}`;

export async function show(page) {
  const path = podPath(page.rest);
  const decisions = new PagedTable({caption: 'Recorded decisions about this pod, newest first', key: (one) => one.id,
    columns: decisionColumns({ofOnePod: true}), empty: 'No decision about this pod is recorded.'});
  const explained = el('div');
  const changes = suggestions(path, page.signal);
  changes.hidden = true;
  const listed = panel('Decisions', decisions.element);
  listed.hidden = true;
  page.root.append(explained, changes, listed);
  let shown = '';

  async function read() {
    const [pod, list] = await Promise.allSettled([getJson(`admin/v1/pods/${path}`, page.signal),
      getJson(`admin/v1/decisions?limit=100&pod=${encode(decodeURIComponent(path))}`, page.signal)]);
    if (list.status === 'fulfilled') decisions.show(list.value.decisions ?? []);
    listed.hidden = list.status !== 'fulfilled';
    changes.hidden = pod.value?.state !== 'Pending';
    if (pod.status === 'fulfilled' && shown !== JSON.stringify(pod.value)) {
      shown = JSON.stringify(pod.value);
      explained.replaceChildren(...explanation(pod.value));
    }
    const failed = [pod, list].find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
  }
  new Live(page, () => 5, read).now();
}

function explanation(pod) {
  const {decision} = pod;
  const summary = el('section', {'aria-label': 'Summary', class: 'panel'},
    el('p', {class: 'summary'}, name(pod.summary || 'The scheduler has nothing to say about this pod.')),
    facts([
      ['State', badge(pod.state)],
      ['Node', pod.node && nodeLink(pod.node)],
      ['Profile', name(pod.profile)],
      ['Last decision', decision && decisionLink(decision.id)],
      ['Last one with nodes', pod.decisionWithNodes && pod.decisionWithNodes !== decision?.id && decisionLink(pod.decisionWithNodes)],
      ['Nominated node', decision?.nominatedNode && nodeLink(decision.nominatedNode)],
    ]), decision?.withNodes && mapLink(decision.id));
  const groups = new PagedTable({caption: 'Groups of nodes that do not fit', columns: GROUPS, sort: 'nodes', down: true,
    key: (one) => `${one.plugin}\n${one.reason}`, empty: 'No node is rejected.'});
  groups.show(pod.groups ?? []);
  return [summary, panel('Why nodes do not fit', groups.element), panel('Queue', queueFacts(pod.queue))];
}

function queueFacts(queue) {
  if (!queue?.where) return el('p', {class: 'muted'}, 'The pod is not in the queue.');
  return facts([
    ['Queue', name(queue.where)],
    ['Attempts', count(queue.attempts)],
    ['Added', queue.added && timeElement(queue.added)],
    ['Backs off until', queue.backoffUntil && timeElement(queue.backoffUntil)],
    ['Waits for', queue.waitsFor?.length && names(queue.waitsFor)],
  ]);
}
