// Title and claim in the reader's language, chosen as the application will choose it, while the
// application is on its way: the rest of the first frame is in the file's own one.
let said;
const early = () => {
  const all = JSON.parse(document.getElementById("words").textContent);
  // A file that shows several pages has words for each.
  const words = (said = all[document.documentElement.dataset.page] ?? all);
  let kept;
  // What a reader chose here does not reach into other people's pages.
  if (!self.frame) try { kept = localStorage.getItem("tokenyard.lang"); } catch {}
  const asked = new URLSearchParams(location.search).get("lang");
  const lang = [asked, kept, navigator.language.split("-")[0]].find((one) => Object.hasOwn(words, one));
  if (!lang || lang === document.documentElement.lang) return;
  const say = (key) => words[lang][key].replace(/\[\[[^|\]]*\|(.*?)\]\]/g, "$1");
  for (const [place, key] of [["#app h1", "title"], ["#app .lead", "lead"]]) {
    const node = document.querySelector(place);
    node.textContent = say(key);
    node.lang = lang;
  }
  document.title = `${say("title")} · ${say("site")}`;
  return lang;
};
let spoken;
try { spoken = early(); } catch {}
// Words of the present language inside a panel, else of the file's first one.
const show = (id, pick) => {
  const panel = document.getElementById(id);
  panel.hidden = false;
  const root = document.documentElement;
  const lang = root.dataset.ready ? root.lang : (spoken ?? root.lang);
  const lines = [...panel.querySelectorAll(pick)];
  (lines.find((line) => line.lang === lang) ?? lines[0]).hidden = false;
};
const stopped = () => !document.getElementById("stopped").hidden;
const broken = (why) => {
  if (stopped()) return;
  // A sandboxed page is a stranger to its own files unless their server says otherwise. So is one from a
  // disk, which no server helps.
  const served = location.protocol !== "file:";
  const cause = why === "files" && self.origin === "null" && served ? "sandbox" : why;
  show("broken", `[data-why="${cause}"]`);
  self.embed?.say("error", { message: document.querySelector("#broken p:not([hidden])").textContent });
};
// LOAD
const go = () => start().catch(async (error) => {
  if (document.documentElement.dataset.ready) return;
  if (!(error instanceof WebAssembly.CompileError)) return broken("files");
  if (/unsafe-eval|Content Security|disallowed|blocked/i.test(String(error))) return broken("no-wasm");
  broken((await whole()) ? "old" : "files");
});
if (!self.frame) go();
// The module's own boundary sees panics. What stops it without one, such as too deep a stack, ends
// here.
const trap = ({ error, reason }) => {
  const what = error ?? reason;
  if (stopped() || !(what instanceof WebAssembly.RuntimeError || what instanceof RangeError)) return;
  show("stopped", "[lang]");
  document.getElementById("stopped-message").textContent = String(what);
  document.getElementById("stopped-link").value = location.href;
};
addEventListener("error", trap);
addEventListener("unhandledrejection", trap);
