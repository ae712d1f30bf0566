"""Decisions of Ray Serve's routers, asked of the package itself, without a cluster.

The routers are made without their base's constructor, which wants a controller; the prefix tree is
called in this process instead of as an actor. Both are the package's own.
"""

import asyncio
import itertools
from importlib.metadata import version
from types import SimpleNamespace

from ray.llm._internal.serve.routing_policies.prefix_aware import prefix_aware_router
from ray.llm._internal.serve.routing_policies.prefix_aware.prefix_tree import PrefixTree
from ray.serve._private.common import DeploymentID, ReplicaID
from ray.serve._private.request_router import pow_2_router

from episodes import EIGHTH, seeded, some, write

PACKAGE = f"ray {version('ray')}"
DEPLOYMENT = DeploymentID(name="d", app_name="a")
FULL = 9


class Called:
    """An actor's method that is called at once."""

    def __init__(self, method):
        self.remote = method


class Local:
    """An actor that is an object here."""

    def __init__(self, target):
        self.target = target

    def __getattr__(self, name):
        return Called(getattr(self.target, name))


class Draws:
    """Stands in for `random` in the router that draws two: gives the pair it is told to."""

    def __init__(self):
        self.pair = (0, 1)

    def getrandbits(self, _bits):
        return 1 if self.pair == (0, 1) else 0

    def randrange(self, count):
        first, second = self.pair
        if self.turn == 0:
            self.turn = 1
            return first
        return second - 1 if second > first else second

    def set(self, pair):
        self.pair, self.turn = pair, 0


DRAWS = Draws()
pow_2_router.random = DRAWS
prefix_aware_router.ray = SimpleNamespace(get=lambda value: value)


def identity(replica):
    return ReplicaID(unique_id=f"r{replica}", deployment_id=DEPLOYMENT)


def router(kind, tree, options):
    """A router over nobody, with as much of its base's state as decisions read."""
    made = object.__new__(kind)
    made._prefer_local_node_routing = made._prefer_local_az_routing = False
    made._use_replica_queue_len_cache = True
    made._deployment_id = DEPLOYMENT
    made._replicas, made._replica_id_set = {}, []
    if tree is not None:
        made.initialize_state(tree_actor=Local(tree), **options)
    return made


def show(made, able, queues):
    replicas = {r: SimpleNamespace(replica_id=identity(r), max_ongoing_requests=FULL) for r in able}
    made._replicas = {one.replica_id: one for one in replicas.values()}
    # A list where upstream has a set: an order that does not change from run to run.
    made._replica_id_set = [one.replica_id for one in replicas.values()]
    made._replica_queue_len_cache = {identity(r): queues[r] for r in able}
    return list(replicas.values())


async def allowed(made, candidates, pending):
    """Everybody whom some pair of draws, and some order of equals, leads to."""
    count, found = len(candidates), set()
    for pair in itertools.permutations(range(count), 2) if count > 1 else [(0, 0)]:
        DRAWS.set(pair)
        for group in await made.choose_replicas(candidates, pending):
            # Who is first of equals in a group hangs on the order of a set; in a pair, on the draw.
            for order in itertools.permutations(group) if pending is not None else [group]:
                chosen = await made._select_from_candidate_replicas(list(order), 0)
                found.add(int(chosen.replica_id.unique_id[1:]))
    return sorted(found)


def request(text):
    context = SimpleNamespace(tried_same_node=False, tried_same_az=False, should_backoff=False)
    metadata = SimpleNamespace(multiplexed_model_id="")
    return SimpleNamespace(args=[SimpleNamespace(prompt=text)], metadata=metadata, routing_context=context)


async def two_choices(count):
    rng, episodes = seeded("ray-power-of-two"), []
    made = router(pow_2_router.PowerOfTwoChoicesRequestRouter, None, {})
    for _ in range(count):
        replicas = rng.randint(1, 6)
        able, queues = some(rng, replicas), [rng.randint(0, 3) for _ in range(replicas)]
        of = await allowed(made, show(made, able, queues), None)
        episodes.append({"replicas": replicas, "steps": [["d", 0, able, queues, of]]})
    write("ray-power-of-two", PACKAGE, episodes)


def words(rng, known):
    """A text that often shares a part with an earlier one."""
    if known and rng.random() < 0.75:
        text = rng.choice(known)
        text = text[: rng.randint(1, len(text))]
    else:
        text = ""
    return text + "".join(rng.choice("ab") for _ in range(rng.randint(0 if text else 1, 12)))


async def prefixes(count):
    rng, episodes = seeded("ray-prefix-affinity"), []
    kind = prefix_aware_router.PrefixCacheAffinityRouter
    for number in range(count):
        replicas, options, params = rng.randint(1, 5), {}, {}
        if number % 2:
            gap, rate = rng.randint(0, 4), rng.choice([0.0, 0.25, 0.5, 0.75, 1.0])
            options = {"imbalanced_threshold": gap, "match_rate_threshold": rate}
            params = {"imbalanced_threshold": str(gap), "match_rate_threshold": str(rate)}
        cut = number % 4 == 3
        if cut:
            start, target = rng.randint(10, 30), rng.randint(0, 10)
            params |= {"do_eviction": "on", "eviction_threshold": str(start), "eviction_target": str(target)}
            params["eviction_interval_s"] = "0"
        tree, known, steps, at = PrefixTree(), [], [], 0
        made = router(kind, tree, options)
        # Everybody is there from the start: upstream may name somebody who is no candidate.
        able = list(range(replicas))
        tree.add_tenants([identity(r).to_full_id_str() for r in able], 0.0)
        for _ in range(rng.randint(15, 30)):
            at += rng.randint(1, 9)
            if cut:
                for tenant, size in list(tree.tenant_to_char_count.items()):
                    if size > start:
                        tree.evict_tenant_by_lru(tenant, size - target)
            queues, text = [rng.randint(0, 5) for _ in range(replicas)], words(rng, known)
            known.append(text)
            pending = request(text)
            of = await allowed(made, show(made, able, queues), pending)
            to = rng.choice(of)
            prefix_aware_router.time = SimpleNamespace(time=lambda: at * EIGHTH)
            made.on_request_routed(pending, identity(to), None)
            steps.append(["d", at, text, queues, of, to])
        episodes.append({"replicas": replicas, "params": params, "steps": steps})
    write("ray-prefix-affinity", PACKAGE, episodes)


async def main():
    await two_choices(2_000)
    await prefixes(150)


asyncio.run(main())
