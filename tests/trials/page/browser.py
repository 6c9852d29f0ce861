"""A headless Chromium, driven over the pipe of the DevTools protocol, and a headless Firefox.
Needs nothing but Python."""

import base64
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time

NAMES = ["chromium", "chromium-browser", "google-chrome", "chrome"]


def find():
    """The path of a browser, or None."""
    given = os.environ.get("CHROMIUM")
    return given or next(filter(None, map(shutil.which, NAMES)), None)


def find_firefox():
    """The path of a Firefox, or None."""
    given = os.environ.get("FIREFOX")
    return given or shutil.which("firefox-esr") or shutil.which("firefox")


def end(process, profile):
    """Waits for a browser that was asked to end, and removes its profile."""
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
    shutil.rmtree(profile, ignore_errors=True)


class Browser:
    """A browser with one tab. Collects console messages, exceptions and requests."""

    def __init__(self, path):
        self.profile = tempfile.mkdtemp(prefix="profan-page-")
        to_browser, self.to = os.pipe()
        self.back, from_browser = os.pipe()

        def place():
            # Above the descriptors that it must have.
            reading, writing = os.dup2(to_browser, 60), os.dup2(from_browser, 61)
            os.dup2(reading, 3)
            os.dup2(writing, 4)

        flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
                 "--disable-background-networking", "--disable-component-update", "--no-first-run",
                 "--disable-sync", "--disable-extensions", "--hide-scrollbars", "--mute-audio",
                 "--disable-dev-shm-usage", f"--user-data-dir={self.profile}", "about:blank"]
        self.process = subprocess.Popen([path, *flags], preexec_fn=place, close_fds=False,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer, self.number, self.session = b"", 0, None
        self.messages, self.requests, self.events = [], [], []
        self.n_opened = 0
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(one for one in targets if one["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log", "Network"]:
            self.call(f"{domain}.enable")

    def read(self):
        while b"\0" not in self.buffer:
            piece = os.read(self.back, 1 << 20)
            if not piece:
                raise RuntimeError("the browser ended")
            self.buffer += piece
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def note(self, message):
        method, params = message.get("method"), message.get("params", {})
        if method == "Runtime.consoleAPICalled":
            self.messages.append(str([one.get("value") for one in params["args"]]))
        elif method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.messages.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Log.entryAdded":
            self.messages.append(params["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        self.events.append(method)

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.note(answer)

    def open(self, path, fragment=""):
        """Loads a page anew, and waits until it is loaded."""
        self.messages, self.requests, self.events = [], [], []
        # An address that differs in its fragment alone is not loaded again.
        self.n_opened += 1
        self.call("Page.navigate", url=f"file://{os.path.abspath(path)}?{self.n_opened}{fragment}")
        while "Page.loadEventFired" not in self.events:
            self.note(self.read())

    def run(self, script):
        """The value of an expression, which may be a promise."""
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise AssertionError(details.get("exception", {}).get("description") or details["text"])
        return answer["result"].get("value")

    def size(self, width, height, is_dark=False, features=()):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=False)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme, *features])

    def key(self, key, text=None):
        codes = {"Enter": 13, "Escape": 27, "Backspace": 8, "ArrowUp": 38, "ArrowDown": 40, "ArrowLeft": 37,
                 "ArrowRight": 39, "Home": 36, "End": 35, "Tab": 9, "PageDown": 34}
        more = {"text": text or (key if len(key) == 1 else "\r" if key == "Enter" else "")}
        code = codes.get(key, ord(key[0]))
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, **more)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def screenshot(self):
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])

    def pdf(self):
        return base64.b64decode(self.call("Page.printToPDF", printBackground=True)["data"])

    def paper(self, is_on):
        """Lays out as for a printer of somebody with a dark screen; true if it can."""
        scheme = {"name": "prefers-color-scheme", "value": "dark" if is_on else "light"}
        self.call("Emulation.setEmulatedMedia", media="print" if is_on else "", features=[scheme])
        return True

    def look(self):
        """Messages and requests are known."""

    def close(self):
        try:
            self.session = None
            self.call("Browser.close")
        except (RuntimeError, OSError):
            pass
        end(self.process, self.profile)


