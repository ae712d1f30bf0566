// Keeps one version of the site, whole, and answers from nothing else. docs/design/offline.md says why so.
const VERSION = "@VERSION";
const BUILD = "@BUILD";
const KILOBYTES = @WEIGHT;
// Every file of this version below the folder of this script, with its digest.
const FILES = new Map(@FILES);
const LOST = @LOST;
const SCOPE = registration.scope;
// Other copies of the site at this origin have caches of their own.
const MINE = `tokenyard ${SCOPE} `;
const CACHE = MINE + BUILD;
// Files that are fetched at the same time.
const LANES = 4;
// Names that change with what is in the file.
const DIGESTED = /-[0-9a-f]{16}(_bg)?\.\w+$/;

const at = (name) => new URL(name, SCOPE).href;
const stop = new AbortController();

const tell = async (message) => {
  for (const client of await clients.matchAll({ type: "window", includeUncontrolled: true })) client.postMessage(message);
};

// A file from the network, if it is the one of this version.
const fetched = async (name, signal) => {
  const response = await fetch(at(name), { integrity: FILES.get(name), cache: "reload", signal });
  if (!response.ok) throw new TypeError(`${response.status}`);
  // Taken as a new answer: one that was redirected must not answer a navigation, and one that varies with
  // what the browser sent might not be found again.
  const headers = new Headers(response.headers);
  for (const header of ["Vary", "Content-Encoding", "Content-Length"]) headers.delete(header);
  return new Response(response.body, { headers });
};

// Puts what is missing into the cache of this version.
const fill = async () => {
  const cache = await caches.open(CACHE);
  const there = new Set((await cache.keys()).map((request) => request.url));
  const missing = [...FILES.keys()].filter((name) => !there.has(at(name)));
  let done = FILES.size - missing.length;
  const lane = async () => {
    for (let file = missing.shift(); file !== undefined; file = missing.shift()) {
      try {
        await cache.put(at(file), await fetched(file, stop.signal));
      } catch (error) {
        throw Object.assign(new Error(error.name), { file });
      }
      done += 1;
      if (!stop.signal.aborted) tell({ offline: "progress", done, of: FILES.size });
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
};

const why = ({ message, file }) => {
  if (stop.signal.aborted) return { why: "cancelled" };
  return message === "QuotaExceededError" ? { why: "full" } : { why: "files", file };
};

// All or nothing: one file that is not there, or is not of this version, and none of them stays. A cache
// that was there before is that of the version in use, to which the server went back.
const install = async () => {
  const fresh = !(await caches.has(CACHE));
  try {
    await fill();
  } catch (error) {
    const reason = why(error);
    stop.abort();
    if (fresh) await caches.delete(CACHE);
    await tell({ offline: "failed", ...reason });
    throw error;
  }
};

// Nobody uses the version before any more, or the reader asked for this one and pages load again. Only a
// frame in somebody's page does not; it may have fetched its page and not yet its module.
const clean = async () => {
  const open = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const old = (await caches.keys()).filter((name) => name.startsWith(MINE) && name !== CACHE);
  if (open.some(({ url, frameType }) => frameType === "nested" && url.startsWith(SCOPE))) old.pop();
  await Promise.all(old.map((name) => caches.delete(name)));
};

const lost = () => {
  const headers = { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": "default-src 'none'" };
  return new Response(LOST.replaceAll("@HOME", SCOPE), { status: 503, headers });
};

// A file of this version. Browsers may throw away what was kept: then the same file from the network, else
// for a page whatever the server has now. A page is whole by itself: what it names carries its digest.
const answer = async (name, request) => {
  const kept = await caches.match(at(name), { cacheName: CACHE });
  if (kept) return kept;
  try {
    const again = await fetched(name);
    if (await caches.has(CACHE)) {
      const copy = again.clone();
      await caches.open(CACHE).then((cache) => cache.put(at(name), copy)).catch(() => {});
    }
    return again;
  } catch {
    return fetch(request).catch(() => (request.mode === "navigate" ? lost() : Response.error()));
  }
};

// A file of the version before, for a frame that still shows it.
const older = async (request) => {
  for (const name of (await caches.keys()).filter((one) => one.startsWith(MINE))) {
    const kept = await caches.match(request.url, { cacheName: name });
    if (kept) return kept;
  }
  return fetch(request);
};

addEventListener("install", (event) => event.waitUntil(install()));
addEventListener("activate", (event) => event.waitUntil(clean()));

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(SCOPE)) return;
  const [path] = request.url.slice(SCOPE.length).split(/[?#]/);
  const isFolder = path === "" || path.endsWith("/");
  const name = isFolder ? `${path}index.html` : path;
  if (FILES.has(name)) event.respondWith(answer(name, request));
  else if (FILES.has(`${name}/index.html`)) event.respondWith(Response.redirect(`${at(name)}/${new URL(request.url).search}`));
  else if (DIGESTED.test(name)) event.respondWith(older(request));
});

addEventListener("message", (event) => {
  const { data, ports } = event;
  const which = async () => {
    const kept = (await caches.has(CACHE)) ? (await (await caches.open(CACHE)).keys()).length : 0;
    ports[0].postMessage({ version: VERSION, build: BUILD, kilobytes: KILOBYTES, kept, of: FILES.size });
  };
  const fillUp = () => fill().catch((error) => tell({ offline: "failed", ...why(error) })).then(() => tell({ offline: "filled" }));
  if (data?.offline === "which") event.waitUntil(which());
  else if (data?.offline === "fill") event.waitUntil(fillUp());
  else if (data?.offline === "use") skipWaiting();
  else if (data?.offline === "cancel") stop.abort();
});
