"""What is promised about every store, tried on every store: of all that ask about one token one is the first, however they ask.

TABLE: stores × doors × races. After each race the whole history of each of its tokens is looked at."""

import copy
import itertools
import json
import os
import random
import subprocess
import threading
import time
from collections import Counter, defaultdict, namedtuple

from calls import MOST, FunctionCalls, ScriptCalls
from hosts import FAULT, FIRST, RETRY, USED, Batch, DaemonHost, Library, SwiftTasks, SwiftThreads, signer
from processes import MEDIATOKEN
from scenario import check, count, finish, need_descriptors, path, until
from stores import LostAnswers

Token = namedtuple("Token", "text identity issued expiry")
Ask = namedtuple("Ask", "token request uid")
#: What the host at this place among those that asked at once said to a question; None: nothing.
Told = namedtuple("Told", "ask said place")
#: `hosts` processes, and `callers` that ask about each of `tokens` tokens, all of them at once.
Race = namedtuple("Race", "hosts tokens callers")
#: As many hosts as ask at once where there are several.
SEVERAL = 3
LIFE = 3600
OWN = os.geteuid()
#: Callers of a token by turns: without a request; the same request of two users; another one.
REQUESTS = [(None, OWN), ("one", OWN), ("one", 65534 if OWN == 0 else OWN), ("another", OWN)]
DOORS = {
    "verify --batch": Batch, "daemon": DaemonHost, "C library": Library, "Swift, threads": SwiftThreads,
    "Swift, tasks": SwiftTasks}
SIZES = [(300, 2), (12, 64), (1, 1000)]
RACES = [Race(hosts, *size) for hosts in (1, SEVERAL) for size in SIZES]
#: Copies of one claim in one call: PostgreSQL's sort keeps the order of fewer than seven rows.
COPIES = (2, 3, 7, 8, 33, 64)
_names = itertools.count()


