// Draws nodes as cells on a canvas, and lets pointer and keyboard choose one.

import {isDark} from './colors.js';
import {el, freshId, setText} from './dom.js';
import {cornerOf, layOut, moved, placeAt, placeOf} from './heatmap_layout.js';

const GLYPHS_FROM = 13;   // pixels of a cell that has room for a letter
const MARKS_FROM = 7;     // pixels of a cell that has room for the mark of an unschedulable node
const NAME_DELAY_MS = 150;

export class HeatMap {
  // describe(node) is the text of the tooltip, and what a screen reader says; open(node) is called on click and Enter.
  constructor({describe, open, signal}) {
    Object.assign(this, {describe, open, place: null, highlight: -1, data: null, layout: null, width: 0});
    this.build();
    const observer = new ResizeObserver(() => this.resize());
    observer.observe(this.element);
    signal.addEventListener('abort', () => observer.disconnect());
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.recolor?.(), {signal});
  }

  build() {
    const help = freshId('help');
    this.canvas = el('canvas', {'aria-hidden': 'true'});
    this.cursor = el('div', {class: 'map-cursor', hidden: true});
    this.tip = el('div', {class: 'map-tip', hidden: true, 'aria-hidden': 'true'});
    this.said = el('div', {class: 'hidden', role: 'status', 'aria-live': 'polite'});
    this.frame = el('div', {class: 'map-frame', tabindex: '0', role: 'application', 'aria-roledescription': 'heat map',
      'aria-describedby': help, on: {
        pointermove: (event) => this.point(event), pointerleave: () => this.leave(), pointerdown: (event) => this.point(event),
        click: (event) => this.click(event), keydown: (event) => this.press(event), focus: () => this.enter(), blur: () => this.leave(),
      }}, this.canvas, this.cursor, this.tip);
    this.element = el('div', {class: 'map'}, this.frame, this.said, el('p', {id: help, class: 'muted map-help'},
      'Arrow keys move from node to node, Page Up and Page Down from group to group, and Enter opens the node.'));
  }

  // data: {groups: [{label, nodes}], coloring, hasLabels, label, isMarked(node), chosen: node or -1, selected: node or -1}
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
    this.pen = this.canvas.getContext('2d', {alpha: true});
    this.pen.setTransform(scale, 0, 0, scale, 0, 0);
    this.pen.clearRect(0, 0, layout.width, layout.height + 2);
    this.drawCells(this.cellsByCategory());
    this.drawLabels();
    this.drawRing(this.data.chosen);
    this.drawRing(this.data.selected);
    performance.clearMeasures('heatmap-draw');
    performance.measure('heatmap-draw', {start, end: performance.now()});
  }

  // For each category the corners of its cells, one after the other, and the nodes.
  cellsByCategory() {
    const {coloring} = this.data;
    const cells = coloring.categories.map(() => ({corners: [], nodes: []}));
    for (const {group, columns, x, y} of this.layout.blocks) {
      group.nodes.forEach((node, at) => {
        const cell = cells[coloring.of[node]];
        cell.corners.push(x + (at % columns) * this.layout.pitch, y + Math.floor(at / columns) * this.layout.pitch);
        cell.nodes.push(node);
      });
    }
    return cells;
  }

  drawCells(cells) {
    const {pen, layout: {cell}} = this;
    cells.forEach(({corners, nodes}, category) => {
      const {color, glyph} = this.data.coloring.categories[category];
      pen.globalAlpha = this.highlight < 0 || this.highlight === category ? 1 : 0.12;
      pen.fillStyle = color;
      pen.strokeStyle = this.ink('--muted');
      for (let at = 0; at < corners.length; at += 2) {
        if (color === 'transparent') pen.strokeRect(corners[at] + 0.5, corners[at + 1] + 0.5, cell - 1, cell - 1);
        else pen.fillRect(corners[at], corners[at + 1], cell, cell);
      }
      if (glyph && cell >= GLYPHS_FROM) this.drawGlyphs(corners, glyph);
      if (cell >= MARKS_FROM) this.drawMarks(corners, nodes);
    });
    pen.globalAlpha = 1;
  }

  drawGlyphs(corners, glyph) {
    const {pen, layout: {cell}} = this;
    pen.fillStyle = glyph === '?' ? this.ink('--muted') : '#10151c';
    pen.font = `600 ${Math.round(Math.min(15, cell * 0.6))}px system-ui, sans-serif`;
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    for (let at = 0; at < corners.length; at += 2) pen.fillText(glyph, corners[at] + cell / 2, corners[at + 1] + cell / 2 + 0.5);
  }

  // Unschedulable nodes lack a corner.
  drawMarks(corners, nodes) {
    const {pen, layout: {cell}} = this;
    const size = Math.max(4, cell * 0.4);
    pen.fillStyle = this.ink('--surface');
    nodes.forEach((node, at) => {
      if (!this.data.isMarked(node)) return;
      const right = corners[2 * at] + cell;
      const top = corners[2 * at + 1];
      pen.beginPath();
      pen.moveTo(right - size, top);
      pen.lineTo(right, top);
      pen.lineTo(right, top + size);
      pen.fill();
    });
  }

  drawLabels() {
    if (!this.data.hasLabels) return;
    const {pen} = this;
    pen.fillStyle = this.ink('--text');
    pen.font = '600 12px system-ui, sans-serif';
    pen.textAlign = 'left';
    pen.textBaseline = 'alphabetic';
    for (const {group, x, y, width} of this.layout.blocks) pen.fillText(this.fitting(group.label, width), x, y - 7);
  }

  fitting(text, width) {
    if (this.pen.measureText(text.slice(0, 200)).width <= width) return text.slice(0, 200);
    let [low, high] = [0, Math.min(200, text.length)];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.pen.measureText(`${text.slice(0, middle)}…`).width <= width) low = middle;
      else high = middle - 1;
    }
    return `${text.slice(0, low)}…`;
  }

  drawRing(node) {
    const place = node >= 0 ? placeOf(this.layout, node) : null;
    if (!place) return;
    const {x, y} = cornerOf(this.layout, place);
    const {pen, layout: {cell}} = this;
    pen.lineWidth = 2;
    pen.strokeStyle = isDark() ? '#fff' : '#000';
    pen.strokeRect(x - 1, y - 1, cell + 2, cell + 2);
    pen.lineWidth = 1;
  }

  ink(variable) {
    return getComputedStyle(this.element).getPropertyValue(variable).trim() || '#888';
  }

  point(event) {
    if (!this.layout) return;
    const box = this.canvas.getBoundingClientRect();
    this.place = placeAt(this.layout, event.clientX - box.left, event.clientY - box.top);
    this.mark(false);
  }

  click(event) {
    this.point(event);
    if (this.place) this.open(this.nodeAt(this.place));
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
      this.open(this.nodeAt(this.place));
      return;
    }
    const next = moved(this.layout, this.place, event.key);
    if (!next) return;
    event.preventDefault();
    this.place = next;
    this.mark(true);
    this.cursor.scrollIntoView({block: 'nearest', inline: 'nearest'});
  }

  // Shows the cursor and the tooltip at the place, and says the text if the keyboard has moved there.
  mark(aloud) {
    this.cursor.hidden = this.tip.hidden = this.place === null;
    if (this.place === null) return;
    const {x, y} = cornerOf(this.layout, this.place);
    const {cell} = this.layout;
    this.cursor.style.transform = `translate(${x - 2}px, ${y - 2}px)`;
    this.cursor.style.width = this.cursor.style.height = `${cell + 4}px`;
    const text = this.describe(this.nodeAt(this.place));
    setText(this.tip, text);
    this.tip.style.transform = this.tipPosition(x, y, cell);
    clearTimeout(this.saying);
    if (aloud) this.saying = setTimeout(() => setText(this.said, text), NAME_DELAY_MS);
  }

  tipPosition(x, y, cell) {
    const {offsetWidth: width, offsetHeight: height} = this.tip;
    const left = Math.max(0, Math.min(this.layout.width - width, x + cell / 2 - width / 2));
    const top = y - height - 8 < -40 ? y + cell + 8 : y - height - 8;
    return `translate(${left}px, ${top}px)`;
  }
}
