// The module is in this file: gzip, written as base64.
const start = async () => {
  if (typeof WebAssembly !== "object") return broken("no-wasm");
  const packed = Uint8Array.from(atob(document.getElementById("module").textContent), (byte) => byte.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  await self.unpack({ module_or_path: await new Response(stream).arrayBuffer() });
  if (!document.documentElement.dataset.ready) broken("files");
};
// It came with the page, whole.
const whole = () => Promise.resolve(true);
