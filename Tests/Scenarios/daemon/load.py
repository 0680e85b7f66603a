"""Callers on threads who ask about tokens whose verdict they know, across the lives of several daemons at one address.

No caller waits for a token: when the fresh ones are all asked about, those with a known answer are asked about again.
"""

import random
import threading
import time
from collections import Counter, deque

from connection import Connection, Unanswered, Unsent, post, verdict
from scenario import until
from tokens import Token

#: For so many seconds a drain waits for the first question of a connection: WorkerLoop.freshGrace.
GRACE = 1


class Load:
    """`kept` callers keep their connection, `new` ones make one for each question, and wait up to `hesitation` seconds
    before they ask; `vanishing` ones ask and are gone."""

    def __init__(self, address, tokens, kept=4, new=3, vanishing=0, hesitation=0.0, pause=0.002):
        self.address, self.hesitation, self.pause = address, hesitation, pause
        self.fresh, self.known = deque(tokens), deque(maxlen=2000)
        self.answers, self.wrong = Counter(), []
        # Texts of tokens: answered VALID_TOKEN; good ones asked about whole and not answered; of callers that did not wait.
        self.granted, self.unanswered, self.vanished = [], [], []
        # Questions that went out whole and were not answered, and the slowest answer in seconds.
        self.cut_off, self.slowest = 0, 0.0
        # Answers that took five seconds and more.
        self.late = 0
        # Connections that ended between two questions, and new ones that took no question at all, not even in their grace.
        self.ended, self.dropped = 0, []
        self._lock = threading.Lock()
        self._stop = threading.Event()
        callers = [self._keep] * kept + [self._renew] * new + [self._vanish] * vanishing
        self._threads = [threading.Thread(target=self._run, args=[caller]) for caller in callers]

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def total(self):
        return sum(self.answers.values())

    def wait_for(self, number, seconds=600):
        """Waits until so many more questions are answered."""
        goal = self.total() + number
        return until(seconds, lambda: self.total() >= goal)

    def _run(self, caller):
        while not self._stop.is_set():
            try:
                connection = Connection(self.address)
            except Unsent:
                # There is no daemon, or so many wait that there is no room.
                time.sleep(0.005)
                continue
            with connection:
                caller(connection)
            time.sleep(self.pause)

    def _keep(self, connection):
        for _ in range(200):
            if self._stop.is_set() or not self._ask(connection):
                return
            time.sleep(self.pause)

    def _renew(self, connection):
        if self.hesitation:
            time.sleep(random.random() * self.hesitation)
        self._ask(connection, is_new=True)

    def _vanish(self, connection):
        with self._lock:
            token = next((token for token in self.fresh if token.status == 200), None)
            if token is None:
                return
            self.fresh.remove(token)
        try:
            connection.send(post(token.text))
            with self._lock:
                self.vanished.append(token.text)
        except Unsent:
            with self._lock:
                self.fresh.appendleft(token)
        time.sleep(self.pause * 9)

    def _ask(self, connection, is_new=False):
        """Whether the connection can be asked again."""
        with self._lock:
            is_fresh = bool(self.fresh) and (not self.known or random.random() < 0.7)
            token = self.fresh.popleft() if is_fresh else self.known.popleft() if self.known else None
        if token is None:
            return True
        begun = time.monotonic()
        try:
            answer = connection.ask(token.text)
        except Unsent as error:
            with self._lock:
                (self.fresh if is_fresh else self.known).appendleft(token)
                self.ended += 1
                if is_new and time.monotonic() < connection.begun + GRACE:
                    self.dropped.append(str(error))
            return False
        except Unanswered:
            with self._lock:
                self.cut_off += 1
                if token.status == 200:
                    # It may be spent or not.
                    self.unanswered.append(token.text)
                else:
                    (self.fresh if is_fresh else self.known).append(token)
            return False
        self._note(token, answer, time.monotonic() - begun)
        return not connection.is_closed_by_answer(answer)

    def _note(self, token, answer, seconds):
        told = (answer.status, verdict(answer))
        with self._lock:
            self.slowest = max(self.slowest, seconds)
            self.late += seconds >= 5
            self.answers[told] += 1
            if told != token[1:]:
                self.wrong.append((token.verdict, *told))
            if told[0] == 200:
                self.granted.append(token.text)
                token = Token(token.text, 403, "TOKEN_REPLAYED")
            self.known.append(token)

    # What the table remembers of them, asked afterwards.

    def granted_again(self):
        """How many of the tokens that were answered VALID_TOKEN are so once more, or not plainly refused."""
        return sum(told != (403, "TOKEN_REPLAYED") for told in self._tell(self.granted))

    def spent_among(self, texts):
        """How many of these good tokens are spent; the others are valid, and are now spent too."""
        told = Counter(self._tell(texts))
        if set(told) - {(200, "VALID_TOKEN"), (403, "TOKEN_REPLAYED")}:
            raise RuntimeError(f"expected valid or replayed tokens, found {told}")
        return told[(403, "TOKEN_REPLAYED")]

    def _tell(self, texts):
        with Connection(self.address) as connection:
            for text in texts:
                answer = connection.ask(text)
                yield answer.status, verdict(answer)
