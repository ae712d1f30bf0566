// Keeps the site for offline use, says how far that is, and takes it away again. Fetched when the reader
// presses the button, and by the pages of a site that is kept.
const words = @WORDS;
const workers = navigator.serviceWorker;
const PATIENCE = 10000;

// What a worker says of itself; nothing if it does not answer.
const ask = (worker) => new Promise((resolve) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }) => resolve(data);
  setTimeout(resolve, PATIENCE);
  worker.postMessage({ offline: "which" }, [port2]);
});
const short = ({ version, build }) => ({ version, build: build.slice(0, 8) });
const megabytes = (bytes) => Math.floor(bytes / 1e6);

// `home` is the folder of the site; `pressed` says that the reader asked for it just now. Gives what is to
// be called when the language changes.
export const start = ({ keep, home, pressed }) => {
  const own = { version: keep.dataset.version, build: document.documentElement.dataset.build };
  const need = Math.ceil(keep.dataset.weight / 1000);
  const state = keep.querySelector("[role=status]");
  const first = keep.querySelector("button");
  delete first.dataset.say;
  const second = first.cloneNode();
  const bar = document.createElement("progress");
  const MINE = `tokenyard ${home} `;
  // The registration, what its workers say of themselves, how far a download is, and what became of the last.
  let found, kept, next, far, ended;
  let looks = 0;

  const say = (key, facts = {}) => {
    const text = (words[keep.lang] ?? words[document.documentElement.lang] ?? Object.values(words)[0])[key];
    return text.replace(/\{(\w+)\}/g, (_, name) => facts[name]);
  };

  // What is told and which buttons there are, first the one that leads on.
  const picture = () => {
    const last = ended ? [ended] : [];
    if (!kept && (far || next || found?.installing || found?.active?.state === "activating")) return [[["keeping"]], ["cancel", cancel]];
    if (!kept) return [last, ["keep", keepIt]];
    const same = kept.build === own.build;
    const told = [same ? ["kept"] : ["kept-other", short(kept)]];
    if (next) return [[...told, ["ready", short(next)]], ["use", use], ["remove", remove]];
    if (far) return [[...told, ["updating"]], ["remove", remove]];
    if (kept.kept < kept.of) return [[["partly", { n: kept.kept, m: kept.of }], ...last], ["again", refill], ["remove", remove]];
    return [[...told, ...last], ["remove", remove]];
  };
  // What makes a kept site an application that can be installed. Its address is whole: pages are followed in
  // place, and a relative one would be looked for beside each of them.
  const manifest = document.createElement("link");
  Object.assign(manifest, { rel: "manifest", href: `${home}site.webmanifest` });
  const draw = () => {
    if (!kept) manifest.remove();
    else if (!manifest.isConnected) document.head.append(manifest);
    const [told, ...actions] = picture();
    const text = told.map(([key, facts]) => say(key, facts)).join(" ");
    // A live region speaks when it changes.
    if (state.textContent !== text) state.textContent = text;
    const had = document.activeElement;
    [first, second].forEach((button, i) => {
      const [key, act] = actions[i] ?? [];
      button.hidden = !key;
      if (!key) return;
      button.textContent = say(key, { n: need });
      // The second press of a double one is meant for the button that was there.
      button.onclick = ({ detail }) => { if (detail < 2) act(); };
    });
    if (had === second && second.hidden) first.focus();
    bar.hidden = !far;
    bar.setAttribute("aria-label", say("progress"));
    if (far?.of) Object.assign(bar, { max: far.of, value: far.done });
    else bar.removeAttribute("value");
  };
  const look = async () => {
    const mine = ++looks;
    found = await workers.getRegistration(home);
    if (found?.scope !== home) found = undefined;
    const { active, waiting, installing } = found ?? {};
    for (const worker of [active, waiting, installing]) follow(worker);
    if (found) found.onupdatefound = look;
    const asked = [active?.state === "activated" ? active : undefined, waiting];
    const told = await Promise.all(asked.map((worker) => worker && ask(worker)));
    // Somebody looked again meanwhile.
    if (mine !== looks) return;
    [kept, next] = told;
    if (!installing) far = undefined;
    draw();
  };
  // Looks again whenever a worker gets on, and notes a new download.
  const followed = new WeakSet();
  const follow = (worker) => {
    if (!worker || followed.has(worker)) return;
    followed.add(worker);
    if (worker.state === "installing") [far, ended] = [far ?? {}, undefined];
    worker.addEventListener("statechange", () => {
      if (worker.state === "redundant" && far) ended ??= [kept ? "update-files" : "files", { file: "offline.js" }];
      look();
    });
  };

  const keepIt = async () => {
    const room = await navigator.storage?.estimate?.().catch(() => {});
    const free = room ? room.quota - room.usage : Infinity;
    if (free < need * 1e6) {
      ended = ["space", { n: need, m: megabytes(free) }];
      return draw();
    }
    [far, ended] = [{}, undefined];
    draw();
    try {
      found = await workers.register(`${home}offline.js`, { scope: home, updateViaCache: "none" });
    } catch ({ name }) {
      [far, ended] = [undefined, [name === "TypeError" ? "missing" : "refused"]];
      return draw();
    }
    follow(found.installing);
    // A worker that was not yet gone when it was asked for again has lost its files.
    if (!found.installing && !found.waiting && found.active) await refill();
    await look();
  };
  const refill = async () => {
    [far, ended] = [{}, undefined];
    draw();
    found.active?.postMessage({ offline: "fill" });
  };
  const cancel = () => {
    ended = ["cancelled"];
    found?.installing?.postMessage({ offline: "cancel" });
  };
  // The pages that this version takes over load again, this one with them.
  const use = () => {
    const { waiting } = found;
    waiting.addEventListener("statechange", () => { if (waiting.state === "activated") again(); });
    waiting.postMessage({ offline: "use" });
  };
  const remove = async () => {
    workers.removeEventListener("controllerchange", again);
    found.installing?.postMessage({ offline: "cancel" });
    await found.unregister();
    const mine = (await caches.keys()).filter((name) => name.startsWith(MINE));
    await Promise.all(mine.map((name) => caches.delete(name)));
    [found, kept, next, far, ended] = [undefined, undefined, undefined, undefined, ["removed"]];
    draw();
  };
  let leaving = false;
  const again = () => {
    if (!leaving) location.reload();
    leaving = true;
  };

  workers.addEventListener("controllerchange", again);
  workers.addEventListener("message", async ({ data }) => {
    if (data?.offline === "progress") {
      // One that comes after the end is of a file that was on its way.
      if (far) far = data;
      draw();
    } else if (data?.offline === "failed") {
      const { why, file } = data;
      far = undefined;
      if (why === "cancelled") ended ??= ["cancelled"];
      else ended = [kept ? `update-${why}` : why, { n: need, file }];
      await look();
    } else if (data?.offline === "filled") {
      far = undefined;
      await look();
    }
  });
  workers.startMessages();
  document.addEventListener("visibilitychange", () => { if (!document.hidden) look(); });

  second.hidden = true;
  bar.hidden = true;
  first.after(second);
  state.after(bar);
  (async () => {
    await look();
    if (pressed) return keepIt();
    // Another version took over while this page was on its way: its file is the old one.
    const [{ type } = {}] = performance.getEntriesByType("navigation");
    const ruler = workers.controller && (await ask(workers.controller));
    if (ruler && ruler.build !== own.build && type !== "reload") again();
  })();
  return draw;
};
