// A module of any type: some servers do not know what they send.
const taken = (response) =>
  response.headers.get("content-type")?.startsWith("application/wasm") ? response : response.arrayBuffer();
// Sharing, exports and files come when somebody asks for them. Their addresses are made whole now: the
// page's own changes when its reader goes on.
const kit = ["TOOLS_SCRIPT", "TOOLS_WASM"].map((file) => new URL(file, document.baseURI).href);
let kept;
self.tools = () => (kept ??= bring().catch((error) => {
  kept = undefined;
  throw error;
}));
const bring = async () => {
  const fetched = fetch(kit[1]);
  fetched.catch(() => {});
  const tools = await import(kit[0]);
  const response = await fetched;
  if (!response.ok) throw new Error(`${kit[1]}: ${response.status}`);
  await tools.default({ module_or_path: await taken(response) });
  return tools;
};
const start = async () => {
  if (typeof WebAssembly !== "object") return broken("no-wasm");
  const fetched = (self.moduleFile ??= fetch("WASM"));
  // Told once, by whoever waits for it; the script may fail before.
  fetched.catch(() => {});
  const { default: init } = await import("SCRIPT");
  const response = await fetched;
  if (!response.ok) return broken("files");
  await init({ module_or_path: await taken(response) });
  const { ready, starting } = document.documentElement.dataset;
  if (!ready && !starting) broken("files");
};
// A module that arrived in part is refused like one that the browser is too old for; the digest
// tells them apart. It asks for the file again, so it is only looked at when all is lost.
const whole = () => fetch("WASM", { integrity: "INTEGRITY", cache: "reload" }).then(() => true, () => false);
