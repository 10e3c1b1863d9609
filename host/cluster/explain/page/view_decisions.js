// The newest decisions, which the view reads each second.

import {encode, getJson} from './api.js';
import {decisionColumns} from './decision_parts.js';
import {button, el, field, fillSelect, select, setText} from './dom.js';
import {bytes, count, plural} from './format.js';
import {Live} from './live.js';
import {PagedTable} from './table.js';

const PER_REQUEST = 500;
const MOST = 5000;            // that the page keeps
const POLLS_PER_CHECK = 10;   // empty answers before the view asks whether the scheduler has started again
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
    this.empty = 0;
    this.epoch += 1;     // answers to earlier questions are too late
  }

  start() {
    this.live = new Live(this.page, () => 1, () => this.read());
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
    if ('result' in change) return this.render();
    this.reset();
    return this.live.now();
  }

  path(limit, more = '') {
    const {pod, profile} = this.filters;
    const wanted = pod === '' || pod.includes('/') ? pod : `default/${pod}`;
    return `admin/v1/decisions?limit=${limit}${wanted && `&pod=${encode(wanted)}`}${profile && `&profile=${encode(profile)}`}${more}`;
  }

  async read() {
    const {epoch, newest} = this;
    const {decisions, recorded} = await getJson(this.path(PER_REQUEST, newest ? `&after=${newest}` : ''), this.page.signal);
    if (epoch !== this.epoch) return;
    this.showRecorded(recorded);
    if (decisions.length > 0) this.add(decisions, newest > 0);
    else if (newest > 0) await this.checkRestart(epoch);
    this.render();
  }

  // After a restart of the scheduler the numbers begin again, and nothing is newer than what the list has.
  async checkRestart(epoch) {
    this.empty += 1;
    if (this.empty % POLLS_PER_CHECK !== 0) return;
    const {decisions} = await getJson(this.path(1), this.page.signal);
    if (epoch === this.epoch && (decisions[0]?.id ?? 0) < this.newest) this.reset();
  }

  add(found, isUpdate) {
    this.empty = 0;
    this.newest = found[0].id;
    for (const one of found) this.profiles.add(one.profile);
    fillSelect(this.profile.box, this.profileOptions(), this.filters.profile);
    setText(this.gap, isUpdate && found.length === PER_REQUEST ? 'The scheduler decides faster than the list reads: it skips some.' : '');
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
      const {decisions} = await getJson(this.path(PER_REQUEST, `&before=${this.list.at(-1).id}`), this.page.signal);
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
    const {result} = this.filters;
    this.table.show(result ? this.list.filter((one) => one.result === result) : this.list);
    this.older.hidden = this.list.length === 0 || this.list.length >= MOST;
    this.more.hidden = this.waiting.length === 0;
    setText(this.more, `Show ${plural(this.waiting.length, 'new decision')}`);
  }
}
