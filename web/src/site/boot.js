const broken = (why) => {
  document.getElementById("broken").hidden = false;
  const lang = document.documentElement.lang;
  document.querySelector(`[data-why="${why}"][lang="${lang}"]`).hidden = false;
};
const start = async () => {
  if (typeof WebAssembly !== "object") return broken("no-wasm");
  const fetched = fetch("WASM");
  const { default: init } = await import("SCRIPT");
  const response = await fetched;
  const typed = response.headers.get("content-type")?.startsWith("application/wasm");
  await init({ module_or_path: typed ? response : await response.arrayBuffer() });
};
start().catch((error) => {
  if (document.documentElement.dataset.ready) return;
  broken(error instanceof WebAssembly.CompileError ? (/unsafe-eval|Content Security|disallowed|blocked/i.test(String(error)) ? "no-wasm" : "old") : "files");
});
