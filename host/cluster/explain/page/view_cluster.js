// The nodes as a heat map.

import {encode, explain, getJson} from './api.js';
import {RESOURCES, colorByFree, colorByScore, colorByVerdict} from './coloring.js';
import {DecisionNodes} from './decision_nodes.js';
import {badge, decisionLink, nodeLink, podLink} from './decision_parts.js';
import {append, button, el, fillSelect, name, select, setText} from './dom.js';
import {plural} from './format.js';
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
  new ClusterView(page).start();
}

class ClusterView {
  constructor(page) {
    this.page = page;
    this.state = {group: '', color: 'cpu', decision: '', order: 'name', node: ''};
    for (const key of Object.keys(this.state)) this.state[key] = page.params.get(key) ?? this.state[key];
    this.table = null;      // the answer of /admin/v1/nodes
    this.recent = [];       // decisions with nodes
    this.decision = null;   // the one that is shown, and its nodes
    this.nodes = null;
    this.facts = null;
  }

  start() {
    this.live = new Live(this.page, () => (this.table?.names.length ?? 0) > MANY_NODES ? 30 : 5, () => this.read());
    this.map = new HeatMap({describe: (node) => this.describe(node), open: (node) => this.openNode(this.table.names[node]), signal: this.page.signal});
    this.map.recolor = () => this.render();
    this.legend = new Legend((category) => this.map.setHighlight(category));
    this.note = el('p', {class: 'note', role: 'status', hidden: true});
    this.about = el('p', {class: 'about', hidden: true});
    this.count = el('p', {class: 'muted map-help'});
    this.side = el('div', {class: 'side'});
    this.body = el('div', {class: 'with-side', hidden: true}, el('div', {class: 'panel'}, this.legend.element, this.map.element, this.count), this.side);
    this.page.root.append(this.toolbar(), this.note, this.about, this.body, this.tableAlternative());
    this.live.now();
  }

  toolbar() {
    this.selects = {
      color: select('Color by', this.colorOptions(), this.state.color, (value) => this.choose({color: value})),
      decision: select('Decision', this.decisionOptions(), this.state.decision, (value) => this.choose({decision: value})),
      group: select('Group by', [['', 'Zone']], this.state.group, (value) => this.choose({group: value})),
      order: select('Order by', [['name', 'Name'], ['value', 'Color']], this.state.order, (value) => this.choose({order: value})),
    };
    return el('div', {class: 'toolbar'}, Object.values(this.selects).map((one) => one.element));
  }

  colorOptions() {
    const scores = (this.nodes?.scores ?? []).map((one) => [`score:${one.plugin}`, `Score of ${one.plugin}`]);
    const {color} = this.state;
    if (color.startsWith('score:') && !scores.some(([value]) => value === color)) scores.push([color, `Score of ${color.slice(6)}`]);
    return [
      {group: 'Now', options: [...RESOURCES].map(([key, [text]]) => [key, `Free ${text}`])},
      {group: 'A decision', options: [['verdict', 'Verdict'], ['total', 'Total score'], ...scores]},
    ];
  }

  decisionOptions() {
    const {decision} = this.state;
    const listed = this.recent.map((one) => [String(one.id), `#${one.id} ${one.pod}, ${one.result}`]);
    if (decision !== '' && !listed.some(([value]) => value === decision)) listed.unshift([decision, `#${decision}`]);
    return [['', 'Newest with nodes'], ...listed];
  }

  groupOptions() {
    const keys = this.table.labelKeys ?? [];
    const {group} = this.state;
    if (group !== '' && group !== NO_GROUP && !keys.includes(group)) keys.push(group);
    return [['', keys.includes(ZONE) ? 'Zone' : 'Nothing'], [NO_GROUP, 'Nothing'], ...keys.filter((one) => one !== ZONE).map((one) => [one, one])]
      .filter(([value]) => value !== NO_GROUP || keys.includes(ZONE));
  }

  choose(change) {
    Object.assign(this.state, change);
    this.page.update({...this.state, color: this.state.color === 'cpu' ? '' : this.state.color, order: this.state.order === 'name' ? '' : this.state.order});
    if ('order' in change) this.render();
    else this.live.now();
  }

  get groupKey() {
    if (this.state.group === NO_GROUP) return '';
    return this.state.group || (this.table?.labelKeys?.includes(ZONE) ? ZONE : '');
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
    this.note.hidden = trouble === '';
    setText(this.note, trouble);
    this.render();
  }

