"""Decisions of LiteLLM's routing strategies, asked of the package itself.

Time, chance and the token count of a prompt are handed to it; everything else is its own.
"""

import asyncio
import os
from datetime import datetime, timedelta, timezone
from importlib.metadata import version

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

import litellm
from litellm.caching import in_memory_cache
from litellm.caching.caching import DualCache
from litellm.router_strategy import least_busy, lowest_cost, lowest_latency, lowest_tpm_rpm_v2, simple_shuffle

from episodes import EIGHTH, Clock, seeded, some, write

PACKAGE = f"litellm {version('litellm')}"
CLOCK = Clock()
GROUP = "group"
PROMPT = [0]


class Now(datetime):
    @classmethod
    def now(cls, tz=None):
        return datetime.fromtimestamp(CLOCK.time(), timezone.utc)


class Chance:
    """Stands in for the module `random` in a strategy: remembers what it was offered."""

    def __init__(self, rng):
        self.rng = rng
        self.offered = None
        self.weights = None

    def choice(self, items):
        self.offered = list(items)
        return self.rng.choice(self.offered)

    def choices(self, items, weights):
        self.offered, self.weights = list(items), list(weights)
        return self.rng.choices(self.offered, weights=weights)

    def sample(self, items, count):
        return self.rng.sample(items, count)


def hand_over(chance):
    in_memory_cache.time = CLOCK
    for module in (least_busy, lowest_latency, lowest_tpm_rpm_v2, simple_shuffle):
        module.random = chance
    for module in (lowest_cost, lowest_latency):
        module.datetime = Now
    lowest_tpm_rpm_v2.get_utc_datetime = Now.now
    for module in (lowest_cost, lowest_latency, lowest_tpm_rpm_v2):
        module.token_counter = lambda **_: PROMPT[0]


def deployment(replica, config):
    weight, price, tpm, rpm = config
    params = {"model": "not-in-the-price-list"}
    # Our weights are whole per mille, our prices are cents for a million tokens in and a million out.
    if weight is not None:
        params["weight"] = weight
    if price is not None:
        params["input_cost_per_token"] = params["output_cost_per_token"] = price / 2 * 1e-8
    if tpm is not None:
        params["tpm"] = tpm
    if rpm is not None:
        params["rpm"] = rpm
    return {"model_name": GROUP, "litellm_params": params, "model_info": {"id": str(replica)}}


def replica_of(chosen):
    chosen = chosen[0] if isinstance(chosen, tuple) else chosen
    return int(chosen["model_info"]["id"])


def one_config(rng, scale):
    """Small numbers and gaps: ties and limits that bind are common."""
    maybe = lambda value: value if rng.random() < 0.5 else None
    return [
        maybe(rng.randint(1, 4)),
        maybe(rng.choice([0, 2, 4, 6])),
        maybe(rng.randint(1, 6) * scale),
        maybe(rng.randint(1, 5)),
    ]


def configs(rng, replicas, scale):
    same = one_config(rng, scale)
    return [list(same) if rng.random() < 0.4 else one_config(rng, scale) for _ in range(replicas)]


def told(replica, stream):
    """What the strategies' callbacks are handed about a call."""
    metadata = {"model_group": GROUP}
    return {
        "litellm_params": {"metadata": metadata, "model_info": {"id": str(replica)}},
        "stream": stream,
        "standard_logging_object": {
            "model_group": GROUP,
            "model_id": str(replica),
            "hidden_params": {"litellm_model_name": "not-in-the-price-list"},
        },
    }


class Strategy:
    """A strategy as its router drives it: `pick` is asked, the rest is told."""

    def __init__(self, handler):
        self.handler = handler

    def sent(self, healthy, to):
        """Called when a request goes out; `False` where upstream refuses it at the last moment."""
        return True

    def refused(self, healthy, of):
        """Which of these upstream would refuse at the last moment; changes nothing."""
        return []

    async def served(self, replica, tokens, ttft_ms, duration_ms, stream):
        kwargs = told(replica, stream)
        usage = litellm.Usage(prompt_tokens=tokens[0], completion_tokens=tokens[1], total_tokens=sum(tokens))
        end = Now.now()
        start = end - timedelta(milliseconds=duration_ms)
        kwargs["completion_start_time"] = start + timedelta(milliseconds=ttft_ms)
        kwargs["standard_logging_object"]["total_tokens"] = sum(tokens)
        response = litellm.ModelResponse(usage=usage)
        await self.handler.async_log_success_event(kwargs, response, start, end)

    async def failed(self, replica, how):
        pass


class LeastBusy(Strategy):
    def pick(self, healthy, _stream):
        return self.handler.get_available_deployments(GROUP, healthy)

    def sent(self, healthy, to):
        self.handler.log_pre_api_call("m", [], told(to, False))
        return True

    async def failed(self, replica, how):
        await self.handler.async_log_failure_event(told(replica, False), None, None, None)


class Usage(Strategy):
    def pick(self, healthy, _stream):
        try:
            return self.handler.get_available_deployments(GROUP, healthy)
        except ValueError:
            return None

    def sent(self, healthy, to):
        try:
            self.handler.pre_call_check(next(d for d in healthy if replica_of(d) == to))
            return True
        except litellm.RateLimitError:
            return False

    def refused(self, healthy, of):
        cache = self.handler.router_cache.in_memory_cache
        kept = dict(cache.cache_dict), dict(cache.ttl_dict), list(cache.expiration_heap)
        refused = [replica for replica in of if not self.sent(healthy, replica)]
        cache.cache_dict, cache.ttl_dict, cache.expiration_heap = kept
        return refused

    async def served(self, replica, tokens, ttft_ms, duration_ms, stream):
        kwargs = told(replica, stream)
        kwargs["standard_logging_object"]["total_tokens"] = sum(tokens)
        self.handler.log_success_event(kwargs, None, None, None)


