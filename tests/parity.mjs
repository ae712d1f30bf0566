// Runs the digest suite of the built module under node and compares it with the native digests
// that the page generator wrote beside it: node tests/parity.mjs [dist]
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const dist = process.argv[2] ?? "dist";
const file = readdirSync(dist).find((name) => name.endsWith("_bg.wasm"));
if (!file) throw new Error(`no module in ${dist}: run cargo xtask dist first`);
const module = await WebAssembly.compile(readFileSync(join(dist, file)));
// The entry points call no import, so every import is a stub that would say if that changed.
const imports = {};
for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
  imports[from] ??= {};
  if (kind === "function") imports[from][name] = () => { throw new Error(`called ${from}.${name}`); };
}
const { exports } = await WebAssembly.instantiate(module, imports);
const hex = (half) => (half >>> 0).toString(16).padStart(8, "0");
const native = readFileSync(join(dist, "digests.txt"), "utf8").trim().split("\n");
const count = exports.ty_digest_count();
let passed = 0;
let failed = 0;
for (let i = 0; i < Math.max(count, native.length); i++) {
  const here = i < count ? hex(exports.ty_digest_high(i)) + hex(exports.ty_digest_low(i)) : "missing";
  if (here === native[i]) passed++;
  else {
    failed++;
    console.error(`scenario ${i}: native ${native[i] ?? "missing"}, WebAssembly ${here}`);
  }
}
console.log(`test result: ${failed ? "FAILED" : "ok"}. ${passed} passed; ${failed} failed; 0 ignored; 0 measured; 0 filtered out`);
process.exit(failed ? 1 : 0);
