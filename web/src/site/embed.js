// An embed's first frame: it hides what is not asked for, speaks with the page around it, reports its
// height, and starts the application once it has been in view for a moment. Off screen nothing runs.
const root = document.documentElement;
const query = new URLSearchParams(location.search);
const host = parent === self ? null : parent;
const say = (type, rest) => host?.postMessage({ tokenyard: 1, type, ...rest }, "*");

// Parts and knobs, by the same table that the application has. The single-file edition's first frame is
// the whole page's, and stays away until the application is there.
const trim = () => {
  const parts = self.frame.shapes[root.dataset.ui];
  const listed = query.get("controls")?.split(",").map((name) => name.trim());
  const shows = (part) =>
    Boolean(listed?.includes(part)) || (parts.includes(part) && !(listed && self.frame.controls.includes(part)));
  // Where the question is asked, what would answer it is covered.
  const asking = document.getElementById("asking");
  if (shows("predict")) asking.parentElement.replaceChildren(asking.content);
  for (const knob of document.querySelectorAll("#app [data-link]")) {
    knob.hidden = listed && !listed.includes("knobs") && !listed.includes(knob.dataset.link);
    if (listed?.includes(knob.dataset.link)) knob.closest(".more")?.removeAttribute("hidden");
  }
  for (const part of document.querySelectorAll("#app [data-part]")) {
    const picked = part.dataset.part === "knobs" || part.dataset.part === "more"
      ? listed?.some((name) => part.querySelector(`[data-link="${CSS.escape(name)}"]`))
      : false;
    part.hidden = !(shows(part.dataset.part) || picked);
  }
  for (const row of document.querySelectorAll(".knob-actions")) row.hidden = !shows("more");
  for (const side of ["rail", "more"]) {
    const box = document.querySelector(`.embed-${side}`);
    box.hidden = !box.querySelector(":scope > :not([hidden])");
    box.parentElement.classList.toggle(`has-${side}`, !box.hidden);
  }
};
if (document.getElementById("asking")) trim();

// Links lead out of the frame, whatever they are.
const pin = (link) => {
  if (!link || link.getAttribute("href").startsWith("#")) return;
  link.target = "_blank";
  link.rel = "noopener";
};
addEventListener("click", (event) => pin(event.target.closest?.("a[href]")), true);
const open = document.querySelector(".embed-open");
if (open && location.hash.length > 1) open.href += location.hash;

// What the page around says. Before the application listens, colours are changed here and the rest
// waits for it.
const waiting = [];
let heard = (message) => { waiting.push(message); };
self.embed = {
  say,
  listen(hear) {
    heard = hear;
    for (const message of waiting.splice(0)) hear(message);
  },
};
addEventListener("message", ({ source, data }) => {
  if (!host || source !== host || data?.tokenyard !== 1) return;
  if (data.type === "set" && ["light", "dark", "system"].includes(data.theme)) {
    if (data.theme === "system") delete root.dataset.theme;
    else root.dataset.theme = data.theme;
  }
  heard(data);
  if (data.type === "play" || data.type === "focus") wake();
  else if (data.type === "set" && (data.lang ?? data.state) !== undefined) watch();
});

// The height, told when it changes. Content that grows because its frame did would grow for ever where
// the host does as it is told: after ten heights that only grew, each further one waits twice as long,
// until the width changes or the reader does something.
let told = 0, width = 0, grown = 0, later;
const tell = () => {
  later = undefined;
  const height = Math.ceil(document.body.getBoundingClientRect().height);
  if (height === told || height === 0) return;
  grown = height > told ? grown + 1 : 0;
  told = height;
  say("resize", { height });
  host?.postMessage(JSON.stringify({ context: "iframe.resize", height }), "*");
};
const measure = () => {
  // The frame's width: the body's also changes with the scroll bar that a short frame has.
  if (innerWidth !== width) [width, grown] = [innerWidth, 0];
  if (grown < 10 || document.body.getBoundingClientRect().height < told) tell();
  else later ??= setTimeout(tell, 500 * 2 ** (grown - 10));
};
new ResizeObserver(measure).observe(document.body);
for (const act of ["pointerdown", "keydown"]) addEventListener(act, () => { grown = 0; }, true);

// Keys that nothing here uses go on to the page around: a slide show wants them.
const KEYS = ["Escape", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End", " "];
addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (key === "Escape") host?.focus();
  else if (event.defaultPrevented || target.closest?.("input, select, textarea, summary")) return;
  else if (key === " " && target.closest?.("button, a")) return;
  if (KEYS.includes(key)) say("key", { key });
});

// The application starts once: when the frame has been in view for a moment and the page is idle, or
// at the reader's first touch. A picture of the default state in the file's language is already there.
let awake = false;
const wake = () => {
  if (awake) return;
  awake = true;
  sight.disconnect();
  go();
};
let soon;
const sight = new IntersectionObserver((entries) => {
  clearTimeout(soon);
  if (!entries.at(-1).isIntersecting) return;
  soon = setTimeout(() => (self.requestIdleCallback ? requestIdleCallback(wake, { timeout: 500 }) : wake()), 200);
});
const watch = () => { if (!awake) sight.observe(root); };
for (const act of ["pointerdown", "keydown", "focusin"]) addEventListener(act, wake, { once: true, capture: true });
if (root.dataset.ui !== "figure" || location.hash.length > 1 || spoken) watch();
const named = new URLSearchParams(location.hash.slice(1)).get("lab");
say("ready", { v: 1, lab: (root.hasAttribute("data-single") && named) || root.dataset.page.split("/")[1] });
measure();
