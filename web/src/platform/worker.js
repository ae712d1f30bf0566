// Runs jobs on the page's own compiled module. Every import is a stub: the job's entry points
// call none of them. Posts parts as they are done; a message with another job replaces this one.
let exports = null;
// One for all jobs: two that arrive before it is there must not end up with an instance each.
let starting = null;
let current = 0;
const stubs = (module) => {
  const imports = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    imports[from] ??= {};
    if (kind === "function") {
      imports[from][name] = () => { throw new Error("not in a worker: " + name); };
    }
  }
  return imports;
};
// Lets a message that came in the meantime go first. A timer would wait four milliseconds each time.
const waiting = [];
const channel = new MessageChannel();
channel.port1.onmessage = () => waiting.shift()?.();
const pause = () => new Promise((go) => {
  waiting.push(go);
  channel.port2.postMessage(0);
});
const put = (bytes) => {
  const at = exports.ty_alloc(bytes.length) >>> 0;
  new Uint8Array(exports.memory.buffer, at, bytes.length).set(bytes);
  return at;
};
// A row of a job; undefined where the job has no such row and none after it.
const sample = (job, number) => {
  const bytes = new TextEncoder().encode(job);
  const answer = exports.ty_sample(put(bytes), bytes.length, number) >>> 0;
  const count = new Float64Array(exports.memory.buffer, answer, 1)[0];
  if (count === -2) return undefined;
  if (count < 0) throw new Error("the job cannot be read: " + job);
  return new Float64Array(exports.memory.buffer, answer + 8, count).slice();
};
onmessage = async ({ data }) => {
  current = data.id;
  if (data.cancel) return;
  try {
    starting ??= WebAssembly.instantiate(data.module, stubs(data.module));
    exports = (await starting).exports;
    // Kept for the jobs after this one, which name it by its number.
    if (data.file) exports.ty_attach(put(data.file), data.file.length, data.number);
    let rows = [];
    let since = performance.now();
    for (let i = 0, done = false; !done && i < data.count; i++) {
      if (current !== data.id) return;
      const row = sample(data.job, data.from + i);
      if (row) rows.push(row);
      done = !row || i + 1 === data.count;
      if (performance.now() - since > 30 || done) {
        postMessage({ id: data.id, rows, done }, rows.map((row) => row.buffer));
        rows = [];
        since = performance.now();
        await pause();
      }
    }
  } catch (error) {
    postMessage({ id: data.id, failed: String(error) });
  }
};
