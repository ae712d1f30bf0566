"""What all comparisons share: random fleets, a clock that stands still, and the files they write."""

import json
import os
import random

# All times are whole eighths of a second, so that sums of them are exact in a double.
EIGHTH = 0.125
# The first second of a calendar minute.
START = 1_700_000_040
DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")


class Clock:
    """Stands in for the module `time` and for `datetime.now`; only an episode moves it."""

    def __init__(self):
        self.at = 0

    def time(self):
        return START + self.at * EIGHTH

    monotonic = time

    def sleep(self, _seconds):
        raise RuntimeError("nothing may wait here")


def some(rng, replicas, least=1):
    """A sorted, not empty part of the replicas; often all of them."""
    if rng.random() < 0.5:
        return list(range(replicas))
    return sorted(rng.sample(range(replicas), rng.randint(least, replicas)))


def write(rule, package, episodes):
    """One line an episode, so that a change of one is a change of a line."""
    states = sum(step[0] == "d" for episode in episodes for step in episode["steps"])
    head = json.dumps({"rule": rule, "package": package, "states": states})[:-1]
    lines = ",\n".join(json.dumps(episode, separators=(",", ":")) for episode in episodes)
    path = os.path.join(DATA, f"{rule}.json")
    with open(path, "w", encoding="ascii") as file:
        file.write(f'{head}, "episodes": [\n{lines}\n]}}\n')
    print(f"{rule}: {len(episodes)} episodes, {states} states, {os.path.getsize(path)} bytes")


def seeded(name):
    """A generator of its own for each rule: adding one does not move the others."""
    return random.Random(f"tokenyard {name}")
