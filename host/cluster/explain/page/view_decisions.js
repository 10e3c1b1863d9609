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
    this.filters = {pod: '', profile: '', result: ''};
    for (const key of Object.keys(this.filters)) this.filters[key] = page.params.get(key) ?? '';
    this.profiles = new Set(this.filters.profile ? [this.filters.profile] : []);
    this.reset();
  }

  reset() {
    this.list = [];      // newest first
    this.waiting = [];   // newer ones, while the reader is further down
    this.newest = 0;
    this.empty = 0;
    this.announced = Date.now();
    this.unannounced = 0;
    this.epoch = (this.epoch ?? 0) + 1;
  }

  start() {
    this.live = new Live(this.page, () => 1, () => this.read());
    this.table = new PagedTable({caption: 'Decisions, newest first', columns: decisionColumns(), key: (one) => one.id,
      empty: 'No decision matches. The list shows new ones as they are made.'});
    this.more = button('', () => this.takeWaiting(), {hidden: true});
    this.older = button('Load older decisions', () => this.readOlder());
    this.recorded = el('p', {class: 'muted'});
    this.gap = el('p', {class: 'note', hidden: true});
    this.page.root.append(this.toolbar(), this.gap, this.more, this.table.element, this.older, this.recorded);
    this.live.now();
  }

  toolbar() {
    const pod = field('Pod', this.filters.pod, 'namespace/name', (value) => this.filter({pod: value}));
    this.profile = select('Profile', this.profileOptions(), this.filters.profile, (value) => this.filter({profile: value}));
    const result = select('Result', [['', 'All'], ['Scheduled', 'Scheduled'], ['Unschedulable', 'Unschedulable'], ['Error', 'Error']],
      this.filters.result, (value) => this.filter({result: value}));
    return el('div', {class: 'toolbar'}, pod.element, this.profile.element, result.element);
  }

  profileOptions() {
    return [['', 'All'], ...[...this.profiles].sort().map((one) => [one, one])];
  }

  filter(change) {
    Object.assign(this.filters, change);
    this.page.update(this.filters);
    if ('result' in change) {
      this.render();
      return;
    }
    this.reset();
    this.live.now();
  }

  // The API knows names of pods only with their namespace.
  path(more) {
    const {pod, profile} = this.filters;
    const wanted = pod === '' || pod.includes('/') ? pod : `default/${pod}`;
    return `admin/v1/decisions?limit=${PER_REQUEST}${wanted ? `&pod=${encode(wanted)}` : ''}${profile ? `&profile=${encode(profile)}` : ''}${more}`;
  }

  async read() {
    const {epoch, newest} = this;
    const answer = await getJson(this.path(newest ? `&after=${newest}` : ''), this.page.signal);
    if (epoch !== this.epoch) return;
    this.showRecorded(answer.recorded);
    const found = answer.decisions ?? [];
    if (newest > 0 && found.length === 0) await this.checkRestart(epoch);
    else this.add(found, newest > 0);
    this.render();
  }

  // After a restart of the scheduler the numbers begin again, and nothing is newer than what the list has.
  async checkRestart(epoch) {
    this.empty += 1;
    if (this.empty % POLLS_PER_CHECK !== 0) return;
    const answer = await getJson(this.path('').replace(`limit=${PER_REQUEST}`, 'limit=1'), this.page.signal);
    if (epoch === this.epoch && (answer.decisions?.[0]?.id ?? 0) < this.newest) this.reset();
  }

  add(found, isUpdate) {
    if (found.length === 0) return;
    this.empty = 0;
    this.newest = found[0].id;
    for (const one of found) this.profiles.add(one.profile);
    fillSelect(this.profile.box, this.profileOptions(), this.filters.profile);
    this.gap.hidden = !(isUpdate && found.length === PER_REQUEST);
    setText(this.gap, `The scheduler decides faster than the list reads: it shows the newest ${count(PER_REQUEST)} of each second.`);
    const reading = isUpdate && (this.table.page > 0 || this.table.element.getBoundingClientRect().top < -40);
    if (reading) this.waiting = [...found, ...this.waiting].slice(0, MOST);
    else this.list = [...found, ...this.waiting.splice(0), ...this.list].slice(0, MOST);
    if (isUpdate) this.announce(found.length);
  }

  takeWaiting() {
    this.list = [...this.waiting.splice(0), ...this.list].slice(0, MOST);
    this.table.page = 0;
    this.render();
    this.page.heading.scrollIntoView();
    this.table.scroller.focus({preventScroll: true});
  }

  async readOlder() {
    const oldest = this.list.at(-1)?.id;
    if (!oldest) return;
    const {epoch} = this;
    this.older.disabled = true;
    try {
      const answer = await getJson(this.path(`&before=${oldest}`), this.page.signal);
      if (epoch !== this.epoch) return;
      this.list.push(...answer.decisions);
      this.page.announce(answer.decisions.length ? `${plural(answer.decisions.length, 'older decision')} loaded` : 'There are no older decisions');
      this.render();
    } catch (error) {
      if (!this.page.signal.aborted) this.live.fail(error);
    } finally {
      this.older.disabled = false;
    }
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
