// Try a change: what the last decisions would have been with other weights or without some plugins. The scheduler computes it
// from its records and stays as it is.

import {explain, getJson, postJson} from './api.js';
import {decisionLink, nodeLink, podLink} from './decision_parts.js';
import {button, el, freshId, name, panel, select, setText} from './dom.js';
import {count, plural} from './format.js';
import {PagedTable, numberColumn, textColumn} from './table.js';

const MOST_WEIGHT = 2147483647;
const percent = new Intl.NumberFormat('en-US', {style: 'percent', maximumFractionDigits: 2});
const node = (id, title) => textColumn(id, title, {cell: (one) => one[id] ? nodeLink(one[id]) : '–'});
const pod = textColumn('pod', 'Pod', {header: true, cell: (one) => podLink(one.pod)});
const decision = numberColumn('decision', 'Decision', decisionLink);
const total = (id, of, when, title) => ({...numberColumn(id, title), value: (one) => one[of]?.[when], cell: (one) => count(one[of]?.[when])});
const MOVES = [pod, node('from', 'From'), node('to', 'To'), total('a', 'fromTotal', 'before', 'Total of from'), total('b', 'fromTotal', 'after', 'Then'),
  total('c', 'toTotal', 'before', 'Total of to'), total('d', 'toTotal', 'after', 'Then'), numberColumn('ties', 'Nodes with this total'), decision];
const INEXACT = [pod, node('from', 'Node'), numberColumn('unknownNodes', 'Unknown nodes'), decision];
const FIGURES = [textColumn('title', 'Figure', {header: true, value: null}), textColumn('before', 'Before', {numeric: true, value: null}),
  textColumn('after', 'After', {numeric: true, value: null})];

export const title = () => 'Try a change';

export async function show(page) {
  const state = page.state({profile: '', limit: '100', change: ''});
  const result = el('div');
  const said = el('p', {class: 'summary', role: 'status'});
  const trouble = el('p', {class: 'error', role: 'alert'});
  const form = new Form(() => run(form.change()));
  const limit = numberInput('Decisions to look at', 1000, state.limit);
  const config = await getJson('configz', page.signal);
  const profiles = (config.componentconfig?.profiles ?? []).map((one) => one.schedulerName);
  const ask = (change, signal) => postJson('admin/v1/policy/diff', {...change, profile: state.profile || profiles[0], limit: Number(limit.box.value)}, signal);
  let last = new AbortController();

  // Ends the request before it: its answer may be about another profile.
  async function run(change) {
    last.abort();
    const mine = last = new AbortController();
    const signal = AbortSignal.any([page.signal, mine.signal]);
    form.busy(true);
    try {
      const answer = await ask(change, signal);
      if (signal.aborted) return;
      Object.assign(state, {limit: limit.box.value, change: isEmpty(change) ? '' : JSON.stringify(change)});
      page.update(state);
      setText(trouble, '');
      form.fill(answer.plugins);
      setText(said, sentence(answer));
      result.replaceChildren(...parts(answer));
    } catch (error) {
      if (signal.aborted) return;
      setText(trouble, explain(error));
      const plain = form.rows.length > 0 ? null : await ask({}, signal).catch(() => null);
      if (plain && !signal.aborted) form.fill(plain.plugins);
    } finally {
      if (mine === last) form.busy(false);
    }
  }

  const choose = (profile) => {
    state.profile = profile;
    form.fill([]);
    setText(said, '');
    result.replaceChildren();
    run({});
  };
  form.tools.append(select('Profile', profiles.map((one) => [one, one]), state.profile || profiles[0], choose).element, limit.element,
    form.submit, button('As it is now', () => run({})));
  page.root.append(el('p', {}, 'Change weights, or leave plugins out. The scheduler computes what its last decisions would have been; it stays as it is.'),
    panel('Change', form.element), trouble, said, result);
  await run(parsed(state.change));
}

const isEmpty = ({weights, disabled}) => Object.keys(weights ?? {}).length === 0 && !disabled?.score?.length && !disabled?.filter?.length;

// The change in the address, which anybody may have written: the scheduler checks it.
function parsed(text) {
  try {
    const {weights, disabled} = JSON.parse(text);
    return {weights, disabled};
  } catch {
    return {};
  }
}

function numberInput(label, most, value) {
  const box = el('input', {id: freshId('number'), type: 'number', min: 1, max: most, step: 1, required: true, value});
  return {box, element: el('div', {class: 'field'}, el('label', {for: box.id}, label), box)};
}

// The plugins of a profile with check boxes and weights.
class Form {
  constructor(run) {
    this.rows = [];
    this.body = el('tbody');
    this.tools = el('div', {class: 'toolbar'});
    this.submit = el('button', {}, 'Try it');
    const heads = ['Plugin', 'Filters', 'Scores', 'Weight', 'Weight now'].map((text, at) => el('th', {scope: 'col', class: at === 4 && 'number'}, text));
    const table = el('table', {}, el('caption', {}, 'Plugins that choose nodes'), el('thead', {}, el('tr', {}, heads)), this.body);
    this.element = el('form', {class: 'try', on: {submit: (event) => {
      event.preventDefault();
      run();
    }}}, this.tools, el('div', {class: 'scroller', role: 'region', tabindex: '0', 'aria-label': 'Plugins'}, table));
  }

