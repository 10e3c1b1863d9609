// The pods that wait, by cause.

import {getJson} from './api.js';
import {names, podLink} from './decision_parts.js';
import {el, field, name, select, setText} from './dom.js';
import {age, count, percent, plural, time} from './format.js';
import {Live} from './live.js';
import {groupBy} from './node_groups.js';
import {PagedTable, numberColumn, textColumn} from './table.js';

const LIMIT = 1000;
const MOST_MESSAGES = 8;
const WHERE = [['active', 'ready to be scheduled'], ['backoff', 'wait a moment after a failure'], ['unschedulable', 'wait for an event'],
  ['gated', 'held back before the queue'], ['binding', 'have a node and are being bound']];
const COLUMNS = [
  textColumn('pod', 'Pod', {header: true, cell: (one) => podLink(one.pod)}),
  textColumn('where', 'Queue'),
  textColumn('since', 'Since', {cell: (one) => el('time', {datetime: one.since, title: time(one.since)}, age(one.since))}),
  numberColumn('attempts', 'Attempts'),
  textColumn('profile', 'Profile'),
  textColumn('message', 'Message', {wide: true, cell: (one) => el('span', {class: 'clamp'}, name(one.message))}),
];

export const title = () => 'Pending pods';

export async function show(page) {
  const state = page.state({where: '', filter: ''});
  const causes = new Causes(page);
  const tiles = new Map(WHERE.map(([where]) => [where, el('dd', {}, '–')]));
  const cut = el('p', {class: 'note'});
  let pods = [];

  const render = () => {
    const wanted = state.filter.toLowerCase();
    causes.show(pods.filter((one) => (!state.where || one.where === state.where) && `${one.pod}\n${one.message}`.toLowerCase().includes(wanted)));
  };
  const choose = (change) => {
    Object.assign(state, change);
    page.update(change);
    render();
  };
  const read = async () => {
    const answer = await getJson(`admin/v1/queue?limit=${LIMIT}`, page.signal);
    for (const [where, tile] of tiles) setText(tile, count(answer[where]));
    pods = answer.pods;
    setText(cut, pods.length < LIMIT ? '' : `The causes below are those of ${count(pods.length)} pods.`);
    render();
  };

  page.root.append(
    el('dl', {class: 'tiles'}, WHERE.map(([where, meaning]) => el('div', {}, el('dt', {}, where), tiles.get(where), el('dd', {class: 'muted'}, meaning)))),
    el('div', {class: 'toolbar'},
      select('Queue', [['', 'All'], ...WHERE.map(([one]) => [one, one])], state.where, (where) => choose({where})).element,
      field('Pod or message', state.filter, 'contains…', (filter) => choose({filter})).element),
    cut, el('h2', {}, 'Causes'), causes.none, causes.element);
  new Live(page, () => 5, read).now();
}

// The plugins that reject a pod, or else where it waits.
const pluginsOf = (pod) => [...(pod.rejectedBy ?? [])].sort();
const causeOf = (pod) => pluginsOf(pod).join('\n') || `where ${pod.where}`;

// Messages that differ only in numbers are the same reason.
const reasonOf = (pod) => (pod.message ?? '').replace(/\d+/g, '0');
const largestFirst = (groups) => [...groups].sort((a, b) => b[1].length - a[1].length);

class Causes {
  constructor(page) {
    this.page = page;
    this.groups = new Map();  // by cause
    this.element = el('div');
    this.none = el('p', {class: 'muted'});
  }

  show(pods) {
    const byCause = groupBy(pods, causeOf);
    for (const [cause, {element}] of this.groups) {
      if (byCause.has(cause)) continue;
      element.remove();
      this.groups.delete(cause);
    }
    largestFirst(byCause).forEach(([cause, members], at) => {
      if (!this.groups.has(cause)) this.groups.set(cause, new Cause(this.page, cause, members[0]));
      const {element} = this.groups.get(cause).show(members, pods.length);
      if (this.element.children[at] !== element) this.element.insertBefore(element, this.element.children[at] ?? null);
    });
    setText(this.none, pods.length > 0 ? '' : 'No pod.');
  }
}

// One cause: its share, its messages, and a table of pods that is filled when the reader opens it.
class Cause {
  constructor(page, cause, sample) {
    const plugins = pluginsOf(sample);
    this.number = el('span');
    this.share = el('span', {class: 'left'});
    this.reason = el('span', {class: 'muted clamp'});
    this.messages = el('ul', {class: 'messages', 'aria-label': 'Messages'});
    this.table = new PagedTable({caption: 'Pods with this cause', columns: COLUMNS, key: (one) => one.pod, sort: 'since'});
    this.element = el('details', {class: 'panel cause'},
      el('summary', {}, el('span', {class: 'cause-title'}, plugins.length > 0 ? names(plugins) : `Not rejected by a plugin, ${sample.where}`),
        this.number, this.reason, el('span', {class: 'bar', 'aria-hidden': 'true'}, this.share)),
      this.messages, this.table.element);
    this.element.open = page.state({cause: ''}).cause === cause;
    this.element.addEventListener('toggle', () => {
      if (this.element.open) page.update({cause});
      this.fill();
    });
  }

  show(pods, all) {
    this.pods = pods;
    this.reasons = largestFirst(groupBy(pods, reasonOf));
    setText(this.number, `${plural(pods.length, 'pod')} · ${percent(pods.length / all)}`);
    setText(this.reason, this.reasons[0][1][0].message);
    this.share.style.width = `${(100 * pods.length) / all}%`;
    this.fill();
    return this;
  }

  fill() {
    if (!this.element.open) return;
    const more = this.reasons.length - MOST_MESSAGES;
    this.messages.replaceChildren(...this.reasons.slice(0, MOST_MESSAGES).map(([, pods]) =>
      el('li', {}, el('span', {class: 'number'}, `${count(pods.length)} ×`), name(pods[0].message || 'no message yet'))));
    if (more > 0) this.messages.append(el('li', {class: 'muted'}, `and ${plural(more, 'other message')}`));
    this.table.show(this.pods);
  }
}
