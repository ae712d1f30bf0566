(() => {
  const root = document.documentElement;
  let theme = new URLSearchParams(location.search).get("theme");
  try { theme ??= localStorage.getItem("tokenyard.theme"); } catch {}
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
})();
