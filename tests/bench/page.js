// Measures the module's entry points, each round of them followed by one of the peer, so that both
// meet the same machine. The entry points call no import, so stubs do, as in ../parity.mjs.
const SEED = 20260825;

const load = async () => {
  const module = await WebAssembly.compileStreaming(fetch("module.wasm"));
  const imports = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    imports[from] ??= {};
    if (kind === "function") imports[from][name] = () => { throw new Error(`called ${from}.${name}`); };
  }
  const { exports } = await WebAssembly.instantiate(module, imports);
  const job = new TextEncoder().encode("luck:routing-lab#");
  return (seed) => {
    const at = exports.ty_alloc(job.length);
    new Uint8Array(exports.memory.buffer, at, job.length).set(job);
    const answer = exports.ty_sample(at, job.length, seed);
    const [count] = new Float64Array(exports.memory.buffer, answer, 1);
    return new Float64Array(exports.memory.buffer, answer + 8, Math.max(0, count)).slice();
  };
};

const timed = (work) => {
  const start = performance.now();
  work();
  return performance.now() - start;
};

// Times without comparing like with like would mean nothing.
const compare = (cells, figures) => {
  const near = (a, b) => Math.abs(a - b) <= 1e-9 * Math.abs(b);
  for (const figure of figures) {
    if (![...cells].some((cell) => near(cell, figure))) throw new Error(`the peer's ${figure} is in no cell`);
  }
};

export const measure = async (withPeer, rounds, bands) => {
  const sample = await load();
  const peer = withPeer ? (await import("./peer.mjs")).run : null;
  if (peer) compare(sample(SEED), peer());
  for (let i = 0; i < 200; i++) {
    sample(SEED);
    peer?.();
  }
  const answer = { own: [], peer: [], band: [] };
  for (let i = 0; i < rounds; i++) {
    answer.own.push(timed(() => sample(SEED)));
    if (peer) answer.peer.push(timed(peer));
  }
  for (let i = 0; i < bands; i++) {
    answer.band.push(timed(() => { for (let seed = SEED; seed < SEED + 200; seed++) sample(seed); }));
  }
  return answer;
};
