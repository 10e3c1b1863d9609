// The nodes as a heat map.

import {encode, explain, getJson} from './api.js';
import {RESOURCES, colorByFree, colorByScore, colorByVerdict} from './coloring.js';
import {DecisionNodes} from './decision_nodes.js';
import {badge, decisionLink, nodeLink, podLink} from './decision_parts.js';
import {append, button, el, fillSelect, keepFocus, name, select, setText} from './dom.js';
import {count, plural} from './format.js';
import {HeatMap} from './heatmap.js';
import {Legend} from './legend.js';
import {Live} from './live.js';
import {nodeFacts} from './node_facts.js';
import {groupLabel, groupsOf, orderOf} from './node_groups.js';
import {PagedTable, textColumn} from './table.js';

const ZONE = 'topology.kubernetes.io/zone';
const MORE_LABELS = [ZONE, 'node.kubernetes.io/instance-type', 'kubernetes.io/arch'];
const NO_GROUP = '-';       // is no key of a label
const MANY_NODES = 2000;    // an answer about more nodes is large

export const title = () => 'Cluster';

export async function show(page) {
  const view = new ClusterView(page);
  view.live.now();
}

class ClusterView {
  constructor(page) {
    this.page = page;
    this.state = page.state({group: '', color: 'cpu', decision: '', order: 'name', node: ''});
    this.table = null;      // the answer of /admin/v1/nodes
    this.recent = [];       // decisions with nodes
    this.decision = null;   // the one that is shown, and its nodes
    this.nodes = null;
    this.facts = null;
    this.live = new Live(page, () => this.table?.names.length > MANY_NODES ? 30 : 5, () => this.read());
    this.map = new HeatMap(this, page.signal);
    this.legend = new Legend((category) => this.map.setHighlight(category));
    this.note = el('p', {class: 'note', role: 'status'});
    this.about = el('p');
    this.count = el('p', {class: 'muted map-help'});
    this.side = el('div', {class: 'side'});
    this.body = el('div', {class: 'with-side', hidden: true}, el('div', {class: 'panel'}, this.legend.element, this.map.element, this.count), this.side);
    page.root.append(this.toolbar(), this.note, this.about, this.body, this.tableAlternative());
  }

  toolbar() {
    const made = (key, label, options) => select(label, options, this.state[key], (value) => this.choose(key, value));
    this.selects = {color: made('color', 'Color by', this.colorOptions()), decision: made('decision', 'Decision', this.decisionOptions()),
      group: made('group', 'Group by', [[this.state.group, this.state.group || 'Zone']]),
      order: made('order', 'Order by', [['name', 'Name'], ['value', 'Color']])};
    return el('div', {class: 'toolbar'}, Object.values(this.selects).map((one) => one.element));
  }

  // What the reader has chosen stays an option even if it is not among those that are known now.
  colorOptions() {
    const scores = new Set((this.nodes?.scores ?? []).map((one) => `score:${one.plugin}`));
    if (this.state.color.startsWith('score:')) scores.add(this.state.color);
    return [
      {group: 'Now', options: [...RESOURCES].map(([key, [text]]) => [key, `Free ${text}`])},
      {group: 'A decision', options: [['verdict', 'Verdict'], ['total', 'Total score'], ...[...scores].map((one) => [one, `Score of ${one.slice(6)}`])]},
    ];
  }

  decisionOptions() {
    const {decision} = this.state;
    const texts = new Map(decision ? [[decision, `#${decision}`]] : []);
    for (const one of this.recent) texts.set(String(one.id), `#${one.id} ${one.pod}, ${one.result}`);
    return [['', 'Newest with nodes'], ...texts];
  }

  groupOptions() {
    const keys = new Set([...this.table.labelKeys ?? [], this.state.group]);
    const hasZones = keys.has(ZONE);
    for (const one of ['', ZONE, NO_GROUP]) keys.delete(one);
    return [['', hasZones ? 'Zone' : 'Nothing'], ...hasZones ? [[NO_GROUP, 'Nothing']] : [], ...[...keys].map((one) => [one, one])];
  }

  choose(key, value) {
    this.state[key] = value;
    this.page.update({[key]: value});
    if (key === 'order') this.render();
    else this.live.now();
  }

  get groupKey() {
    if (this.state.group === NO_GROUP) return '';
    return this.state.group || (this.table.labelKeys?.includes(ZONE) ? ZONE : '');
  }

  get needsDecision() {
    return this.state.decision !== '' || !RESOURCES.has(this.state.color);
  }

  labelKeys() {
    const {group} = this.state;
    return [...new Set([group === NO_GROUP ? '' : group, ...MORE_LABELS])].filter(Boolean).slice(0, 4);
  }

  async read() {
    const {signal} = this.page;
    const query = this.labelKeys().map((key) => `label=${encode(key)}`).join('&');
    const [table, trouble] = await Promise.all([getJson(`admin/v1/nodes?${query}`, signal), this.readDecisions().then(() => '', (error) => explain(error))]);
    if (signal.aborted) return;
    this.table = table;
    setText(this.note, trouble);
    this.render();
  }