  async readDecisions() {
    const {signal} = this.page;
    const answer = await getJson('admin/v1/decisions?limit=100', signal);
    this.recent = (answer.decisions ?? []).filter((one) => one.withNodes);
    const wanted = this.state.decision || this.recent[0]?.id;
    if (!this.needsDecision || wanted === undefined) {
      this.decision = this.nodes = null;
    } else if (String(this.decision?.id) !== String(wanted)) {
      this.decision = this.nodes = null;
      const decision = await getJson(`admin/v1/decisions/${encode(wanted)}`, signal);
      this.decision = decision;
      this.nodes = decision.nodes ? new DecisionNodes(decision.nodes) : null;
    }
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
      chosen: this.decision && this.nodes ? names.indexOf(this.decision.node) : -1, selected: this.state.node ? names.indexOf(this.state.node) : -1,
      label: `Heat map of ${plural(names.length, 'node')}${key ? ` in ${plural(groups.length, 'group')} by ${key}` : ''}, colored by: ${this.shown.title}`,
    });
    setText(this.count, `${plural(names.length, 'node')}${cordoned ? `, ${plural(cordoned, 'of them is', 'of them are')} cordoned: these lack a corner` : ''}. ` +
      `${this.decision?.node ? 'The node that the decision chose has a frame.' : ''}`);
  }

  showAbout() {
    const {decision} = this;
    this.about.hidden = !this.needsDecision;
    this.about.replaceChildren();
    append(this.about, decision ? ['Decision ', decisionLink(decision.id), ' about ', podLink(decision.pod), ' ', badge(decision.result), ' ',
      decision.node && nodeLink(decision.node, {decision: decision.id}), !this.nodes && ' The scheduler has no record of its nodes.'] :
      ['No recorded decision has the verdicts of its nodes.']);
  }

  describe(node) {
    const key = this.groupKey;
    const group = key ? [groupLabel(this.table, key, node)] : [];
    const cordoned = this.table.unschedulable[node] ? ['cordoned'] : [];
    return [this.table.names[node], ...group, this.shown.text(node), ...cordoned].join(' · ');
  }

  openNode(nodeName) {
    this.state.node = nodeName;
    this.page.update({node: nodeName});
    this.render();
    this.facts.heading.focus({preventScroll: true});
    this.facts.element.scrollIntoView({block: 'nearest'});
  }

  closeNode() {
    this.state.node = '';
    this.page.update({node: ''});
    this.render();
    this.map.frame.focus({preventScroll: true});
  }

  showFacts() {
    const {node: nodeName} = this.state;
    const had = this.facts?.element.contains(document.activeElement) ? document.activeElement.tagName : '';
    this.side.replaceChildren();
    this.facts = null;
    if (nodeName === '') return;
    this.facts = nodeFacts({nodeName, node: this.table.names.indexOf(nodeName), table: this.table, labels: this.labelKeys(),
      decision: this.decision, nodes: this.nodes, close: () => this.closeNode()});
    this.side.append(this.facts.element);
    if (had) (this.facts.element.querySelector(had === 'BUTTON' ? 'button' : 'h2')).focus({preventScroll: true});
  }

  tableAlternative() {
    const column = (id, heading, text, more = {}) => textColumn(id, heading, {value: text, cell: (node) => name(text(node)), ...more});
    this.list = new PagedTable({
      caption: 'Nodes with the value that colors them', key: (node) => node,
      columns: [
        column('node', 'Node', (node) => this.table.names[node], {header: true, cell: (node) => this.nodeButton(this.table.names[node])}),
        column('group', 'Group', (node) => groupLabel(this.table, this.groupKey, node)),
        column('value', 'Value', (node) => this.shown.text(node), {value: (node) => this.shown.value(node)}),
        column('pods', 'Pods', (node) => this.table.pods[node], {numeric: true}),
        column('cordoned', 'Cordoned', (node) => this.table.unschedulable[node] ? 'yes' : 'no'),
      ],
    });
    this.details = el('details', {class: 'panel', on: {toggle: () => this.showTable()}}, el('summary', {}, 'The heat map as a table'), this.list.element);
    return this.details;
  }

  nodeButton(nodeName) {
    return button(name(nodeName), () => this.openNode(nodeName), {class: 'as-link'});
  }

  showTable() {
    if (this.details.open && this.table) this.list.show(this.order);
  }
}
