// Runs before anything else of an embed: its policy, the host's colours, the shape that is asked for.
(() => {
  const root = document.documentElement;
  // In a sandbox `'self'` matches nothing in some engines, so the policy names the origin.
  const policy = document.createElement("meta");
  policy.httpEquiv = "Content-Security-Policy";
  policy.content = "POLICY".replaceAll("ORIGIN", new URL(location.href).origin);
  document.head.append(policy);
  const query = new URLSearchParams(location.search);
  const theme = query.get("theme");
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  self.frame = TABLE;
  const ui = query.get("ui");
  root.dataset.ui = Object.hasOwn(self.frame.shapes, ui) ? ui : "lab";
})();
