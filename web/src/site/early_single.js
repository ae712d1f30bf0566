// One file is page and embed: what the address asks for is looked at before the first paint.
(() => {
  const root = document.documentElement;
  const ui = new URLSearchParams(location.search).get("ui");
  if (ui === null) return;
  self.frame = TABLE;
  root.dataset.ui = Object.hasOwn(self.frame.shapes, ui) ? ui : "lab";
})();