def tokens(number):
    """Of three seconds, two of one minute."""
    now, made = int(time.time()), []
    for share, age in ((number // 3, 70), (number // 3, 1), (number - number // 3 * 2, 0)):
        texts = signer.issue(share, form="base64", at=(now - age) * 1000, ttl=LIFE * 1000) if share else []
        made += [(text, now - age) for text in texts]
    said = subprocess.run(
        [MEDIATOKEN, "verify", "--batch", "-", "--keys", signer.keys, "--allow-rsa-1024", signer.fingerprint, "--requestor", "REF30",
         "--resource", "TNT", "--replay", "none:"], input=b"".join(text + b"\n" for text, _ in made), capture_output=True, check=True)
    identities = [json.loads(line)["identity"] for line in said.stdout.splitlines()]
    return [Token(text, identity, issued, issued + LIFE) for (text, issued), identity in zip(made, identities)]


def play(hosts, asks):
    """All hosts ask at once, by turns: what they were told."""
    return play_shares(hosts, [asks[place::len(hosts)] for place in range(len(hosts))])


def play_shares(hosts, shares):
    shares = [[ask._replace(request=ask.request if host.names_requests else None, uid=ask.uid if host.names_callers else OWN) for ask in share]
              for host, share in zip(hosts, shares)]
    for host, share in zip(hosts, shares):
        host.prepare(share)
    told = [None] * len(hosts)

    def run(place):
        told[place] = hosts[place].play()

    threads = [threading.Thread(target=run, args=[place]) for place in range(len(hosts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # A host that failed has no answers: its questions were not answered.
    return [Told(ask, said, place) for place, share in enumerate(shares) for ask, said in itertools.zip_longest(share, told[place] or [])]


def wrong_histories(told, must_grant, marks_at_once=True):
    """For each token whose answers break the rule: why, and how often each was given."""
    histories, wrong = defaultdict(list), []
    for ask, said, _ in told:
        histories[ask.token.identity].append((ask, said))
    for history in histories.values():
        answers = Counter(said for _, said in history)
        # A request that was granted may hear so again; what has no request has no name but its own.
        grantees = {(ask.request, ask.uid) if ask.request else place
                    for place, (ask, said) in enumerate(history) if said in (FIRST, RETRY)}
        refused = {(ask.request, ask.uid) for ask, said in history if said == USED}
        why = [text for text, holds in (
            ("more than one first use", answers[FIRST] > 1),
            ("granted to several requests", answers[FIRST] <= 1 and len(grantees) > 1),
            ("a retry without a request", any(said == RETRY and not ask.request for ask, said in history)),
            ("no first use", must_grant and answers[FIRST] == answers[FAULT] == 0),
            ("a request that was granted was refused", must_grant and marks_at_once and answers[FAULT] == 0 and grantees & refused),
            ("another answer", set(answers) - {FIRST, RETRY, USED, FAULT})) if holds]
        if why:
            wrong.append((", ".join(why), dict(answers)))
    return wrong


def judge(name, told, must_grant, store):
    wrong, number = wrong_histories(told, must_grant, store.has_window and store.marks_at_once), len({one.ask.token.identity for one in told})
    check(f"{store.name}: {name}: one first use{'' if must_grant else ' at most'} of each token, else used, retry or a fault", not wrong,
          f"{len(wrong)} of {number} tokens: {Counter(why for why, _ in wrong).most_common(3)}, such as {wrong[:3]}")
    return Counter(one.said for one in told)


def mixed(tokens, callers, is_named, chance):
    asks = [Ask(token, *(REQUESTS[caller % 4] if is_named else REQUESTS[0])) for token in tokens for caller in range(callers)]
    chance.shuffle(asks)
    return asks


def race_through(door, store, races, first):
    """All races of one door; `first` is a host that is there already."""
    hosts, said, chance, winners = [first], Counter(), random.Random(1), set()
    for race in races:
        while len(hosts) < race.hosts:
            hosts.append(DOORS[door](store, f"host-{next(_names)}"))
        for is_named in (False, True) if first.names_requests else (False,):
            asks = mixed(tokens(race.tokens), race.callers, is_named, chance)
            told = play(hosts[:race.hosts], asks)
            winners |= {one.place for one in told if one.said == FIRST}
            name = f"{door}, processes: {race.hosts}, tokens: {race.tokens}, callers of each: {race.callers}{', requests mixed' if is_named else ''}"
            said += judge(name, told, race.hosts == 1 or not store.votes_may_split, store)
            if is_named and store.has_window:
                again = play(hosts[:race.hosts], [one.ask for one in told if one.said == FIRST and one.ask.request])
                check(f"{store.name}: {name}: a request that was granted hears so again", {one.said for one in again} <= {RETRY, FAULT},
                      Counter(one.said for one in again))
    count(f"{store.name}: {door}: {dict(said)}")
    check(f"{store.name}: {door}: each of {len(hosts)} processes granted tokens", len(winners) == len(hosts), (winners, said))
    for host in hosts[1:]:
        host.end()


def race_calls(door, store, all_copies):
    """Copies in one call, alone and among others, from one connection and from several at once."""
    hosts, chance = [door(store, "") for _ in range(SEVERAL)], random.Random(2)
    for copies, kind in itertools.product(all_copies, ("different", "equal", "mixed")):
        ballots = itertools.cycle({"different": REQUESTS[:1], "equal": REQUESTS[1:2], "mixed": REQUESTS}[kind])

        def copied(token, number=copies):
            return [Ask(token, *next(ballots)) for _ in range(number)]

        for host in hosts:
            host.size = copies
        told = play(hosts[:1], [ask for token in tokens(10) for ask in copied(token)])
        judge(f"one call, copies: {copies}, ballots: {kind}", told, True, store)
        # In each call are copies of one token, and others; all connections ask for the same.
        others, shares = tokens(4 * MOST), [[] for _ in hosts]
        for number, share in itertools.product(range(4), shares):
            call = copied(others[number]) + [ask for token in chance.sample(others, MOST - copies) for ask in copied(token, 1)]
            chance.shuffle(call)
            share += call
        for host in hosts:
            host.size = MOST
        name = f"calls of {MOST} from {SEVERAL} connections, copies: {copies}, ballots: {kind}"
        judge(name, play_shares(hosts, shares), True, store)
    for host in hosts:
        host.end()


def race_all_doors(hosts, store):
    """One host of each door."""
    for is_named in (False, True):
        told = play(hosts, mixed(tokens(12), 60, is_named, random.Random(3)))
        judge(f"all doors at once{', requests mixed' if is_named else ''}", told, not store.votes_may_split, store)


def race_after_windows(doors, store):
    """A request that is repeated when its window is over is another one, in every process."""
    brief = copy.copy(store)
    brief.window = 1
    hosts = [DOORS[door](brief, f"host-{next(_names)}") for door in doors]
    told = play(hosts, [Ask(token, "one", OWN) for token in tokens(4 * len(hosts))])
    # Whole seconds count.
    time.sleep(2.1)
    granted = [one.ask for one in told if one.said == FIRST]
    again = [one for turn in range(len(hosts)) for one in play(hosts[turn:] + hosts[:turn], granted)]
    wrong = [one for one in again if one.said not in (USED, FAULT)]
    check(f"{store.name}: a request that is repeated after its window is refused by every door", granted and not wrong,
          (len(granted), Counter((one.said, one.place) for one in wrong)))
    for host in hosts:
        host.end()


def race_with_lost_answers(doors, store):
    """Answers of the nodes are lost; what met a fault is repeated, here and elsewhere, and at last nothing is lost."""
    hosts = [DOORS[door](store.wired, f"host-{next(_names)}") for door in doors]
    asks, told = mixed(tokens(30), 2 * len(hosts), True, random.Random(4)), []
    with LostAnswers(store.wires, 4) as wires:
        for _ in range(4):
            told += play(hosts, asks)
            # Another host, as nearly always.
            asks = [one.ask for one in told[-len(asks):] if one.said == FAULT][1:] + asks[:1]
    check(f"{store.name}: answers of nodes were lost", wires.lost > 0, wires.heard)
    last = [Ask(token, *REQUESTS[0]) for token in {one.ask.token for one in told}]

    def settled():
        nonlocal last
        again = play(hosts, last)
        told.extend(again)
        last = [one.ask for one in again if one.said == FAULT]
        return not last

    check(f"{store.name}: once no answer is lost, every question is answered", until(60, settled), len(last))
    said = judge("all doors at once, answers lost and repeated, requests mixed", told, False, store)
    count(f"{store.name}: {wires.lost} of {wires.heard} answers were lost: {dict(said)}")
    check(f"{store.name}: tokens were granted while answers were lost", said[FIRST] + said[RETRY] > 0, said)
    for host in hosts:
        host.end()


def race(*stores, doors=tuple(DOORS), races=tuple(RACES), copies=COPIES):
    """The suite for these stores, and the end of the scenario."""
    need_descriptors(8192)
    # Others may go through to the daemons' sockets; nothing can be listed.
    os.chmod(path(""), 0o711)
    for make in stores:
        store = make()
        open_by = doors if store.is_shared else ["Swift, tasks"]
        # One of each stays: a database that no host maintains ends its epoch.
        hosts = {door: DOORS[door](store, f"host-{next(_names)}") for door in open_by}
        if store.has_calls:
            race_calls(ScriptCalls if store.address.startswith("redis:") else FunctionCalls, store, copies)
        for door, host in hosts.items():
            race_through(door, store, [one for one in races if store.is_shared or one.hosts == 1], host)
        if store.is_shared:
            race_all_doors(list(hosts.values()), store)
            race_after_windows(doors, store)
        if store.wired:
            race_with_lost_answers(doors, store)
        for host in hosts.values():
            host.end()
        store.end()
    finish()
