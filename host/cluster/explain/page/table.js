// A table that sorts, and shows 100 rows at a time.

import {button, el, freshId, name, setText} from './dom.js';
import {count} from './format.js';

const PAGE = 100;
const collator = new Intl.Collator('en', {numeric: true});

const compare = (a, b) => typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(a, b);
const isMissing = (value) => value === null || value === undefined || value === '' || Number.isNaN(value);

// Rows in order of a value. Missing values are last in both directions.
export function sorted(rows, value, descending) {
  const keyed = Array.from(rows, (row, at) => ({row, at, value: value(row)}));
  const sign = descending ? -1 : 1;
  keyed.sort((a, b) => {
    const missing = isMissing(a.value) - isMissing(b.value);
    if (missing !== 0) return missing;
    return (isMissing(a.value) ? 0 : sign * compare(a.value, b.value)) || a.at - b.at;
  });
  return keyed.map((one) => one.row);
}

// Columns: {id, title, value(row), cell(row), numeric, header, wide}. value is what the column sorts by, and cell what it shows;
// without value the column does not sort. These two make a column of a field of the rows.
export function textColumn(id, title, more = {}) {
  return {id, title, value: (row) => row[id], cell: (row) => name(row[id]), ...more};
}

export function numberColumn(id, title, format = count, more = {}) {
  return {id, title, numeric: true, value: (row) => row[id], cell: (row) => format(row[id]), ...more};
}

export class PagedTable {
  // options: caption, columns, and key(row), which tells rows apart; and more, as below. onChange gets {sort, down, page}.
  constructor(options) {
    Object.assign(this, {sort: '', down: false, page: 0, empty: 'Nothing to show.', rowClass: () => null, onChange: () => {}, rows: [], order: []}, options);
    this.build();
  }

  build() {
    const id = freshId('table');
    this.head = el('tr', {}, this.columns.map((column) => this.headCell(column)));
    this.body = el('tbody');
    this.table = el('table', {}, el('caption', {id}, this.caption), el('thead', {}, this.head), this.body);
    this.scroller = el('div', {class: 'scroller', role: 'region', tabindex: '0', 'aria-labelledby': id}, this.table);
    this.none = el('p', {class: 'muted'}, this.empty);
    this.pager = this.buildPager();
    this.element = el('div', {class: 'paged'}, this.scroller, this.none, this.pager);
  }

  headCell(column) {
    const words = column.title.split(/(?<=[a-z])(?=[A-Z])/).flatMap((word) => [el('wbr'), word]);
    const title = column.value ? button(words, () => this.sortBy(column)) : words;
    return el('th', {scope: 'col', class: column.numeric && 'number'}, title);
  }

  buildPager() {
    this.previous = button('Previous', () => this.go(this.page - 1));
    this.next = button('Next', () => this.go(this.page + 1));
    this.where = el('span', {class: 'muted'});
    return el('nav', {class: 'pager', 'aria-label': `Pages of: ${this.caption}`}, this.previous, this.where, this.next);
  }

  sortBy(column) {
    this.down = this.sort === column.id ? !this.down : Boolean(column.numeric);
    this.sort = column.id;
    this.page = 0;
    this.show(this.rows);
    this.report();
  }

  go(page) {
    this.page = page;
    this.where.ariaLive = 'polite';  // says the rows, but not when a list that is read again grows
    this.render();
    if (this.element.getBoundingClientRect().top < 0) this.element.scrollIntoView();
    this.report();
  }

  report() {
    this.onChange({sort: this.sort, down: this.down ? '1' : '0', page: this.page > 0 ? this.page + 1 : ''});
  }

  show(rows) {
    this.rows = rows;
    this.where.ariaLive = 'off';
    const column = this.columns.find((one) => one.id === this.sort && one.value);
    this.order = column ? sorted(rows, column.value, this.down) : rows;
    this.columns.forEach((one, at) => {
      this.head.children[at].ariaSort = one !== column ? null : this.down ? 'descending' : 'ascending';
    });
    this.page = Math.max(0, Math.min(this.page, Math.ceil(rows.length / PAGE) - 1));
    this.render();
  }

  render() {
    const from = this.page * PAGE;
    const shown = this.order.slice(from, from + PAGE);
    const focus = this.focused();
    this.body.replaceChildren(...shown.map((row) => this.line(row)));
    if (focus) this.focusAgain(focus);
    const all = this.rows.length;
    this.scroller.hidden = all === 0;
    this.none.hidden = all !== 0;
    this.pager.hidden = all <= PAGE;
    setText(this.where, `Rows ${count(from + 1)}–${count(from + shown.length)} of ${count(all)}`);
    this.previous.disabled = this.page === 0;
    this.next.disabled = from + PAGE >= all;
  }

  line(row) {
    const cells = this.columns.map((column) => column.header ? el('th', {scope: 'row'}, column.cell(row)) :
      el('td', {class: column.numeric ? 'number' : column.wide ? 'wide' : null}, column.cell(row)));
    return el('tr', {class: this.rowClass(row), 'data-key': this.key(row)}, cells);
  }

  // The row and the link that have the focus; they keep it when the rows are made again.
  focused() {
    const line = this.body.contains(document.activeElement) ? document.activeElement.closest('tr') : null;
    return line && {key: line.dataset.key, at: [...line.querySelectorAll('a, button')].indexOf(document.activeElement)};
  }

  focusAgain({key, at}) {
    const line = [...this.body.children].find((one) => one.dataset.key === key);
    const target = line ? line.querySelectorAll('a, button')[at] : this.scroller;
    target?.focus({preventScroll: true});
  }
}
