// The modules are in this file: gzip, written as base64.
const unpacked = (id) => {
  const packed = Uint8Array.from(atob(document.getElementById(id).textContent), (byte) => byte.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
};
let kept;
self.tools = () => (kept ??= unpacked("tools-module").then(async (bytes) => {
  await self.kit.default({ module_or_path: bytes });
  return self.kit;
}));
const start = async () => {
  if (typeof WebAssembly !== "object") return broken("no-wasm");
  await self.unpack({ module_or_path: await unpacked("module") });
  if (!document.documentElement.dataset.ready) broken("files");
};
// They came with the page, whole.
const whole = () => Promise.resolve(true);
