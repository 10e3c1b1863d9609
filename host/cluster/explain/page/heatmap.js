// Draws nodes as cells on a canvas, and lets pointer and keyboard choose one.

import {isDark} from './colors.js';
import {el, freshId, setText} from './dom.js';
import {cornerOf, layOut, moved, placeAt, placeOf} from './heatmap_layout.js';

const GLYPHS_FROM = 13;   // pixels of a cell that has room for a letter
const MARKS_FROM = 7;     // pixels of a cell that can lack a corner, as those of unschedulable nodes do
const NAME_DELAY_MS = 150;

export class HeatMap {
  // view.describe(node) is the text of the tooltip; view.open(node) is called on click and Enter, and view.render() when the
  // colors change.
  constructor(view, signal) {
    Object.assign(this, {view, place: null, highlight: -1, data: null, layout: null, width: 0});
    this.build();
    const observer = new ResizeObserver(() => this.resize());
    observer.observe(this.element);
    signal.addEventListener('abort', () => observer.disconnect());
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => view.render(), {signal});
  }

  build() {
    this.help = el('p', {id: freshId('help'), class: 'muted map-help'},
      'Arrow keys move from node to node, Page Up and Page Down from group to group, and Enter opens the node.');
    this.canvas = el('canvas', {'aria-hidden': 'true'});
    this.cursor = el('div', {class: 'map-cursor', hidden: true});
    this.tip = el('div', {class: 'map-tip', hidden: true, 'aria-hidden': 'true'});
    this.frame = el('div', {class: 'map-frame', tabindex: '0', role: 'application', 'aria-roledescription': 'heat map',
      'aria-describedby': this.help.id, on: {
        pointermove: (event) => this.point(event), pointerleave: () => this.leave(), pointerdown: (event) => this.point(event),
        click: (event) => this.click(event), keydown: (event) => this.press(event), focus: () => this.enter(), blur: () => this.leave(),
      }}, this.canvas, this.cursor, this.tip);
    this.element = el('div', {class: 'map'}, this.frame, this.help);
  }

  // data: {groups: [{label, nodes}], coloring, hasLabels, label, isMarked(node), framed: nodes}
  show(data) {
    const node = this.place ? this.nodeAt(this.place) : -1;
    this.data = data;
    this.frame.setAttribute('aria-label', data.label);
    this.layOut();
    this.place = node >= 0 ? placeOf(this.layout, node) : null;
    this.draw();
    this.mark(false);
  }

  layOut() {
    this.width = this.element.clientWidth;
    const height = Math.max(300, Math.min(640, innerHeight * 0.62));
    this.layout = layOut(this.data.groups, Math.max(60, this.width), height, this.data.hasLabels);
  }

  resize() {
    if (this.data && this.element.clientWidth !== this.width) this.show(this.data);
  }

  setHighlight(category) {
    this.highlight = category;
    this.draw();
  }

  nodeAt({block, at}) {
    return this.layout.blocks[block]?.group.nodes[at] ?? -1;
  }

  draw() {
    const start = performance.now();
    const {layout} = this;
    const scale = devicePixelRatio || 1;
    this.canvas.width = Math.round(layout.width * scale);
    this.canvas.height = Math.round((layout.height + 2) * scale);
    this.canvas.style.width = `${layout.width}px`;
    this.canvas.style.height = `${layout.height + 2}px`;
    this.pen = this.canvas.getContext('2d');
    this.pen.setTransform(scale, 0, 0, scale, 0, 0);
    this.cellsByCategory().forEach((cells, category) => this.drawCells(cells, category));
    this.pen.globalAlpha = 1;
    this.drawLabels();
    for (const node of this.data.framed) this.drawFrame(node);
    performance.clearMeasures('heatmap-draw');
    performance.measure('heatmap-draw', {start, end: performance.now()});
  }

  // For each category its cells, as [x, y, node].
  cellsByCategory() {
    const {coloring} = this.data;
    const cells = coloring.categories.map(() => []);
    for (const {group, columns, x, y} of this.layout.blocks) {
      group.nodes.forEach((node, at) => cells[coloring.of[node]].push(
        [x + (at % columns) * this.layout.pitch, y + Math.floor(at / columns) * this.layout.pitch, node]));
    }
    return cells;
  }

  drawCells(cells, category) {
    const {pen, layout: {cell}} = this;
    const {color, glyph} = this.data.coloring.categories[category];
    pen.globalAlpha = this.highlight < 0 || this.highlight === category ? 1 : 0.12;
    pen.fillStyle = color;
    for (const [x, y] of cells) pen.fillRect(x, y, cell, cell);
    if (glyph && cell >= GLYPHS_FROM) {
      pen.fillStyle = '#10151c';
      this.setFont(Math.min(15, cell * 0.6), 'center', 'middle');
      for (const [x, y] of cells) pen.fillText(glyph, x + cell / 2, y + cell / 2 + 0.5);
    }
    if (cell < MARKS_FROM) return;
    const corner = Math.max(3, cell * 0.3);
    for (const [x, y, node] of cells) if (this.data.isMarked(node)) pen.clearRect(x + cell - corner, y, corner, corner);
  }

  setFont(size, textAlign, textBaseline) {
    Object.assign(this.pen, {font: `600 ${Math.round(size)}px system-ui, sans-serif`, textAlign, textBaseline});
  }

  drawLabels() {
    if (!this.data.hasLabels) return;
    const {pen} = this;
    pen.fillStyle = getComputedStyle(this.element).color;
    this.setFont(12, 'left', 'alphabetic');
    for (const {group, x, y, width} of this.layout.blocks) {
      let text = group.label.slice(0, 100);
      while (pen.measureText(text).width > width && text.length > 2) text = `${text.slice(0, -2)}…`;
      pen.fillText(text, x, y - 7);
    }
  }

  drawFrame(node) {
    const {x, y} = cornerOf(this.layout, placeOf(this.layout, node));
    const {pen, layout: {cell}} = this;
    pen.lineWidth = 2;
    pen.strokeStyle = isDark() ? '#fff' : '#000';
    pen.strokeRect(x - 1, y - 1, cell + 2, cell + 2);
  }

  point(event) {
    if (!this.layout) return;
    const box = this.canvas.getBoundingClientRect();
    this.place = placeAt(this.layout, event.clientX - box.left, event.clientY - box.top);
    this.mark(false);
  }

  click(event) {
    this.point(event);
    if (this.place) this.view.open(this.nodeAt(this.place));
  }

  enter() {
    if (!this.layout?.blocks.length || !this.frame.matches(':focus-visible')) return;
    this.place ??= {block: 0, at: 0};
    this.mark(true);
  }

  leave() {
    if (document.activeElement === this.frame && this.frame.matches(':focus-visible')) return;
    this.place = null;
    this.mark(false);
  }

  press(event) {
    if (!this.layout?.blocks.length || event.ctrlKey || event.metaKey || event.altKey) return;
    this.place ??= {block: 0, at: 0};
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.view.open(this.nodeAt(this.place));
      return;
    }
    const next = moved(this.layout, this.place, event.key);
    if (!next) return;
    event.preventDefault();
    this.place = next;
    this.mark(true);
    this.cursor.scrollIntoView({block: 'nearest', inline: 'nearest'});
  }

  // Shows the cursor and the tooltip at the place; a screen reader says the text if the keyboard has moved there.
  mark(aloud) {
    this.cursor.hidden = this.tip.hidden = this.place === null;
    if (this.place === null) return;
    const {x, y} = cornerOf(this.layout, this.place);
    const {cell} = this.layout;
    this.cursor.style.transform = `translate(${x - 2}px, ${y - 2}px)`;
    this.cursor.style.width = this.cursor.style.height = `${cell + 4}px`;
    const text = this.view.describe(this.nodeAt(this.place));
    setText(this.tip, text);
    this.tip.style.transform = this.tipPosition(x, y, cell);
    clearTimeout(this.saying);
    if (aloud) this.saying = setTimeout(() => this.view.page.announce(text), NAME_DELAY_MS);
  }

  tipPosition(x, y, cell) {
    const {offsetWidth: width, offsetHeight: height} = this.tip;
    const left = Math.max(0, Math.min(this.layout.width - width, x + (cell - width) / 2));
    return `translate(${left}px, ${y - height < -32 ? y + cell + 8 : y - height - 8}px)`;
  }
}
