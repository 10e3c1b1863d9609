"""A browser for tests of the page: it collects everything that a page must not do."""
import os
import shutil

from playwright.sync_api import sync_playwright

PROGRAMS = ["chromium", "chromium-headless-shell", "google-chrome"]
# Runs before the page's own modules.
WATCH = """
  window.__violations = [];
  document.addEventListener('securitypolicyviolation', (event) => {
    window.__violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
    console.error('CSP', event.violatedDirective, event.blockedURI, event.sample);
  });
"""


def find_browser(path=None):
    found = path or next((shutil.which(one) for one in PROGRAMS if shutil.which(one)), None)
    if not found:
        raise SystemExit("page_test: there is no Chromium: install Debian's chromium-headless-shell, or name one with --browser")
    return found


class Browser:
    """One browser process. `token` is a bearer token for a scheduler that asks for one."""

    def __init__(self, path=None, token=""):
        self.playwright = sync_playwright().start()
        sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
        self.browser = self.playwright.chromium.launch(executable_path=find_browser(path), args=sandbox)
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}

    def open(self, width=1280, height=900, scheme="light", **options):
        context = self.browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme, ignore_https_errors=True,
                                           extra_http_headers=self.headers, **options)
        return Tab(context)

    def close(self):
        self.browser.close()
        self.playwright.stop()


class Tab:
    """A page, and its errors: of the console, of the content security policy, uncaught ones, and dialogs."""

    def __init__(self, context):
        self.context = context
        self.errors = []
        self.requests = []
        context.add_init_script(WATCH)
        context.set_default_timeout(8000)
        self.page = context.new_page()
        self.page.on("console", self.on_console)
        self.page.on("pageerror", lambda error: self.errors.append(f"uncaught: {error}"))
        self.page.on("dialog", self.on_dialog)
        self.page.on("request", lambda request: self.requests.append(request.url))

    def on_console(self, message):
        if message.type in ("error", "warning"):
            self.errors.append(f"console: {message.text}")

    def on_dialog(self, dialog):
        self.errors.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def visit(self, base, path, wait="h1"):
        """Shows a view from scratch: about:blank in between, because a change of the hash alone loads nothing."""
        self.page.goto("about:blank")
        self.page.goto(f"{base}/explain{path}")
        self.page.wait_for_selector(wait)

    def text(self, selector="main"):
        return self.page.inner_text(selector)

    def count(self, selector):
        return self.page.locator(selector).count()

    def focused(self):
        """Tag and text of the element with the focus."""
        return self.page.evaluate("`${document.activeElement.tagName} ${document.activeElement.innerText ?? ''}`")

    def close(self):
        self.context.close()