  async readDecisions() {
    const {signal} = this.page;
    const answer = await getJson('admin/v1/decisions?limit=100', signal);
    this.recent = (answer.decisions ?? []).filter((one) => one.withNodes);
    const wanted = this.needsDecision ? String(this.state.decision || (this.recent[0]?.id ?? '')) : '';
    if (wanted !== '' && wanted === String(this.decision?.id)) return;
    this.decision = this.nodes = null;
    if (wanted === '') return;
    this.decision = await getJson(`admin/v1/decisions/${encode(wanted)}`, signal);
    this.nodes = this.decision.nodes ? new DecisionNodes(this.decision.nodes) : null;
  }

  coloring() {
    const {color} = this.state;
    if (RESOURCES.has(color)) return colorByFree(this.table, color);
    const nodes = this.nodes ?? new DecisionNodes({});
    const rows = nodes.rowsOf(this.table.names);
    if (color === 'total') return colorByScore('Total score', nodes.totals, rows);
    if (!color.startsWith('score:')) return colorByVerdict(nodes, rows);
    const plugin = color.slice(6);
    return colorByScore(`Score of ${plugin}`, nodes.scores.find((one) => one.plugin === plugin)?.values ?? [], rows);
  }

  render() {
    if (!this.table) return;
    fillSelect(this.selects.color.box, this.colorOptions(), this.state.color);
    fillSelect(this.selects.decision.box, this.decisionOptions(), this.state.decision);
    fillSelect(this.selects.group.box, this.groupOptions(), this.state.group);
    this.shown = this.coloring();
    this.order = orderOf(this.table, this.state.order, this.shown);
    this.body.hidden = false;
    this.legend.show(this.shown);
    this.showAbout();
    this.showMap();
    this.showFacts();
    this.showTable();
  }

  showMap() {
    const key = this.groupKey;
    const {names, unschedulable} = this.table;
    const groups = groupsOf(this.table, key, this.order);
    const cordoned = unschedulable.filter(Boolean).length;
    this.map.show({
      groups, coloring: this.shown, hasLabels: key !== '', isMarked: (node) => unschedulable[node],
      framed: [this.decision?.node, this.state.node].map((one) => names.indexOf(one)).filter((node) => node >= 0),
      label: `Heat map of ${plural(names.length, 'node')}${key ? ` in ${plural(groups.length, 'group')} by ${key}` : ''}, colored by: ${this.shown.title}`,
    });
    setText(this.count, `${plural(names.length, 'node')}. ${cordoned ? `${count(cordoned)} cordoned: a corner is missing. ` : ''}` +
      `${this.decision?.node ? 'The node that the decision chose has a frame.' : ''}`);
  }

  showAbout() {
    const {decision} = this;
    this.about.replaceChildren();
    if (this.needsDecision) append(this.about, decision ? ['Decision ', decisionLink(decision.id), ' about ', podLink(decision.pod), ' ', badge(decision.result), ' ',
      decision.node && nodeLink(decision.node, {decision: decision.id}), !this.nodes && ' The scheduler has no record of its nodes.'] :
      ['No recorded decision has the verdicts of its nodes.']);
  }

  describe(node) {
    const {names, unschedulable} = this.table;
    return [names[node], groupLabel(this.table, this.groupKey, node), this.shown.text(node), unschedulable[node] ? 'cordoned' : ''].filter(Boolean).join(' · ');
  }

  open(node) {
    this.openNode(this.table.names[node]);
  }

  openNode(node) {
    this.state.node = node;
    this.page.update({node});
    this.render();
    (this.facts?.heading ?? this.map.frame).focus({preventScroll: true});
    this.facts?.element.scrollIntoView({block: 'nearest'});
  }

  showFacts() {
    const {node: nodeName} = this.state;
    this.facts = nodeName === '' ? null : nodeFacts({nodeName, node: this.table.names.indexOf(nodeName), table: this.table,
      labels: this.labelKeys(), decision: this.decision, nodes: this.nodes, close: () => this.openNode('')});
    keepFocus(this.side, () => this.side.replaceChildren(...this.facts ? [this.facts.element] : []));
  }

  tableAlternative() {
    const column = (id, heading, text, more = {}) => textColumn(id, heading, {value: text, cell: (node) => name(text(node)), ...more});
    const nameOf = (node) => this.table.names[node];
    this.list = new PagedTable({
      caption: 'Nodes with the value that colors them', key: (node) => node,
      columns: [
        column('node', 'Node', nameOf, {header: true, cell: (node) => button(name(nameOf(node)), () => this.openNode(nameOf(node)), {class: 'as-link'})}),
        column('group', 'Group', (node) => groupLabel(this.table, this.groupKey, node)),
        column('value', 'Value', (node) => this.shown.text(node), {value: (node) => this.shown.value(node)}),
        column('pods', 'Pods', (node) => this.table.pods[node], {numeric: true}),
        column('cordoned', 'Cordoned', (node) => this.table.unschedulable[node] ? 'yes' : 'no'),
      ],
    });
    this.details = el('details', {class: 'panel', on: {toggle: () => this.showTable()}}, el('summary', {}, 'The heat map as a table'), this.list.element);
    return this.details;
  }

  showTable() {
    if (this.details.open && this.table) this.list.show(this.order);
  }
}
