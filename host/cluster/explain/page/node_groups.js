// Nodes in groups by a label, and in order.

import {visible} from './dom.js';
import {plural} from './format.js';
import {sorted} from './table.js';

const MOST_GROUPS = 100;
const WITHOUT = '(no label)';

// The nodes in the natural order of their names, or from the highest value to the lowest.
export function orderOf(table, order, coloring) {
  const nodes = table.names.map((_, node) => node);
  const byValue = order === 'value';
  return sorted(nodes, (node) => byValue ? coloring.value(node) : table.names[node], byValue);
}

// A Map of the keys to lists.
export function groupBy(list, keyOf) {
  const groups = new Map();
  for (const one of list) {
    const key = keyOf(one);
    if (groups.has(key)) groups.get(key).push(one);
    else groups.set(key, [one]);
  }
  return groups;
}

export function groupLabel(table, key, node) {
  return key ? table.labels[key]?.[node] ?? WITHOUT : '';
}

// [{label, nodes}]: the largest groups if there are too many, and then one with the nodes of all others.
export function groupsOf(table, key, order) {
  if (!key) return order.length > 0 ? [{label: '', nodes: order}] : [];
  const byValue = groupBy(order, (node) => groupLabel(table, key, node));
  const groups = sorted([...byValue].map(([label, nodes]) => ({label, nodes})), (one) => one.label === WITHOUT ? null : one.label, false);
  return merged(groups).map(({label, nodes}) => ({nodes, label: `${visible(label)} · ${plural(nodes.length, 'node')}`}));
}

function merged(groups) {
  if (groups.length <= MOST_GROUPS) return groups;
  const bySize = sorted(groups, (one) => one.nodes.length, true);
  const kept = new Set(bySize.slice(0, MOST_GROUPS - 1));
  const others = groups.filter((one) => !kept.has(one));
  return [...groups.filter((one) => kept.has(one)), {label: plural(others.length, 'other value'), nodes: others.flatMap((one) => one.nodes)}];
}
