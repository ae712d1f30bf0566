// The version and what is kept for offline use, under the application and without it. Before the reader asks
// for it nothing is fetched, registered or stored.
const keep = document.getElementById("keep");
const home = new URL("ROOT", location.href).href;
const managed = "MANAGE";
// Told when the language changes, once there is somebody to tell.
let retell = () => {};
const spell = () => {
  const { lang, dataset } = document.documentElement;
  const own = dataset.ready ? lang : (spoken ?? lang);
  const words = said?.[own];
  if (!words) return;
  keep.lang = own;
  const facts = { version: keep.dataset.version, build: dataset.build.slice(0, 8), n: Math.ceil(keep.dataset.weight / 1000) };
  for (const node of keep.querySelectorAll("[data-say]")) {
    node.textContent = words[node.dataset.say].replace(/\{(\w+)\}/g, (_, name) => facts[name]);
  }
  retell();
};
new MutationObserver(spell).observe(document.documentElement, { attributeFilter: ["lang", "data-ready"] });
spell();

const offer = keep.querySelector("button");
// A sandbox refuses even the question.
let workers;
try { workers = location.protocol.startsWith("http") && navigator.serviceWorker; } catch {}
offer.hidden = !workers;
keep.querySelector(".note").hidden = Boolean(workers);
const manage = async (pressed) => {
  try {
    const { start } = await import(home + managed);
    retell = start({ keep, home, pressed });
  } catch {
    const state = keep.querySelector("[role=status]");
    state.dataset.say = "offline.missing";
    spell();
  }
};
if (workers) {
  offer.onclick = () => manage(true);
  addEventListener("load", async () => {
    const found = await workers.getRegistration(home).catch(() => {});
    if (found?.scope === home) manage(false);
  });
}
