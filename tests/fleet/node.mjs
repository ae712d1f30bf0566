// The fleet simulator under node: node tests/fleet/node.mjs MODULE digests FILE, or MODULE speed N.
// Digests are compared with the native ones in FILE; speed prints requests a second of every case.
import { readFileSync } from "node:fs";

const [file, what, more] = process.argv.slice(2);
const { instance } = await WebAssembly.instantiate(readFileSync(file), {});
const { exports } = instance;
if (what === "digests") {
  const hex = (half) => (half >>> 0).toString(16).padStart(8, "0");
  const native = readFileSync(more, "utf8").trim().split("\n");
  const count = exports.ty_fleet_count();
  let [passed, failed] = [0, 0];
  for (let i = 0; i < Math.max(count, native.length); i++) {
    const here = i < count ? hex(exports.ty_fleet_high(i)) + hex(exports.ty_fleet_low(i)) : "missing";
    if (here === native[i]) passed++;
    else {
      failed++;
      console.error(`fleet scenario ${i}: native ${native[i] ?? "missing"}, WebAssembly ${here}`);
    }
  }
  console.log(`test result: ${failed ? "FAILED" : "ok"}. ${passed} passed; ${failed} failed; 0 ignored; 0 measured; 0 filtered out`);
  process.exit(failed ? 1 : 0);
}
const requests = Number(more ?? 100000);
for (let i = 0; i < exports.ty_fleet_cases(); i++) {
  let best = 0;
  for (let round = 0; round < 3; round++) {
    const start = performance.now();
    const ended = exports.ty_fleet_run(i, requests);
    best = Math.max(best, (ended / (performance.now() - start)) * 1000);
  }
  console.log(`bench fleet.wasm.${i}.rps ${best.toFixed(0)}`);
}
