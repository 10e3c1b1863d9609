// The pods that wait, by cause.

import {getJson} from './api.js';
import {names, podLink} from './decision_parts.js';
import {el, field, name, select, setText} from './dom.js';
import {age, count, percent, plural, time} from './format.js';
import {Live} from './live.js';
import {groupBy} from './node_groups.js';
import {PagedTable, numberColumn, textColumn} from './table.js';

const LIMIT = 1000;
const WHERE = [['active', 'ready to be scheduled'], ['backoff', 'wait a moment after a failure'], ['unschedulable', 'wait for an event'],
  ['gated', 'held back before the queue'], ['binding', 'have a node and are being bound']];
const MOST_MESSAGES = 8;

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
  new PendingView(page).start();
}

class PendingView {
  constructor(page) {
    this.page = page;
    this.groups = new Map();  // by cause
    this.where = page.params.get('where') ?? '';
    this.filter = page.params.get('filter') ?? '';
    this.pods = [];
  }

  start() {
    this.live = new Live(this.page, () => 5, () => this.read());
    this.tiles = new Map(WHERE.map(([where]) => [where, el('dd', {}, '–')]));
    const tiles = el('dl', {class: 'tiles', 'aria-label': 'Pods in the queue'}, WHERE.map(([where, meaning]) =>
      el('div', {}, el('dt', {}, where), this.tiles.get(where), el('dd', {class: 'muted'}, meaning))));
    const where = select('Queue', [['', 'All'], ...WHERE.map(([one]) => [one, one])], this.where, (value) => this.choose({where: value}));
    const filter = field('Pod or message', this.filter, 'contains…', (value) => this.choose({filter: value}));
    this.cut = el('p', {class: 'note', hidden: true});
    this.none = el('p', {class: 'muted', hidden: true}, 'No pod waits.');
    this.list = el('div', {class: 'causes'});
    this.page.root.append(tiles, el('div', {class: 'toolbar'}, where.element, filter.element), this.cut, el('h2', {}, 'Causes'), this.none, this.list);
    this.live.now();
  }

  choose(change) {
    Object.assign(this, change);
    this.page.update(change);
    this.render();
  }

  async read() {
    const answer = await getJson(`admin/v1/queue?limit=${LIMIT}`, this.page.signal);
    for (const [where] of WHERE) setText(this.tiles.get(where), count(answer[where]));
    this.pods = answer.pods ?? [];
    const all = WHERE.reduce((sum, [where]) => sum + (where === 'binding' ? 0 : answer[where] ?? 0), 0);
    this.cut.hidden = all <= this.pods.length;
    setText(this.cut, `The causes below are those of ${count(this.pods.length)} of the ${count(all)} pods.`);
    this.render();
  }

  shown() {
    const wanted = this.filter.toLowerCase();
    return this.pods.filter((one) => (this.where === '' || one.where === this.where) &&
      (wanted === '' || one.pod.toLowerCase().includes(wanted) || (one.message ?? '').toLowerCase().includes(wanted)));
  }

  render() {
    const pods = this.shown();
    const byCause = groupBy(pods, causeOf);
    const causes = [...byCause].sort((a, b) => b[1].length - a[1].length || a[0].localeCompare(b[0]));
    for (const key of this.groups.keys()) if (!byCause.has(key)) this.drop(key);
    causes.forEach(([key, members], at) => {
      if (!this.groups.has(key)) this.groups.set(key, new CauseGroup(this.page, key, members[0]));
      const group = this.groups.get(key);
      group.update(members, pods.length);
      if (this.list.children[at] !== group.element) this.list.insertBefore(group.element, this.list.children[at] ?? null);
    });
    this.none.hidden = pods.length > 0;
    setText(this.none, this.pods.length > 0 ? 'No pod matches.' : 'No pod waits.');
  }

  drop(key) {
    this.groups.get(key).element.remove();
    this.groups.delete(key);
  }
}

// Pods have the same cause if the same plugins reject them; pods that no plugin rejects, if they wait in the same place.
function causeOf(pod) {
  const plugins = [...(pod.rejectedBy ?? [])].sort();
  return plugins.length > 0 ? plugins.join('\n') : `where ${pod.where}`;
}

const WITHOUT_PLUGIN = {active: 'Not rejected: next in the queue', backoff: 'Not rejected: backs off after an error', gated: 'Gated'};

function causeTitle(pod) {
  const plugins = [...(pod.rejectedBy ?? [])].sort();
  return plugins.length > 0 ? names(plugins) : WITHOUT_PLUGIN[pod.where] ?? 'Not rejected by a plugin';
}

// Messages that differ only in numbers are the same reason.
const reasonOf = (pod) => (pod.message ?? '').replace(/\d+/g, '0');

// One cause: its share, its messages, and a table of pods that is made when the reader opens it.
class CauseGroup {
  constructor(page, key, sample) {
    this.page = page;
    this.key = key;
    this.pods = [];
    this.number = el('span', {class: 'cause-count'});
    this.share = el('span', {class: 'left'});
    this.reason = el('span', {class: 'muted clamp'});
    this.messages = el('ul', {class: 'messages'});
    this.table = null;
    this.inside = el('div', {class: 'cause-inside'}, el('h3', {}, 'Messages'), this.messages);
    this.element = el('details', {class: 'panel cause', on: {toggle: () => this.toggled()}},
      el('summary', {}, el('span', {class: 'cause-title'}, causeTitle(sample)), this.number, this.reason,
        el('span', {class: 'bar', 'aria-hidden': 'true'}, this.share)),
      this.inside);
    this.element.open = page.params.get('cause') === key;
  }

  update(pods, all) {
    this.pods = pods;
    setText(this.number, `${plural(pods.length, 'pod')} · ${percent(pods.length / all)}`);
    this.share.style.width = `${(100 * pods.length) / all}%`;
    this.reasons = [...groupBy(pods, reasonOf).values()].sort((a, b) => b.length - a.length);
    setText(this.reason, this.reasons[0][0].message ?? '');
    if (this.element.open) this.fill();
  }

  toggled() {
    if (this.element.open) {
      this.page.update({cause: this.key});
      this.fill();
    }
  }

  fill() {
    const {reasons} = this;
    this.messages.replaceChildren(...reasons.slice(0, MOST_MESSAGES).map((pods) => el('li', {},
      el('span', {class: 'number'}, `${count(pods.length)} ×`), el('span', {}, pods[0].message ? name(pods[0].message) : 'no message yet'))));
    if (reasons.length > MOST_MESSAGES) this.messages.append(el('li', {class: 'muted'}, `and ${plural(reasons.length - MOST_MESSAGES, 'other message')}`));
    if (!this.table) {
      this.table = new PagedTable({caption: 'Pods with this cause', columns: COLUMNS, key: (one) => one.pod, sort: 'since'});
      this.inside.append(this.table.element);
    }
    this.table.show(this.pods);
  }
}
