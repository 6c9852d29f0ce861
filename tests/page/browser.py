"""A headless Chromium, driven over the pipe of the DevTools protocol. Needs nothing but Python."""

import json
import os
import shutil
import subprocess
import tempfile

NAMES = ["chromium", "chromium-browser", "google-chrome", "chrome"]


def find():
    """The path of a browser, or None."""
    given = os.environ.get("CHROMIUM")
    return given or next(filter(None, map(shutil.which, NAMES)), None)


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
        import base64
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])

    def close(self):
        try:
            self.session = None
            self.call("Browser.close")
        except (RuntimeError, OSError):
            pass
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
        shutil.rmtree(self.profile, ignore_errors=True)