class Firefox:
    """The same with a headless Firefox, driven over the socket of its Marionette protocol."""

    KEYS = {"Enter": "\ue007", "Escape": "\ue00c", "Backspace": "\ue003", "ArrowLeft": "\ue012", "ArrowUp": "\ue013",
            "ArrowRight": "\ue014", "ArrowDown": "\ue015", "Tab": "\ue004", "Home": "\ue011", "End": "\ue010"}

    def __init__(self, path):
        self.profile = tempfile.mkdtemp(prefix="profan-page-")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        with open(os.path.join(self.profile, "user.js"), "w") as prefs:
            prefs.write(f'user_pref("marionette.port", {port});\nuser_pref("app.update.enabled", false);\n'
                        'user_pref("browser.shell.checkDefaultBrowser", false);\n'
                        'user_pref("datareporting.policy.dataSubmissionEnabled", false);\n')
        self.process = subprocess.Popen([path, "--headless", "--marionette", "-remote-allow-system-access", "--no-remote", "--profile", self.profile],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(600):
            try:
                self.socket = socket.create_connection(("127.0.0.1", port))
                break
            except OSError:
                time.sleep(0.1)
        self.buffer, self.number, self.n_opened = b"", 0, 0
        self.messages, self.requests, self.zoom = [], [], 1
        self.read()
        self.call("WebDriver:NewSession")

    def read(self):
        """A message: its length, a colon, JSON."""
        while True:
            head, colon, rest = self.buffer.partition(b":")
            if colon and len(rest) >= int(head):
                self.buffer = rest[int(head):]
                return json.loads(rest[:int(head)])
            piece = self.socket.recv(1 << 20)
            if not piece:
                raise RuntimeError("the browser ended")
            self.buffer += piece

    def call(self, method, **params):
        self.number += 1
        text = json.dumps([0, self.number, method, params]).encode()
        self.socket.sendall(b"%d:%s" % (len(text), text))
        _, _, error, result = self.read()
        if error:
            raise AssertionError(f"{method}: {error['error']}: {error['message']}")
        return result

    def in_browser(self, script):
        """The value of a script with the rights of the browser itself."""
        self.call("Marionette:SetContext", value="chrome")
        try:
            return self.call("WebDriver:ExecuteScript", script=script, args=[])["value"]
        finally:
            self.call("Marionette:SetContext", value="content")

    def open(self, path, fragment=""):
        self.in_browser("Services.console.reset()")
        self.n_opened += 1
        self.call("WebDriver:Navigate", url=f"file://{os.path.abspath(path)}?{self.n_opened}{fragment}")
        for _ in range(100):
            if self.run("document.readyState === 'complete' && document.querySelector('h1') !== null"):
                break
            time.sleep(0.1)
        if self.zoom != 1:
            self.magnify()
        self.look()

    def look(self):
        """Takes what the console says of the page, and what it loaded."""
        said = self.in_browser("return Services.console.getMessageArray().map((one) => one.message ?? String(one))")
        self.messages = [one for one in said if "/profan-" not in one and "file:///" in one]
        self.requests = self.run("performance.getEntriesByType('resource').map((one) => one.name)")

    def run(self, script):
        wrapped = f"const done = arguments[0]; Promise.resolve({script}).then((value) => done([value ?? null]), (error) => done({{ error: String(error) }}))"
        # Leaving a document may take the answer along.
        value = None
        for _ in range(3):
            value = value or self.call("WebDriver:ExecuteAsyncScript", script=wrapped, args=[], sandbox=None)["value"]
        if isinstance(value, dict):
            raise AssertionError(value["error"])
        return value[0]

    def size(self, width, height, is_dark=False, features=()):
        self.in_browser(f"Services.prefs.setIntPref('layout.css.prefers-color-scheme.content-override', {0 if is_dark else 1})")
        self.zoom = 1
        self.magnify()
        rect = self.call("WebDriver:SetWindowRect", width=width, height=height)
        inner = self.run("[innerWidth, innerHeight]")
        self.call("WebDriver:SetWindowRect", width=rect["width"] + width - inner[0], height=rect["height"] + height - inner[1])
        # Windows have a least width; zoom does the rest.
        self.zoom = self.magnify() / width
        self.magnify()

    def magnify(self):
        """Zooms the page that is open. Layout follows some time later; returns the width then."""
        self.in_browser(f"gBrowser.selectedBrowser.fullZoom = {self.zoom}")
        return self.run("new Promise((done) => setTimeout(() => done(innerWidth), 200))")

    def key(self, key, text=None):
        code = self.KEYS.get(key, key)
        actions = [{"type": "keyDown", "value": code}, {"type": "keyUp", "value": code}]
        self.call("WebDriver:PerformActions", actions=[{"type": "key", "id": "keys", "actions": actions}])

    def screenshot(self):
        return base64.b64decode(self.call("WebDriver:TakeScreenshot", full=False)["value"])

    def pdf(self):
        return base64.b64decode(self.call("WebDriver:Print")["value"])

    def paper(self, _):
        return False

    def close(self):
        try:
            self.call("Marionette:Quit", flags=["eForceQuit"])
        except (RuntimeError, OSError, AssertionError):
            pass
        end(self.process, self.profile)
