// Builds elements. Text from the cluster is hostile: it reaches the document only as a text node or as a value of an attribute.

// Control characters, and characters that change the direction of text or have no width: shown as escapes.
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

export function visible(text) {
  return String(text ?? '').replace(HIDDEN, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

// el('p', {class: 'x', on: {click: f}}, 'text', child): a string is a text node, and what is empty or false is left out.
export function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === 'on') {
      for (const [type, listener] of Object.entries(value)) made.addEventListener(type, listener);
    } else if (value !== null && value !== undefined && value !== false) {
      made.setAttribute(key, value === true ? '' : value);
    }
  }
  append(made, children);
  return made;
}

export function append(parent, children) {
  for (const child of children.flat()) {
    if (child || child === 0) parent.append(child instanceof Node ? child : visible(child));
  }
}

// Text whose direction does not change the text around it.
export function name(text) {
  return el('bdi', {}, text);
}

export function link(href, ...children) {
  return el('a', {href}, ...children);
}

// Sets the text only if it differs, so that a live region does not repeat itself.
export function setText(element, text) {
  if (element.textContent !== visible(text)) element.textContent = visible(text);
}

// Makes the children of an element again, and gives the focus to the one in the same place.
export function keepFocus(parent, remake) {
  const all = () => [...parent.querySelectorAll('a, button, summary, [tabindex]')];
  const at = all().indexOf(document.activeElement);
  remake();
  if (at >= 0) all()[at]?.focus({preventScroll: true});
}

// A list of facts: [['Node', element or text], ...]; a pair without a value is left out.
export function facts(pairs) {
  const list = el('dl', {class: 'facts'});
  for (const [term, value] of pairs) {
    if (value) list.append(el('div', {}, el('dt', {}, term), el('dd', {}, value)));
  }
  return list;
}

let ids = 0;
export function freshId(prefix) {
  return `${prefix}-${++ids}`;
}

export function button(text, click, attributes = {}) {
  return el('button', {type: 'button', on: {click}, ...attributes}, text);
}

export function panel(title, ...inside) {
  return el('section', {'aria-label': title, class: 'panel'}, el('h2', {}, title), ...inside);
}

function labeled(label, box) {
  return {box, element: el('div', {class: 'field'}, el('label', {for: box.id}, label), box)};
}

// A labeled select. options: [[value, text], ...] or {group: text, options: [...]}.
export function select(label, options, value, onChange) {
  const box = el('select', {id: freshId('select'), on: {change: () => onChange(box.value)}});
  fillSelect(box, options, value);
  return labeled(label, box);
}

// Replaces the options unless they are the same, so that an open list does not close.
export function fillSelect(box, options, value) {
  const print = JSON.stringify(options);
  if (box.dataset.print !== print) {
    box.dataset.print = print;
    box.replaceChildren(...options.map((one) => Array.isArray(one) ? option(one) :
      el('optgroup', {label: one.group}, one.options.map(option))));
  }
  box.value = value;
}

function option([value, text]) {
  return el('option', {value}, text);
}

// A labeled text field that reports after the reader stops typing.
export function field(label, value, placeholder, onChange) {
  let timer = 0;
  const box = el('input', {id: freshId('field'), type: 'search', placeholder, spellcheck: 'false', autocapitalize: 'none', on: {
    input: () => {
      clearTimeout(timer);
      timer = setTimeout(() => onChange(box.value.trim()), 250);
    },
  }});
  box.value = value;
  return labeled(label, box);
}
