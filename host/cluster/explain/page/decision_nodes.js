// The nodes of a decision, as columns: nothing is made for each node before it is needed.

const NOT_EXAMINED = -1;

export class DecisionNodes {
  constructor(nodes) {
    this.names = nodes.names ?? [];
    this.verdicts = nodes.verdicts ?? [];
    this.rejections = nodes.rejections ?? [];
    this.scores = nodes.scores ?? [];
    this.totals = nodes.totals ?? [];
    this.size = this.names.length;
    this.rows = null;   // made when it is needed
  }

  // The row of a node's name, or -1.
  rowOf(name) {
    this.rows ??= new Map(this.names.map((one, row) => [one, row]));
    return this.rows.get(name) ?? -1;
  }

  // For each of these names its row, or -1.
  rowsOf(names) {
    return Int32Array.from(names, (one) => this.rowOf(one));
  }

  isExamined(row) {
    return this.verdicts[row] !== NOT_EXAMINED;
  }

  hasPassed(row) {
    return this.verdicts[row] === 0;
  }

  rejection(row) {
    return this.rejections[this.verdicts[row] - 1];
  }

  reasons(row) {
    return (this.rejection(row)?.reasons ?? []).join(', ');
  }

  verdictText(row) {
    if (!this.isExamined(row)) return 'Not examined';
    if (this.hasPassed(row)) return 'Passed';
    return `Rejected by ${this.rejection(row)?.plugin ?? 'an unknown plugin'}`;
  }

  // How many nodes have each rejection, in the order of `rejections`.
  counts() {
    const counts = new Array(this.rejections.length).fill(0);
    for (const verdict of this.verdicts) if (verdict > 0) counts[verdict - 1] += 1;
    return counts;
  }

  notExamined() {
    return this.verdicts.filter((verdict) => verdict === NOT_EXAMINED).length;
  }

  // [{plugin, nodes, left}], in the order in which the plugins first reject a node.
  funnel() {
    const byPlugin = new Map();
    this.counts().forEach((nodes, at) => {
      const {plugin} = this.rejections[at];
      byPlugin.set(plugin, (byPlugin.get(plugin) ?? 0) + nodes);
    });
    let left = this.size - this.notExamined();
    return [...byPlugin].map(([plugin, nodes]) => ({plugin, nodes, left: left -= nodes}));
  }

  // The first nodes with a rejection, as examples.
  examples(rejection) {
    const found = [];
    for (let row = this.verdicts.indexOf(rejection + 1); row >= 0 && found.length < 3; row = this.verdicts.indexOf(rejection + 1, row + 1)) {
      found.push(this.names[row]);
    }
    return found;
  }
}
