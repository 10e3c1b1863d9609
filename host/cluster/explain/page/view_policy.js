// The policy that decides: throughput and latency, profiles, and plugins.

import {explain, getJson, getText} from './api.js';
import {badge, names} from './decision_parts.js';
import {el, name, panel, setText, svg} from './dom.js';
import {count, micros, rate} from './format.js';
import {Live} from './live.js';
import {between, hasRestarted, quantile, readMetrics} from './metrics.js';
import {profilesOf} from './profiles.js';
import {PagedTable, numberColumn, textColumn} from './table.js';

const SECONDS = 2;
const WINDOW = 31;          // readings, one minute
const POLICY_EVERY = 5;     // readings of the metrics for each of the policy
const QUANTILES = [['p50', 0.5], ['p90', 0.9], ['p99', 0.99]];

export const title = () => 'Policy';

export async function show(page) {
  new PolicyView(page).start();
}

class PolicyView {
  constructor(page) {
    this.page = page;
    this.readings = [];
    this.rates = [];
    this.round = 0;
    this.print = '';
  }

  start() {
    this.live = new Live(this.page, () => SECONDS, () => this.read());
    this.speed = el('p', {class: 'figure'}, '–');
    this.chart = el('div', {class: 'chart', 'aria-hidden': 'true'});
    this.latency = new PagedTable({caption: 'Attempts in the last minute, by profile and result. Latencies are estimates from buckets.',
      columns: LATENCY, key: (one) => `${one.profile}\n${one.result}`, empty: 'No attempt yet.'});
    this.profiles = el('div');
    this.plugins = new PagedTable({caption: 'Plugins of the active policy', columns: PLUGINS, key: (one) => one.name, sort: 'name',
      rowClass: (one) => one.state === 'quarantined' ? 'is-quarantined' : null, empty: 'The scheduler names no plugin.'});
    this.trouble = el('p', {class: 'error', role: 'alert', hidden: true});
    this.page.root.append(panel('Throughput and latency', el('div', {class: 'figures'}, this.speed, this.chart), this.latency.element),
      this.trouble, panel('Profiles', this.profiles), panel('Plugins', this.plugins.element));
    this.live.now();
  }

  async read() {
    const policy = this.round++ % POLICY_EVERY === 0 ? this.readPolicy() : Promise.resolve();
    await Promise.all([this.readMetrics(), policy]);
  }

  async readMetrics() {
    const now = readMetrics(await getText('metrics', this.page.signal), Date.now());
    const last = this.readings.at(-1);
    if (last && hasRestarted(last, now)) this.readings = [];
    else if (last) this.rates = [...this.rates, sum(between(last, now))].slice(-(WINDOW - 1));
    this.readings = [...this.readings, now].slice(-WINDOW);
    const rows = between(this.readings[0], now).map((one) => this.readings.length > 1 ? one : {...one, perSecond: null, buckets: []});
    this.latency.show(rows);
    if (this.rates.length === 0) return;
    setText(this.speed, `${rate(this.rates.at(-1))} attempts per second`);
    this.chart.replaceChildren(sparkline(this.rates));
  }

  async readPolicy() {
    const {signal} = this.page;
    const [config, plugins] = await Promise.allSettled([getJson('configz', signal), getJson('admin/v1/plugins', signal)]);
    if (signal.aborted) return;
    const failed = [config, plugins].filter((one) => one.status === 'rejected').map((one) => explain(one.reason));
    this.trouble.hidden = failed.length === 0;
    setText(this.trouble, failed.join(' '));
    const list = plugins.value?.plugins ?? [];
    const print = JSON.stringify([config.value ?? null, list]);
    if (print === this.print) return;
    this.print = print;
    this.plugins.show(list);
    const states = new Map(list.map((one) => [one.name, one.state]));
    this.profiles.replaceChildren(...profilesOf(config.value ?? {}).map((profile) => profileTable(profile, states)));
  }
}

const sum = (rows) => rows.reduce((all, one) => all + one.perSecond, 0);

function sparkline(rates) {
  const [width, height] = [300, 48];
  const most = Math.max(...rates, 1e-9);
  const points = rates.map((one, at) =>
    `${((width * at) / Math.max(1, WINDOW - 2)).toFixed(1)},${(height - 2 - ((height - 4) * one) / most).toFixed(1)}`);
  return svg('svg', {viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none'}, svg('polyline', {points: points.join(' '), class: 'spark'}));
}

function latencyCell(q) {
  return (one) => {
    const found = quantile(q, one.buckets);
    return found ? `${found.isLeast ? '> ' : ''}${micros(found.seconds * 1e6)}` : '–';
  };
}

const LATENCY = [
  textColumn('profile', 'Profile', {header: true}),
  textColumn('result', 'Result'),
  numberColumn('total', 'Since the start'),
  numberColumn('perSecond', 'Per second', rate),
  ...QUANTILES.map(([id, q]) => ({id, title: id, numeric: true, value: (one) => quantile(q, one.buckets)?.seconds ?? null, cell: latencyCell(q)})),
];

const PLUGINS = [
  textColumn('name', 'Plugin', {header: true}),
  textColumn('state', 'State', {cell: (one) => badge(one.state)}),
  textColumn('version', 'Version'),
  numberColumn('generation', 'Generation'),
  textColumn('library', 'Library', {wide: true}),
  {id: 'digest', title: 'Digest', cell: (one) => digest(one.digest ?? '')},
];

// The first characters of a digest; all of them when the reader opens it.
function digest(text) {
  const short = text.replace(/^sha256:/, '').slice(0, 12);
  return el('details', {class: 'digest'}, el('summary', {}, el('code', {}, short)), el('code', {}, text));
}

function profileTable(profile, states) {
  const table = new PagedTable({
    caption: `Profile ${profile.name}`, key: (one) => one.plugin, empty: 'The profile names no plugin.',
    rowClass: (one) => states.get(one.plugin) === 'quarantined' ? 'is-quarantined' : null,
    columns: [
      textColumn('plugin', 'Plugin', {header: true}),
      numberColumn('weight', 'Weight'),
      textColumn('points', 'Extension points', {cell: (one) => names(one.points)}),
      {id: 'state', title: 'State', value: (one) => states.get(one.plugin), cell: (one) => states.has(one.plugin) ? badge(states.get(one.plugin)) : '–'},
    ],
  });
  table.show(profile.plugins);
  return table.element;
}
