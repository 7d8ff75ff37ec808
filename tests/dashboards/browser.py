"""A page of the dashboard in a real browser: what a person would do with it, and what must never happen meanwhile."""

import json
import os
import shutil
from contextlib import contextmanager, suppress
from importlib.resources import files
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.common.exceptions import (
    ElementClickInterceptedException,
    ElementNotInteractableException,
    NoSuchElementException,
    StaleElementReferenceException,
    WebDriverException,
)
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
SHELL = shutil.which("chromium-headless-shell") or CHROMIUM
"""The same engine without what windows need: it takes two thirds of the processors' time."""
DRIVER = shutil.which("chromedriver")
FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking",
    "--disable-component-update", "--no-first-run", "--hide-scrollbars", "--force-device-scale-factor=1",
    # One process draws whatever is opened: the pages are all ours, and starting one for each takes a fifth of the time.
    "--renderer-process-limit=1", "--disable-site-isolation-trials",
    "--disable-features=IsolateOrigins,site-per-process,SpareRendererForSitePerProcess,MediaRouter,Translate",
    # What a browser does for people beside showing a page takes a sixth of the time.
    "--disable-extensions", "--disable-component-extensions-with-background-pages", "--disable-default-apps",
    "--disable-sync", "--disable-client-side-phishing-detection", "--disable-domain-reliability", "--disable-breakpad",
    "--disable-hang-monitor", "--disable-search-engine-choice-screen", "--metrics-recording-only", "--mute-audio",
    "--no-pings",
    # No other host is found, and a page that asks for one complains of it.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
)  # fmt: skip
PATIENCE_S = 120
NOT_YET = (
    ElementClickInterceptedException,
    ElementNotInteractableException,
    NoSuchElementException,
    StaleElementReferenceException,
)
WIDTHS = {"phone": (390, 844), "laptop": (1280, 800), "desk": (1920, 1080), "tablet": (820, 1180)}


def open_browser(binary=CHROMIUM):
    """Return a Chromium that finds no other host, and writes down what its pages complain about."""
    options = webdriver.ChromeOptions()
    options.binary_location = binary
    for flag in FLAGS:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options, Service(DRIVER))
    driver.set_script_timeout(300)  # what looks at a whole page takes its time on a busy machine
    return driver