class Latency(Strategy):
    def pick(self, healthy, stream):
        return self.handler.get_available_deployments(GROUP, healthy, request_kwargs={"stream": stream, "metadata": {}})

    async def failed(self, replica, how):
        kwargs = told(replica, False)
        timeout = litellm.Timeout(message="t", model="m", llm_provider="p")
        kwargs["exception"] = timeout if how == "timed-out" else ValueError(how)
        await self.handler.async_log_failure_event(kwargs, None, None, None)


class Cost(Strategy):
    async def async_pick(self, healthy):
        return await self.handler.async_get_available_deployments(GROUP, healthy)


async def ask(strategy, chance, healthy, stream):
    chance.offered = None
    if isinstance(strategy, Cost):
        chosen = await strategy.async_pick(healthy)
    else:
        chosen = strategy.pick(healthy, stream)
    if chosen is None:
        return None, []
    offered = chance.offered if chance.offered is not None else [chosen]
    return replica_of(chosen), sorted({replica_of(one) for one in offered})


async def episode(rng, strategy, chance, replicas, config, stream, hold):
    """Decisions and ends in a random order; most requests are short, so minutes and lists fill up."""
    deployments = [deployment(replica, one) for replica, one in enumerate(config)]
    flying, steps, CLOCK.at = [], [], rng.randint(0, 400)
    for _ in range(rng.randint(20, 45)):
        CLOCK.at += rng.choice([0, 0, 1, 1, 3, 8, rng.randint(0, 60 if rng.random() < 0.9 else 6_000)])
        if flying and rng.random() < hold:
            replica = flying.pop(rng.randrange(len(flying)))
            how = rng.choice(["served"] * 6 + ["failed", "timed-out"])
            tokens = [rng.randint(1, 4) * 10, rng.randint(1, 4)]
            ttft, duration = rng.randint(1, 4) * 100, rng.randint(4, 8) * 100
            if how == "served":
                await strategy.served(replica, tokens, ttft, duration, stream)
            else:
                await strategy.failed(replica, how)
            steps.append(["e", CLOCK.at, replica, how, *tokens, ttft, duration])
            continue
        able, PROMPT[0] = some(rng, replicas), rng.randint(1, 6) * 10
        healthy = [deployments[replica] for replica in able]
        to, of = await ask(strategy, chance, healthy, stream)
        refused = strategy.refused(healthy, of)
        if to is not None and not strategy.sent(healthy, to):
            to = None
        if to is not None:
            flying.append(to)
        steps.append(["d", CLOCK.at, able, PROMPT[0], [one for one in of if one not in refused], refused, to])
    return steps


async def stateful(rule, count, make, options):
    rng = seeded(rule)
    chance = Chance(rng)
    hand_over(chance)
    episodes = []
    for number in range(count):
        replicas = rng.randint(1, 5)
        params, kwargs, stream = options(rng, number)
        config = configs(rng, replicas, rng.choice([20, 60, 200]))
        strategy = make(DualCache(**kwargs.pop("cache", {})), kwargs)
        steps = await episode(rng, strategy, chance, replicas, config, stream, rng.choice([0.3, 0.45, 0.5]))
        episodes.append({"replicas": replicas, "config": config, "params": params, "steps": steps})
    write(rule, PACKAGE, episodes)


def shuffles(count):
    """Weights as they are handed to the draw; without a memory each decision stands alone."""
    rng = seeded("litellm-simple-shuffle")
    chance = Chance(rng)
    hand_over(chance)
    router = type("Router", (), {"print_deployment": lambda self, deployment: "d"})()
    episodes = []
    for _ in range(count):
        replicas = rng.randint(1, 6)
        config = configs(rng, replicas, 1)
        able = some(rng, replicas)
        chance.offered = chance.weights = None
        simple_shuffle.simple_shuffle(router, [deployment(replica, config[replica]) for replica in able], "m")
        weights = chance.weights or [1 / len(able)] * len(able)
        episodes.append({"replicas": replicas, "config": config, "steps": [["d", 0, able, weights]]})
    write("litellm-simple-shuffle", PACKAGE, episodes)


def no_options(_rng, _number):
    return {}, {}, False


def busy_options(rng, number):
    if number % 2 == 0:
        return {}, {}, False
    ttl = rng.choice([5, 30, 120])
    return {"counter_ttl_s": str(ttl)}, {"cache": {"default_in_memory_ttl": ttl}}, False


def latency_options(rng, number):
    stream = number % 2 == 1
    params, args = {"streaming": "on" if stream else "off"}, {}
    if number % 4 >= 2:
        buffer, size, ttl = rng.choice([0.25, 0.5, 1.0]), rng.randint(1, 4), rng.choice([30, 120, 600])
        params |= {"buffer": str(buffer), "list_size": str(size), "ttl_s": str(ttl)}
        args = {"lowest_latency_buffer": buffer, "max_latency_list_size": size, "ttl": ttl}
    return params, args, stream


async def main():
    shuffles(2_000)
    await stateful("litellm-least-busy", 150, lambda c, a: LeastBusy(least_busy.LeastBusyLoggingHandler(c)), busy_options)
    await stateful(
        "litellm-usage-based", 150, lambda c, a: Usage(lowest_tpm_rpm_v2.LowestTPMLoggingHandler_v2(c)), no_options
    )
    await stateful(
        "litellm-latency-based",
        200,
        lambda c, a: Latency(lowest_latency.LowestLatencyLoggingHandler(c, a)),
        latency_options,
    )
    await stateful("litellm-cost-based", 150, lambda c, a: Cost(lowest_cost.LowestCostLoggingHandler(c)), no_options)


asyncio.run(main())
