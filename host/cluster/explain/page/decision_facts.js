// What a decision records besides its nodes: what started the attempt, how long its parts took, and whom it evicts.

import {el, name, panel} from './dom.js';
import {podLink} from './decision_parts.js';
import {count, micros, plural} from './format.js';
import {PagedTable, numberColumn, textColumn} from './table.js';

// The event, and the plugin that asked for the attempt because of it.
export function cause(queued) {
  if (!queued?.event) return '';
  return el('span', {}, name(queued.event), queued.plugin && el('span', {}, ', for ', name(queued.plugin)));
}

export function gate(queued) {
  return queued?.gated > 0 && el('span', {}, name(queued.gate), ` (${plural(queued.gated, 'time')})`);
}

export function times(decision) {
  return Object.entries(decision.pointMicroseconds ?? {}).map(([point, taken]) => `${point} ${micros(taken)}`).join(', ');
}

export function victims(decision) {
  if (!decision.victims?.length) return '';
  const table = new PagedTable({
    caption: `${plural(decision.victimCount, 'pod')} must leave ${decision.nominatedNode}`, key: (one) => one.pod, columns: [
      textColumn('pod', 'Pod', {header: true, cell: (one) => podLink(one.pod)}),
      numberColumn('priority', 'Priority', count),
      textColumn('plugin', 'Plugin'),
      textColumn('reason', 'Why the pod does not fit beside it', {wide: true}),
    ],
  });
  table.show(decision.victims);
  return panel('Victims', table.element);
}