class Page:
    """What a person sees and does.

    Args:
        driver: the browser.
        dashboard: what serves the pages; None for a page that is opened from disk.
        shots: where screenshots are kept; None to keep none.
    """

    def __init__(self, driver, dashboard, shots: Path | None = None) -> None:
        self.driver, self.dashboard, self.shots = driver, dashboard, shots
        driver.get("about:blank")  # the page before this one asks nothing more of a server that may be gone
        self.size("laptop")
        self.trouble()  # what it left

    def size(self, name):
        width, height = WIDTHS[name]
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def open(self, path, *, steering=True, theme="light"):
        """Open an address of the dashboard and wait until the page is ready."""
        base = f"http://127.0.0.1:{self.dashboard.port}"
        if not steering:  # leave to look is a cookie, which some other page on this origin brings
            self.driver.get(f"{base}/web/tokens.css?token={self.dashboard.token}")
        token = f"{'&' if '?' in path else '?'}token={self.dashboard.token}" if steering else ""
        with self.finding(f"sessionStorage.clear(); localStorage.setItem('theme', '{theme}')"):
            self.driver.get(f"{base}{path}{token}")
        self.until("document.documentElement?.dataset.ready")  # which one that leads elsewhere lacks for a moment
        return self

    def turn_to(self, path):
        """Turn to another view of the page that is open, as Back and Forward do: nothing is loaded again."""
        self.js(
            "document.activeElement.blur(); history.pushState(null, '', arguments[0]);"
            " dispatchEvent(new PopStateEvent('popstate'))",
            path,
        )

    @contextmanager
    def finding(self, script):
        """Run a script before any of a page that is opened meanwhile, to set what it will find."""
        added = self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})
        try:
            yield
        finally:
            try:
                self.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)
            except WebDriverException as error:
                if "Script not found" not in str(error):  # it goes with a page that leads elsewhere
                    raise

    def js(self, text, *given):
        return self.driver.execute_script(text, *given)

    def until(self, expression):
        """Wait for something to be true in the page, and return it."""
        try:
            waiting = WebDriverWait(self.driver, PATIENCE_S, 0.03, [WebDriverException])  # as while another page comes
            return waiting.until(lambda driver: driver.execute_script(f"return {expression}"))
        except WebDriverException as error:
            said = self.js("return document.body?.innerText.slice(0, 600)")  # no body yet while another page comes
            raise AssertionError(f"never came true: {expression}; the page says: {said}") from error

    def until_text(self, selector, text):
        """Wait until an element holds a text."""
        wanted = json.dumps([selector, text])
        self.until(f"(([s, t]) => [...document.querySelectorAll(s)].some((e) => e.textContent.includes(t)))({wanted})")

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector):
        """Return what an element says; one that is drawn anew meanwhile is looked for again."""
        while True:
            with suppress(StaleElementReferenceException):
                return self.find(selector).text

    def click(self, selector):
        """Click an element as soon as it can be: for a moment it may be drawn anew, or covered."""
        self.until(f"document.querySelector({json.dumps(selector)})?.offsetParent")
        WebDriverWait(self.driver, PATIENCE_S, 0.03, NOT_YET).until(lambda driver: self._clicked(selector))

    def _clicked(self, selector):
        element = self.find(selector)
        self.js("arguments[0].scrollIntoView({block: 'nearest'})", element)
        element.click()
        return True

    def write(self, selector, text):
        field = self.find(selector)
        field.clear()
        field.send_keys(text)
        return field

    def enter(self, selector, text):
        self.write(selector, text).send_keys(Keys.ENTER)

    def choose(self, selector, value):
        """Choose one of a list's options; a list that is drawn anew meanwhile is looked for again."""
        WebDriverWait(self.driver, PATIENCE_S, 0.03, NOT_YET).until(lambda driver: self._chosen(selector, value))

    def _chosen(self, selector, value):
        Select(self.find(selector)).select_by_value(value)
        return True

    def press(self, *keys):
        self.find("body").send_keys(*keys)

    def tab(self, name):
        self.click(f"#tab-{name}")

    def shot(self, name):
        """Keep a screenshot as an artifact of the tests."""
        if self.shots is not None:
            self.driver.save_screenshot(str(self.shots / f"{name}.png"))

    @property
    def step(self):
        """The step that the map shows, once it shows one."""
        self.until("document.querySelector('.stage')?.dataset.step !== undefined")
        return int(self.js("return document.querySelector('.stage').dataset.step"))

    def shows(self, step):
        self.until(f"document.querySelector('.stage').dataset.step === '{step}'")

    def barriers(self, impacts=("serious", "critical")):
        """Return what keeps some people from using the page, by axe-core: rules, and elements that break them."""
        axe = files(pytest.importorskip("axe_core_python", reason="needs axe-core-python")) / "axe.min.js"
        self.js(axe.read_text(encoding="utf-8"))
        found = self.driver.execute_async_script("axe.run().then((found) => arguments[0](found.violations))")
        return [
            (each["id"], [node["html"][:200] for node in each["nodes"]][:4])
            for each in found
            if each["impact"] in impacts
        ]

    def trouble(self):
        """Return what the console complained of since the last call, and what the page asked other hosts for."""
        complaints = [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]
        asked = self.js("return performance.getEntriesByType('resource').map((each) => each.name)")
        return complaints + [url for url in asked if not self._own(url)]

    def leave_refused(self, *statuses):
        """Leave a page that its server refused in these ways, as its console tells, if a moment later."""
        complaints = []

        def all_told(_):
            complaints.extend(self.trouble())
            return all(any(f"status of {status} " in each for each in complaints) for status in statuses)

        WebDriverWait(self.driver, PATIENCE_S, 0.03).until(all_told, f"not all of {statuses} were answered")
        self.driver.get("about:blank")
        complaints += self.trouble()
        assert all(any(f"status of {status} " in each for status in statuses) for each in complaints), complaints

    def _own(self, url):
        home = f"http://127.0.0.1:{self.dashboard.port}/" if self.dashboard else "file://"
        return url.startswith((home, "data:", "blob:", "about:"))


def shots_folder():
    """Return where screenshots are kept: the folder that SCREENSHOTS names, or none."""
    named = os.environ.get("SCREENSHOTS")
    if not named:
        return None
    Path(named).mkdir(parents=True, exist_ok=True)
    return Path(named)