  busy(is) {
    this.submit.disabled = is;
  }

  // The boxes stay when the answer is about the same plugins and weights, so that the focus stays.
  fill(plugins) {
    const wanted = plugins.filter((one) => one.filter || one.weight !== null);
    const key = JSON.stringify(wanted.map(({plugin, filter, weight}) => [plugin, filter, weight]));
    if (key !== this.key) {
      this.rows = wanted.map(rowOf);
      this.body.replaceChildren(...this.rows.map((row) => row.element));
      this.key = key;
    }
    wanted.forEach((one, at) => this.rows[at].set(one));
  }

  change() {
    const disabled = {score: [], filter: []};
    const weights = [];
    for (const {plugin, filter, score, weight} of this.rows) {
      if (filter && !filter.checked) disabled.filter.push(plugin.plugin);
      if (score && !score.checked) disabled.score.push(plugin.plugin);
      else if (score && Number(weight.value) !== plugin.weight) weights.push([plugin.plugin, Number(weight.value)]);
    }
    return {weights: Object.fromEntries(weights), disabled};
  }
}

function rowOf(plugin) {
  const check = (label) => el('input', {type: 'checkbox', 'aria-label': `${plugin.plugin} ${label}`});
  const scores = plugin.weight !== null;
  const row = {plugin, filter: plugin.filter && check('filters'), score: scores && check('scores')};
  row.weight = scores && el('input', {type: 'number', min: 1, max: MOST_WEIGHT, step: 1, required: true, 'aria-label': `Weight of ${plugin.plugin}`});
  row.score && row.score.addEventListener('change', () => {
    row.weight.disabled = !row.score.checked;
  });
  row.element = el('tr', {}, el('th', {scope: 'row'}, name(plugin.plugin)), el('td', {}, row.filter || '–'), el('td', {}, row.score || '–'),
    el('td', {}, row.weight || '–'), el('td', {class: 'number'}, count(plugin.weight ?? NaN)));
  row.set = (one) => {
    if (row.filter) row.filter.checked = one.newFilter;
    if (!scores) return;
    row.score.checked = one.newWeight !== null;
    row.weight.disabled = !row.score.checked;
    row.weight.value = one.newWeight ?? one.weight;
  };
  return row;
}

function sentence({decisions: {lookedAt, moving, unchanged, tied, notExact, withoutNodes, otherGenerations}}) {
  const text = [`${plural(moving, 'pod')} of ${plural(lookedAt, 'decision')} would move, ${count(unchanged)} would stay${tied > 0 ? ` (${count(tied)} after a tie)` : ''}.`];
  if (notExact > 0) text.push(`${plural(notExact, 'decision')} cannot be computed exactly.`);
  if (withoutNodes > 0) text.push(`${plural(withoutNodes, 'decision')} without recorded nodes left out.`);
  if (otherGenerations > 0) text.push(`${plural(otherGenerations, 'decision')} of another policy generation left out.`);
  return text.join(' ');
}

function parts(answer) {
  const figures = new PagedTable({caption: 'Where the pods of these decisions are', columns: FIGURES, key: (one) => one.title});
  figures.show(figureRows(answer));
  const moves = new PagedTable({caption: 'Pods that would move', columns: MOVES, key: (one) => one.decision, empty: 'No pod would move.'});
  moves.show(answer.moves);
  const made = [panel('Before and after', figures.element, el('p', {class: 'muted'}, answer.note)), panel('Pods that move', moves.element)];
  if (answer.notExact.length > 0) {
    const inexact = new PagedTable({caption: 'Only a filter that is left out rejected the unknown nodes, so no other plugin examined them', columns: INEXACT,
      key: (one) => one.decision});
    inexact.show(answer.notExact);
    made.push(panel('Not exact', inexact.element));
  }
  return made;
}

function figureRows({before, after}) {
  const rows = [{title: 'Nodes used', before: count(before.nodesUsed), after: count(after.nodesUsed)},
    {title: 'Most pods on a node', before: count(before.mostPodsOnANode), after: count(after.mostPodsOnANode)}];
  for (const [key, text] of [['cpu', 'CPU'], ['memory', 'Memory']]) {
    if (!before[key]) continue;
    for (const [part, meaning] of [['mean', 'mean'], ['deviation', 'standard deviation']]) {
      rows.push({title: `${text} requested, ${meaning}`, before: percent.format(before[key][part]), after: percent.format(after[key][part])});
    }
  }
  const then = new Map(after.zones.map((one) => [one.zone, one.pods]));
  for (const {zone, pods} of before.zones) rows.push({title: zone ? `Pods in zone ${zone}` : 'Pods without a zone', before: count(pods), after: count(then.get(zone))});
  return rows;
}
