"""Chromium without a window, steered by its DevTools protocol: JSON that ends with NUL, on descriptors 3 and 4."""

import fcntl
import itertools
import json
import os
import queue
import subprocess
import threading

SECONDS = 600
ENDED = {"error": "the browser has ended"}


class Browser:
    """A browser that resolves no name, so nothing that it asks can leave the machine unnoticed."""

    def __init__(self, program, folder):
        commands, self._to = os.pipe()
        self._from, answers = os.pipe()
        # The shell moves them to 3 and 4, so they must not be there yet.
        given = [fcntl.fcntl(one, fcntl.F_DUPFD, 10) for one in (commands, answers)]
        self._process = subprocess.Popen(
            ["bash", "-c", f'exec "$0" "$@" 3<&{given[0]} 4>&{given[1]}', program, "--headless", "--no-sandbox",
             "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe", "--disable-background-networking",
             "--disable-component-update", "--no-first-run", "--disable-background-timer-throttling",
             "--disable-renderer-backgrounding", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
             # Without it a key that comes before the first picture is lost.
             "--allow-pre-commit-input", f"--user-data-dir={folder}"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, pass_fds=given)
        for one in (commands, answers, *given):
            os.close(one)
        self._numbers = itertools.count(1)
        self._answers = {}
        self._has_ended = False
        self._tabs = {}
        self._writing = threading.Lock()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        with os.fdopen(self._from, "rb") as stream:
            rest = b""
            while chunk := stream.read1(1 << 20):
                *messages, rest = (rest + chunk).split(b"\0")
                for message in map(json.loads, messages):
                    if "id" in message:
                        self._answers.pop(message["id"]).put(message)
                    elif message.get("sessionId") in self._tabs:
                        self._tabs[message["sessionId"]].events.append(message)
        # In this order: a question from now on sees the mark, and one from before is in the list.
        self._has_ended = True
        for answer in list(self._answers.values()):
            answer.put(ENDED)

    def call(self, method, session=None, **parameters):
        """What the browser answers; an error of its is ours."""
        number = next(self._numbers)
        self._answers[number] = answer = queue.Queue()
        message = {"id": number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        with self._writing:
            data = json.dumps(message).encode() + b"\0"
            while data:
                data = data[os.write(self._to, data):]
        if self._has_ended:
            # After its answer, if it gave one: Browser.close.
            answer.put(ENDED)
        result = answer.get(timeout=SECONDS)
        if "error" in result:
            raise RuntimeError(f"{method}: {result['error']}")
        return result["result"]

    def tab(self, width, height):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        tab = self._tabs[session] = Tab(self, session)
        for domain in ("Page", "Network", "Runtime", "Log"):
            tab.call(f"{domain}.enable")
        tab.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=True)
        return tab

    def close(self):
        try:
            self.call("Browser.close")
            self._process.wait(SECONDS)
        finally:
            self._process.kill()


class Tab:
    """One page at a time, and what happened in it."""

    def __init__(self, browser, session):
        self._browser, self._session = browser, session
        self.events = []
        self.is_rendered = False

    def call(self, method, **parameters):
        return self._browser.call(method, self._session, **parameters)

    def evaluate(self, expression):
        """The value of an expression in the page, or of the promise that it is."""
        result = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(str(result["exceptionDetails"]))
        return result["result"].get("value")

    def requests(self):
        """The addresses that the page asked for."""
        return [event["params"]["request"]["url"] for event in self.events
                if event["method"] == "Network.requestWillBeSent"]

    def errors(self):
        """What the page wrote to its console as an error, and what nothing caught."""
        errors = []
        for event in self.events:
            parameters = event["params"]
            if event["method"] == "Log.entryAdded" and parameters["entry"]["level"] == "error":
                errors.append(parameters["entry"]["text"] + " " + parameters["entry"].get("url", ""))
            elif event["method"] == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "assert"):
                errors.append(" ".join(str(one.get("value", one.get("description"))) for one in parameters["args"]))
            elif event["method"] == "Runtime.exceptionThrown":
                errors.append(str(parameters["exceptionDetails"]))
        return errors
