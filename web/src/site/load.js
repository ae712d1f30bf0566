const start = async () => {
  if (typeof WebAssembly !== "object") return broken("no-wasm");
  const fetched = (self.moduleFile ??= fetch("WASM"));
  // Told once, by whoever waits for it; the script may fail before.
  fetched.catch(() => {});
  const { default: init } = await import("SCRIPT");
  const response = await fetched;
  if (!response.ok) return broken("files");
  const typed = response.headers.get("content-type")?.startsWith("application/wasm");
  await init({ module_or_path: typed ? response : await response.arrayBuffer() });
  const { ready, starting } = document.documentElement.dataset;
  if (!ready && !starting) broken("files");
};
// A module that arrived in part is refused like one that the browser is too old for; the digest
// tells them apart. It asks for the file again, so it is only looked at when all is lost.
const whole = () => fetch("WASM", { integrity: "INTEGRITY", cache: "reload" }).then(() => true, () => false);
