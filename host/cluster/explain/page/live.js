// Repeats the reading of a view, and shows when it last succeeded, its errors, and a button that pauses it.

import {explain} from './api.js';
import {button, el, setText} from './dom.js';
import {clockTime} from './format.js';

const MOST_SECONDS = 30;

// Calls `work` now and then `seconds()` after each end, until the view is left: never twice at the same time, and not while the
// tab is hidden, the reader has paused, or has selected text.
export class Live {
  constructor(page, seconds, work) {
    this.page = page;
    this.seconds = seconds;
    this.work = work;
    this.paused = false;
    this.failures = 0;
    this.running = false;
    this.again = false;
    this.timer = 0;
    this.build();
    page.signal.addEventListener('abort', () => clearTimeout(this.timer));
    document.addEventListener('visibilitychange', () => document.hidden || this.tick(), {signal: page.signal});
  }

  build() {
    this.button = button('Pause', () => this.toggle(), {'aria-pressed': 'false'});
    this.status = el('span', {class: 'muted'});
    this.error = el('p', {class: 'error', role: 'alert', hidden: true});
    this.page.tools.append(this.status, this.button);
    this.page.root.before(this.error);
  }

  toggle() {
    this.paused = !this.paused;
    this.button.setAttribute('aria-pressed', String(this.paused));
    setText(this.status, this.paused ? 'Paused' : '');
    if (!this.paused) this.tick();
  }

  // Reads now, even if paused: the reader has changed what to show.
  async now() {
    if (this.running) {
      this.again = true;
      return;
    }
    clearTimeout(this.timer);
    this.running = true;
    try {
      await this.work();
      this.succeed();
    } catch (error) {
      if (!this.page.signal.aborted) this.fail(error);
    }
    this.running = false;
    if (this.page.signal.aborted) return;
    if (this.again) {
      this.again = false;
      this.now();
    } else {
      this.plan();
    }
  }

  plan() {
    clearTimeout(this.timer);
    const seconds = Math.min(MOST_SECONDS, this.seconds() * 2 ** Math.min(this.failures, 5));
    this.timer = setTimeout(() => this.tick(), seconds * 1000);
  }

  tick() {
    if (this.paused || this.running || this.page.signal.aborted) return;
    if (document.hidden || isSelecting()) this.plan();
    else this.now();
  }

  succeed() {
    this.failures = 0;
    this.error.hidden = true;
    this.error.textContent = '';
    const at = `Updated ${clockTime(new Date())}`;
    this.status.textContent = this.paused ? `Paused. ${at}` : at;
  }

  fail(error) {
    this.failures += 1;
    setText(this.error, explain(error));
    this.error.hidden = false;
  }
}

function isSelecting() {
  const selection = document.getSelection();
  return selection !== null && !selection.isCollapsed && document.getElementById('main').contains(selection.anchorNode);
}
