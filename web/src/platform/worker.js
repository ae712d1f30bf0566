// Runs jobs on the page's own compiled module. Every import is a stub: the job's entry points
// call none of them. Posts parts as they are done; a message with another job replaces this one.
let exports = null;
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
const sample = (job, seed) => {
  const bytes = new TextEncoder().encode(job);
  const at = exports.ty_alloc(bytes.length);
  new Uint8Array(exports.memory.buffer, at, bytes.length).set(bytes);
  const answer = exports.ty_sample(at, bytes.length, seed) >>> 0;
  const count = new Float64Array(exports.memory.buffer, answer, 1)[0];
  if (count < 0) throw new Error("the job cannot be read: " + job);
  return Array.from(new Float64Array(exports.memory.buffer, answer + 8, count));
};
onmessage = async ({ data }) => {
  current = data.id;
  if (data.cancel) return;
  try {
    exports ??= (await WebAssembly.instantiate(data.module, stubs(data.module))).exports;
    let rows = [];
    let since = performance.now();
    for (let i = 0; i < data.count; i++) {
      if (current !== data.id) return;
      rows.push(sample(data.job, data.from + i));
      if (performance.now() - since > 30 || i + 1 === data.count) {
        postMessage({ id: data.id, rows });
        rows = [];
        since = performance.now();
        await new Promise((go) => setTimeout(go));
      }
    }
  } catch (error) {
    postMessage({ id: data.id, failed: String(error) });
  }
};
