// Plays as fast as the page can. Runs before the page's own scripts. A timer of the player (at most
// a quarter of a second at eightfold speed) fires in the next task instead; longer ones keep their
// time. After the steps asked for, timers wait until more are asked for.
(() => {
  const wait = window.setTimeout.bind(window);
  const cancel = window.clearTimeout.bind(window);
  const planned = new Map();
  const channel = new MessageChannel();
  const bench = { memory: null, steps: 0, limit: 0 };
  let last = 1e9;
  const fire = () => {
    if (bench.steps >= bench.limit) return;
    for (const [id, work] of [...planned]) {
      if (!planned.delete(id)) continue;
      bench.steps += 1;
      work();
    }
  };
  channel.port1.onmessage = fire;
  window.setTimeout = (work, ms, ...rest) => {
    if (ms > 250) return wait(work, ms, ...rest);
    planned.set(++last, () => work(...rest));
    channel.port2.postMessage(null);
    return last;
  };
  window.clearTimeout = (id) => { if (!planned.delete(id)) cancel(id); };
  bench.run = (limit) => {
    bench.limit = limit;
    channel.port2.postMessage(null);
  };
  bench.stop = () => { bench.limit = bench.steps; };
  bench.rests = () => bench.steps >= bench.limit;
  const keep = (result) => {
    bench.memory = (result.instance ?? result).exports.memory;
    return result;
  };
  for (const name of ["instantiate", "instantiateStreaming"]) {
    const real = WebAssembly[name];
    WebAssembly[name] = (...given) => real.apply(WebAssembly, given).then(keep);
  }
  window.tokenyardBench = bench;
})();
