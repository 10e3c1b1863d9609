// The policy that decides: throughput and latency, profiles, and plugins.

import {explain, getJson, getText} from './api.js';
import {badge, names} from './decision_parts.js';
import {el, panel, setText} from './dom.js';
import {micros, rate} from './format.js';
import {Live} from './live.js';
import {between, hasRestarted, quantile, readMetrics} from './metrics.js';
import {profilesOf} from './profiles.js';
import {sparkline} from './sparkline.js';
import {PagedTable, numberColumn, textColumn} from './table.js';

const SECONDS = 2;
const READINGS = 31;        // in the last minute
const POLICY_EVERY = 5;     // readings of the metrics for each of the policy
const LATENCY = [
  textColumn('profile', 'Profile', {header: true}),
  textColumn('result', 'Result'),
  numberColumn('total', 'Since the start'),
  numberColumn('perSecond', 'Per second', rate),
  ...[50, 90, 99].map((q) => numberColumn(`p${q}`, `p${q}`, (seconds) => micros(seconds * 1e6))),
];
const PLUGINS = [
  textColumn('name', 'Plugin', {header: true}),
  textColumn('state', 'State', {cell: (one) => badge(one.state)}),
  textColumn('version', 'Version'),
  numberColumn('generation', 'Generation'),
  textColumn('library', 'Library'),
  textColumn('digest', 'Digest', {value: null, cell: (one) => el('code', {}, one.digest)}),
];
const IN_PROFILE = [
  textColumn('plugin', 'Plugin', {header: true}),
  numberColumn('weight', 'Weight'),
  textColumn('points', 'Extension points', {cell: (one) => names(one.points)}),
  textColumn('state', 'State', {cell: (one) => one.state ? badge(one.state) : '–'}),
];
const rowClass = (one) => one.state === 'quarantined' && 'is-quarantined';

export const title = () => 'Policy';

export async function show(page) {
  const speed = new Speed();
  const profiles = el('div');
  const plugins = new PagedTable({caption: 'Plugins of the active policy', columns: PLUGINS, key: (one) => one.name, sort: 'name', rowClass});
  const trouble = el('p', {class: 'error', role: 'alert'});
  let round = 0;
  let shown = '';

  async function readPolicy() {
    const [config, list] = await Promise.allSettled([getJson('configz', page.signal), getJson('admin/v1/plugins', page.signal)]);
    if (page.signal.aborted) return;
    const failed = [config, list].filter((one) => one.reason).map((one) => explain(one.reason));
    setText(trouble, failed.join(' '));
    const print = JSON.stringify([config.value, list.value]);
    if (print === shown) return;
    shown = print;
    plugins.show(list.value?.plugins ?? []);
    profiles.replaceChildren(...profilesOf(config.value, list.value).map(profileTable));
  }

  page.root.append(speed.element, trouble, panel('Profiles', profiles), panel('Plugins', plugins.element));
  new Live(page, () => SECONDS, async () => {
    const policy = round++ % POLICY_EVERY === 0 && readPolicy();
    await Promise.all([getText('metrics', page.signal).then((text) => speed.add(readMetrics(text, Date.now()))), policy]);
  }).now();
}

function profileTable(profile) {
  const table = new PagedTable({caption: `Profile ${profile.name}`, key: (one) => one.plugin, columns: IN_PROFILE, rowClass});
  table.show(profile.plugins);
  return table.element;
}

// Throughput and latency of the last minute.
class Speed {
  constructor() {
    this.readings = [];
    this.rates = [];
    this.text = el('p', {class: 'figure'}, '–');
    this.chart = el('div', {class: 'chart', 'aria-hidden': 'true'});
    this.table = new PagedTable({caption: 'Attempts in the last minute, by profile and result. Latencies are estimates from buckets.',
      columns: LATENCY, key: (one) => `${one.profile}\n${one.result}`, empty: 'No attempt yet.'});
    this.element = panel('Throughput and latency', el('div', {class: 'figures'}, this.text, this.chart), this.table.element);
  }

  add(now) {
    const last = this.readings.at(-1);
    if (last && hasRestarted(last, now)) this.readings = [];
    else if (last) this.rates.push(between(last, now).reduce((sum, one) => sum + one.perSecond, 0));
    this.rates = this.rates.slice(1 - READINGS);
    this.readings = [...this.readings, now].slice(-READINGS);
    this.table.show(between(this.readings[0], now).map((one) => ({...one, p50: quantile(0.5, one), p90: quantile(0.9, one), p99: quantile(0.99, one)})));
    if (this.rates.length === 0) return;
    setText(this.text, `${rate(this.rates.at(-1))} attempts per second`);
    this.chart.replaceChildren(sparkline(this.rates, READINGS - 1));
  }
}
