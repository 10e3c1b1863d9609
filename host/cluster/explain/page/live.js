// Repeats the reading of a view; shows the time, errors, and a button that pauses it.

import {explain} from './api.js';
import {button, el, setText} from './dom.js';
import {timeNow} from './format.js';

const MOST_SECONDS = 30;

// Calls `work` now and then `seconds()` after each end, until the reader leaves the view: never twice at the same time, and not
// while the tab is hidden, the reader has paused, or has selected text.
export class Live {
  constructor(page, seconds, work) {
    Object.assign(this, {page, seconds, work, paused: false, running: false, again: false, failures: 0, timer: 0});
    this.button = button('Pause', () => this.toggle(), {'aria-pressed': 'false'});
    this.status = el('span', {class: 'muted'});
    this.error = el('p', {class: 'error', role: 'alert'});
    page.tools.append(this.status, this.button);
    page.root.before(this.error);
    page.signal.addEventListener('abort', () => clearTimeout(this.timer));
    document.addEventListener('visibilitychange', () => document.hidden || this.tick(), {signal: page.signal});
  }

  toggle() {
    this.paused = !this.paused;
    this.button.ariaPressed = String(this.paused);
    setText(this.status, this.paused ? 'Paused' : '');
    this.tick();
  }

  // Reads now, even if paused: the reader has changed what to show.
  async now() {
    this.again = this.running;
    if (this.running) return;
    this.running = true;
    try {
      await this.work();
      this.succeed();
    } catch (error) {
      if (!this.page.signal.aborted) this.fail(error);
    }
    this.running = false;
    if (this.again) this.now();
    else this.plan();
  }

  plan() {
    clearTimeout(this.timer);
    if (this.page.signal.aborted) return;
    const seconds = Math.min(MOST_SECONDS, this.seconds() * 2 ** this.failures);
    this.timer = setTimeout(() => this.tick(), seconds * 1000);
  }

  tick() {
    if (this.paused || this.running || this.page.signal.aborted) return;
    if (document.hidden || isSelecting()) this.plan();
    else this.now();
  }

  succeed() {
    this.failures = 0;
    setText(this.error, '');
    this.status.textContent = `${this.paused ? 'Paused' : 'Updated'} ${timeNow()}`;
  }

  fail(error) {
    this.failures += 1;
    setText(this.error, explain(error));
  }
}

function isSelecting() {
  const selection = document.getSelection();
  return !selection.isCollapsed && document.getElementById('main').contains(selection.anchorNode);
}
