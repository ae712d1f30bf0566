// A program of the site: its script, and its module, which is on its way. Some servers do not know what
// they send, so the module is taken as bytes unless its type is right.
const bring = async (script, fetched) => {
  // Told once, by whoever waits for it; the script may fail before.
  fetched.catch(() => {});
  const program = await import(script);
  const response = await fetched;
  if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
  const typed = response.headers.get("content-type")?.startsWith("application/wasm");
  await program.default({ module_or_path: typed ? response : await response.arrayBuffer() });
  return program;
};
// Sharing, exports and files come when somebody asks for them. Their addresses are made whole now: the
// page's own changes when its reader goes on.
const [kit, kitModule] = ["TOOLS_SCRIPT", "TOOLS_WASM"].map((file) => new URL(file, document.baseURI).href);
let kept;
self.tools = () => (kept ??= bring(kit, fetch(kitModule)).catch((error) => {
  kept = undefined;
  throw error;
}));
const start = async () => {
  if (typeof WebAssembly !== "object") return broken("no-wasm");
  await bring("SCRIPT", (self.moduleFile ??= fetch("WASM")));
  const { ready, starting } = document.documentElement.dataset;
  if (!ready && !starting) broken("files");
};
// A module that arrived in part is refused like one that the browser is too old for; the digest
// tells them apart. It asks for the file again, so it is only looked at when all is lost.
const whole = () => fetch("WASM", { integrity: "INTEGRITY", cache: "reload" }).then(() => true, () => false);
