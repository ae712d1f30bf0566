// The module is on its way while the first frame still arrives. This script waits for nothing, the
// style sheet above it included. A preload link would do, if WebKit did not ask twice.
self.moduleFile ??= fetch("WASM");
// Who waits for it tells what went wrong.
self.moduleFile.catch(() => {});
