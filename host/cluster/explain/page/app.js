// Shows the view that location.hash names, and leaves the previous one.

import * as cluster from './view_cluster.js';
import * as decision from './view_decision.js';
import * as decisions from './view_decisions.js';
import * as pending from './view_pending.js';
import * as pod from './view_pod.js';
import * as policy from './view_policy.js';
import * as tryChange from './view_try.js';
import {explain} from './api.js';
import {el, visible} from './dom.js';
import {hashOf, parse, podHash} from './route.js';

// Each view has title(route) and show(page).
const VIEWS = new Map(Object.entries({cluster, decisions, decision, pending, pod, policy, try: tryChange}));
const TABS = {decision: 'decisions', pod: 'pending'};  // of the views without a link of their own
const main = document.getElementById('main');
const announcements = document.getElementById('announcements');
let leaving = new AbortController();

function announce(text) {
  announcements.textContent = visible(text);
}

// What a view may use. root, heading, and tools (for buttons) are its elements; signal is aborted when the reader leaves; rest is
// of the hash; state(defaults) gives parameters of the hash, which update(params) changes without showing the view again.
function pageFor(route, heading) {
  const root = el('div');
  return {
    root, heading, announce, tools: el('div', {class: 'live'}), rest: route.rest, signal: leaving.signal,
    state(defaults) {
      return Object.fromEntries(Object.entries(defaults).map(([key, value]) => [key, route.params.get(key) ?? value]));
    },
    update(params) {
      const known = Object.fromEntries(route.params);
      route.params = new URLSearchParams(hashOf('x', '', {...known, ...params}).split('?')[1] ?? '');
      history.replaceState(null, '', hashOf(route.view, route.rest, Object.fromEntries(route.params)));
    },
  };
}

function markTab(tab) {
  for (const item of document.querySelectorAll('#views a')) item.ariaCurrent = item.hash === `#/${tab}` ? 'page' : null;
}

async function show(isFirst) {
  const route = parse(location.hash);
  if (!VIEWS.has(route.view)) route.view = 'cluster';
  leaving.abort();
  leaving = new AbortController();
  const view = VIEWS.get(route.view);
  const title = view.title(route);
  document.title = `${visible(title)} · Berth`;
  markTab(TABS[route.view] ?? route.view);
  const heading = el('h1', {tabindex: '-1'}, title);
  const page = pageFor(route, heading);
  main.replaceChildren(el('div', {class: 'title'}, heading, page.tools), page.root);
  if (!isFirst) {
    scrollTo(0, 0);
    heading.focus({preventScroll: true});
  }
  try {
    await view.show(page);
  } catch (error) {
    if (!page.signal.aborted) page.root.append(el('p', {class: 'error', role: 'alert'}, explain(error)));
  }
}

document.getElementById('skip').addEventListener('click', (event) => {
  event.preventDefault();
  main.focus();
});
document.getElementById('find').addEventListener('submit', (event) => {
  event.preventDefault();
  const text = document.getElementById('find-pod').value.trim();
  if (text !== '') location.hash = podHash(text.includes('/') ? text : `default/${text}`);
});
addEventListener('hashchange', () => show(false));
show(true);
