// The legend of a coloring. Each entry is a button that shows only the nodes of its category.

import {button, el, keepFocus, name} from './dom.js';
import {count} from './format.js';

export class Legend {
  // highlight(category) is called with -1 for all.
  constructor(highlight) {
    this.highlight = highlight;
    this.chosen = -1;
    this.title = '';
    this.element = el('div', {class: 'legend', role: 'group'});
  }

  show(coloring) {
    if (coloring.title !== this.title) this.choose(-1);
    this.title = coloring.title;
    this.element.setAttribute('aria-label', `Legend: ${coloring.title}. A button shows only the nodes of its color.`);
    const counts = new Array(coloring.categories.length).fill(0);
    for (const category of coloring.of) counts[category] += 1;
    const entries = coloring.categories.map((category, at) => this.entry(category, at, counts[at])).filter(Boolean);
    keepFocus(this.element, () => this.element.replaceChildren(el('span', {class: 'legend-title'}, name(coloring.title)), ...entries));
    this.mark();
  }

  entry({label, color, glyph}, at, nodes) {
    if (nodes === 0) return null;
    const swatch = el('span', {class: 'swatch', 'aria-hidden': 'true'}, glyph);
    swatch.style.backgroundColor = color;
    return button([swatch, name(label), el('span', {class: 'muted number'}, count(nodes))],
      () => this.choose(this.chosen === at ? -1 : at), {class: 'legend-entry', 'data-category': at});
  }

  choose(category) {
    if (this.chosen === category) return;
    this.chosen = category;
    this.mark();
    this.highlight(category);
  }

  mark() {
    for (const one of this.element.querySelectorAll('button')) one.ariaPressed = String(Number(one.dataset.category) === this.chosen);
  }
}
