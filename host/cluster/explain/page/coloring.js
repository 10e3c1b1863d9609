// Colorings of nodes: {title, categories: [{label, color, glyph}], of, value(node), text(node)}. `of` has the category of each
// node, value(node) orders nodes, and text(node) says in words what the color says.

import {PASSED, REJECTED, neutral, ramp} from './colors.js';
import {bytes, cores, count, percent} from './format.js';

const BINS = 8;
const LETTERS = 'ABCDEF';
export const RESOURCES = new Map([['cpu', ['CPU', cores, ' cores']], ['memory', ['memory', bytes, '']], ['pods', ['pods', count, '']]]);

// The fraction of a resource that is free, or null if the node has none.
export function freeFraction(table, resource, node) {
  const all = table.allocatable[resource]?.[node];
  const used = table.requested[resource]?.[node] ?? 0;
  return all > 0 ? Math.max(0, (all - used) / all) : null;
}

export function colorByFree(table, resource) {
  const [title, format, unit] = RESOURCES.get(resource);
  const fractions = table.names.map((_, node) => freeFraction(table, resource, node));
  const categories = ramp(10).map((color, bin) => ({label: `${bin * 10}–${bin * 10 + 10}%`, color}));
  categories.push({label: 'none known', color: neutral()});
  return {
    title: `Free ${title}`, categories,
    of: Uint8Array.from(fractions, (one) => one === null ? 10 : Math.min(9, Math.floor(one * 10))),
    value: (node) => fractions[node],
    text(node) {
      if (fractions[node] === null) return `no ${title}`;
      const all = table.allocatable[resource][node];
      const free = all - (table.requested[resource]?.[node] ?? 0);
      return `${percent(fractions[node])} of ${title} free: ${format(free)} of ${format(all)}${unit}`;
    },
  };
}

// rows: for each node its row in the decision, or -1.
export function colorByVerdict(nodes, rows) {
  const plugins = [...new Set(nodes.rejections.map((one) => one.plugin))];
  const own = plugins.length > REJECTED.length ? REJECTED.length - 1 : plugins.length;
  const categories = [{label: 'Passed', color: PASSED}];
  for (let at = 0; at < own; ++at) categories.push({label: plugins[at], color: REJECTED[at], glyph: LETTERS[at]});
  if (own < plugins.length) categories.push({label: 'Other plugins', color: REJECTED[own], glyph: LETTERS[own]});
  categories.push({label: 'Not examined', color: neutral()}, {label: 'Not in the decision', color: neutral(), glyph: '?'});
  const ofPlugin = new Map(plugins.map((one, at) => [one, 1 + Math.min(at, own)]));
  const last = categories.length - 1;
  const category = (row) => {
    if (row < 0) return last;
    if (nodes.hasPassed(row)) return 0;
    return nodes.isExamined(row) ? ofPlugin.get(nodes.rejection(row)?.plugin) ?? last : last - 1;
  };
  const text = (row) => row < 0 ? 'not in the decision' : [nodes.verdictText(row), nodes.reasons(row)].filter(Boolean).join(': ');
  return {title: 'Verdict', categories, of: Uint8Array.from(rows, category), value: (node) => category(rows[node]), text: (node) => text(rows[node])};
}

// values: for each row of the decision a score, or null.
export function colorByScore(title, values, rows) {
  const scoreOf = (node) => rows[node] < 0 ? null : values[rows[node]] ?? null;
  let [low, high] = [Infinity, -Infinity];
  for (const one of values) {
    if (one === null) continue;
    low = Math.min(low, one);
    high = Math.max(high, one);
  }
  // At most eight ranges of whole numbers with the same width.
  const width = Math.ceil((high - low + 1) / BINS);
  const labels = [];
  for (let from = low; from <= high; from += width) {
    const to = Math.min(high, from + width - 1);
    labels.push(from === to ? count(from) : `${count(from)}–${count(to)}`);
  }
  const colors = ramp(labels.length);
  return {
    title, categories: [...labels.map((label, bin) => ({label, color: colors[bin]})), {label: 'Not scored', color: neutral()}],
    of: Uint8Array.from(rows, (_, node) => scoreOf(node) === null ? labels.length : Math.floor((scoreOf(node) - low) / width)),
    value: scoreOf,
    text: (node) => scoreOf(node) === null ? 'not scored' : `${title} ${count(scoreOf(node))}`,
  };
}
