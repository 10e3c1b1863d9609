// The newest decisions, from a stream, or read each second.

import {BASE, encode, getJson} from './api.js';
import {decisionColumns} from './decision_parts.js';
import {button, el, field, fillSelect, select, setText} from './dom.js';
import {bytes, count, plural} from './format.js';
import {Live} from './live.js';
import {PagedTable} from './table.js';

const PER_REQUEST = 500;
const MOST = 5000;  // kept
const ANNOUNCE_MS = 10000;

export const title = () => 'Decisions';

export async function show(page) {
  new DecisionsView(page).start();
}

class DecisionsView {
  constructor(page) {
    this.page = page;
    this.filters = page.state({pod: '', profile: '', result: ''});
    this.profiles = new Set([this.filters.profile]);
    this.announced = 0;
    this.unannounced = 0;
    this.epoch = 0;
    this.reset();
  }

  reset() {
    this.list = [];      // newest first
    this.waiting = [];   // newer ones, while the reader is further down
    this.newest = 0;
    this.epoch += 1;     // earlier answers are too late
    this.stream?.close();
    this.stream = null;
  }

  start() {
    this.live = new Live(this.page, () => 1, () => this.read());
    this.page.signal.addEventListener('abort', () => this.stream?.close());
    this.table = new PagedTable({caption: 'Decisions, newest first', columns: decisionColumns(), key: (one) => one.id,
      empty: 'No decision matches. The list shows new ones as they are made.'});
    this.more = button('', () => this.takeWaiting(), {hidden: true});
    this.older = button('Load older decisions', () => this.readOlder());
    this.recorded = el('p', {class: 'muted'});
    this.gap = el('p', {class: 'note'});
    this.page.root.append(this.toolbar(), this.gap, this.more, this.table.element, this.older, this.recorded);
    this.live.now();
  }

  toolbar() {
    const {pod, profile, result} = this.filters;
    const fields = [
      field('Pod', pod, 'namespace/name', (value) => this.filter({pod: value})),
      this.profile = select('Profile', this.profileOptions(), profile, (value) => this.filter({profile: value})),
      select('Result', [['', 'All'], ...['Scheduled', 'Unschedulable', 'Error'].map((one) => [one, one])], result, (value) => this.filter({result: value})),
    ];
    return el('div', {class: 'toolbar'}, fields.map((one) => one.element));
  }

  profileOptions() {
    return [['', 'All'], ...[...this.profiles].filter(Boolean).sort().map((one) => [one, one])];
  }

  filter(change) {
    Object.assign(this.filters, change);
    this.page.update(this.filters);
    this.reset();
    this.live.now();
  }

  path(what) {
    const add = ([key, value]) => value && `&${key}=${encode(key === 'pod' && !value.includes('/') ? `default/${value}` : value)}`;
    return `admin/v1/decisions?${what}${Object.entries(this.filters).map(add).join('')}`;
  }

  async read() {
    const {epoch, newest} = this;
    let found = this.stream?.readyState === 1 && this.arrived.splice(0).filter((one) => one.id > newest);
    if (!found) {
      const {decisions, recorded, instance} = await getJson(this.path(`limit=${PER_REQUEST}&after=${newest}`), this.page.signal);
      if (epoch !== this.epoch || this.isOther(instance)) return;
      this.showRecorded(recorded);
      found = decisions;
      this.lost = newest > 0 && found.length === PER_REQUEST;
    }
    if (found.length > 0) this.add(found, newest > 0);
    this.render();
    if (!this.stream) this.follow();
  }

  follow() {
    this.arrived = [];
    this.stream = new EventSource(new URL(this.path(`watch&after=${this.newest}`), BASE));
    const on = (kind, take) => this.stream.addEventListener(kind, ({data}) => take(JSON.parse(data)));
    on('decision', (one) => this.arrived.unshift(one) > MOST && this.arrived.pop());
    on('missed', () => (this.lost = true));
    on('instance', ({instance}) => this.isOther(instance));
  }

  // After a restart of the scheduler the numbers begin again.
  isOther(instance) {
    const is = this.instance && this.instance !== instance;
    this.instance = instance;
    if (is) this.reset();
    return is;
  }

  add(found, isUpdate) {
    this.newest = found[0].id;
    for (const one of found) this.profiles.add(one.profile);
    fillSelect(this.profile.box, this.profileOptions(), this.filters.profile);
    setText(this.gap, this.lost ? 'The list skips some: the scheduler decides too fast.' : '');
    this.waiting = [...found, ...this.waiting].slice(0, MOST);
    const isReading = this.table.page > 0 || this.table.element.getBoundingClientRect().top < -40;
    if (!isUpdate || !isReading) this.merge();
    if (isUpdate) this.announce(found.length);
  }

  merge() {
    this.list = [...this.waiting.splice(0), ...this.list].slice(0, MOST);
  }

  takeWaiting() {
    this.merge();
    this.table.page = 0;
    this.render();
    this.page.heading.scrollIntoView();
    this.page.heading.focus();
  }

  async readOlder() {
    const {epoch} = this;
    this.older.disabled = true;
    try {
      const {decisions} = await getJson(this.path(`limit=${PER_REQUEST}&before=${this.list.at(-1).id}`), this.page.signal);
      if (epoch === this.epoch) this.list.push(...decisions);
      this.page.announce(plural(decisions.length, 'older decision'));
      this.render();
    } catch (error) {
      if (!this.page.signal.aborted) this.live.fail(error);
    }
    this.older.disabled = false;
  }

  // A screen reader hears how many there are, at most every ten seconds.
  announce(decisions) {
    this.unannounced += decisions;
    if (Date.now() - this.announced < ANNOUNCE_MS) return;
    this.page.announce(plural(this.unannounced, 'new decision'));
    this.announced = Date.now();
    this.unannounced = 0;
  }

  showRecorded(recorded) {
    if (!recorded) return;
    setText(this.recorded, `The scheduler keeps ${count(recorded.attempts)} of at most ${count(recorded.maxAttempts)} decisions, ` +
      `${count(recorded.withNodes)} of them with all nodes, in ${bytes(recorded.bytes)} of at most ${bytes(recorded.maxBytes)}.`);
  }

  render() {
    this.table.show(this.list);
    this.older.hidden = this.list.length === 0 || this.list.length >= MOST;
    this.more.hidden = this.waiting.length === 0;
    setText(this.more, `Show ${plural(this.waiting.length, 'new decision')}`);
  }
}
