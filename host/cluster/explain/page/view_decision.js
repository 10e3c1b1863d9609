// One decision: its head, the funnel, the reasons, and the table of nodes and plugins.

import {encode, getJson} from './api.js';
import {badge, mapLink, names, nodeLink, podLink, timeElement} from './decision_parts.js';
import {cause, gate, times, victims} from './decision_facts.js';
import {DecisionNodes} from './decision_nodes.js';
import {el, facts, field, name, panel, select, setText} from './dom.js';
import {count, micros, plural} from './format.js';
import {funnel} from './funnel.js';
import {PagedTable, numberColumn, textColumn} from './table.js';

export const title = (route) => `Decision #${route.rest}`;

export async function show(page) {
  page.root.append(el('p', {class: 'muted'}, 'Loading…'));
  const decision = await getJson(`admin/v1/decisions/${encode(page.rest)}`, page.signal).finally(() => page.root.replaceChildren());
  page.root.append(head(decision), ...[victims(decision)].filter(Boolean));
  if (!decision.nodes) {
    page.root.append(el('p', {class: 'note'}, 'The scheduler has no record of the nodes of this attempt.'));
    return;
  }
  const nodes = new DecisionNodes(decision.nodes);
  page.root.append(panel('Where the nodes went', funnel(decision, nodes)), reasons(nodes, decision), nodeTable(page, decision, nodes));
}

function head(decision) {
  const ties = decision.ties > 1 ? ` (one of ${count(decision.ties)} with the highest total)` : '';
  return el('section', {'aria-label': 'Summary', class: 'panel'}, facts([
    ['Pod', podLink(decision.pod)],
    ['Result', badge(decision.result)],
    ['Node', decision.node && el('span', {}, nodeLink(decision.node, {decision: decision.id}), ties)],
    ['Nominated node', decision.nominatedNode && nodeLink(decision.nominatedNode)],
    ['Started', timeElement(decision.started)],
    ['Because of', cause(decision.queued)],
    ['Gated before by', gate(decision.queued)],
    ['Scheduling cycle', micros(decision.cycleMicroseconds)],
    ['With binding', micros(decision.totalMicroseconds)],
    ['Extension points', times(decision)],
    ['Attempt', count(decision.attempt)],
    ['Profile', name(decision.profile)],
    ['Policy generation', count(decision.generation)],
    ['Nodes', `${count(decision.feasibleNodes)} feasible of ${count(decision.evaluatedNodes)} evaluated`],
    ['Waits for', decision.rejectedBy?.length && names(decision.rejectedBy)],
  ]), decision.message && el('p', {class: 'message'}, name(decision.message)), decision.nodes && mapLink(decision.id));
}

function reasons(nodes, decision) {
  const counts = nodes.counts();
  const rows = nodes.rejections.map(({plugin, code, reasons: list}, at) => ({at, plugin, code, reasons: list, nodes: counts[at]}));
  const table = new PagedTable({
    caption: 'Rejections, by plugin and reason', sort: 'nodes', down: true, key: (row) => row.at, empty: 'No plugin rejected a node.',
    columns: [
      textColumn('plugin', 'Plugin', {header: true}),
      {id: 'reasons', title: 'Reasons', wide: true, cell: (row) => names(row.reasons)},
      numberColumn('nodes', 'Nodes'),
      {id: 'examples', title: 'Examples', wide: true, cell: (row) => names(nodes.examples(row.at), (one) => nodeLink(one, {decision: decision.id}))},
      textColumn('code', 'Code'),
    ],
  });
  table.show(rows);
  return panel('Reasons', table.element);
}

// The rows of the table are the nodes' numbers.
function columnsFor(decision, nodes) {
  const score = (values, id, heading) => numberColumn(id, heading, count, {value: (row) => values[row], cell: (row) => count(values[row])});
  return [
    {id: 'node', title: 'Node', header: true, value: (row) => nodes.names[row], cell: (row) =>
      [nodeLink(nodes.names[row], {decision: decision.id}), nodes.names[row] === decision.node && el('span', {class: 'chosen'}, '★ chosen')]},
    {id: 'verdict', title: 'Verdict', value: (row) => nodes.isExamined(row) ? nodes.verdicts[row] : Infinity, cell: (row) => name(nodes.verdictText(row))},
    score(nodes.totals, 'total', 'Total'),
    ...nodes.scores.map((one, at) => score(one.values, `score${at}`, one.plugin)),
    {id: 'reasons', title: 'Reasons', wide: true, value: (row) => nodes.reasons(row), cell: (row) => name(nodes.reasons(row))},
  ];
}

function verdictOptions(nodes) {
  const plugins = [...new Set(nodes.rejections.map((one) => one.plugin))];
  return [['', 'All'], ['passed', 'Passed'], ...plugins.map((one) => [`by:${one}`, `Rejected by ${one}`]), ['skipped', 'Not examined']];
}

function chosenRows(nodes, verdict, text) {
  const wanted = text.toLowerCase();
  const rows = [];
  for (let row = 0; row < nodes.size; ++row) {
    if (verdict === 'passed' && !nodes.hasPassed(row)) continue;
    if (verdict === 'skipped' && nodes.isExamined(row)) continue;
    if (verdict.startsWith('by:') && nodes.rejection(row)?.plugin !== verdict.slice(3)) continue;
    if (wanted && !`${nodes.names[row]}\n${nodes.reasons(row)}`.toLowerCase().includes(wanted)) continue;
    rows.push(row);
  }
  return rows;
}

function nodeTable(page, decision, nodes) {
  const state = page.state({verdict: '', filter: ''});
  const {sort, down, page: number} = page.state({sort: 'total', down: '1', page: ''});
  const table = new PagedTable({
    caption: 'Nodes and plugins. Scores are weighted.', columns: columnsFor(decision, nodes), key: (row) => row,
    sort, down: down === '1', page: (Number.parseInt(number, 10) || 1) - 1, empty: 'No node matches.',
    rowClass: (row) => nodes.names[row] === decision.node && 'is-chosen', onChange: (change) => page.update(change),
  });
  const matches = el('p', {class: 'muted', role: 'status'});
  const update = (change) => {
    Object.assign(state, change);
    page.update(state);
    const rows = chosenRows(nodes, state.verdict, state.filter);
    setText(matches, `${plural(rows.length, 'node')} of ${count(nodes.size)}`);
    table.show(rows);
  };
  const verdict = select('Verdict', verdictOptions(nodes), state.verdict, (value) => update({verdict: value}));
  const filter = field('Node or reason', state.filter, 'contains…', (value) => update({filter: value}));
  update({});
  return panel('Nodes', el('div', {class: 'toolbar'}, verdict.element, filter.element, matches), table.element);
}
