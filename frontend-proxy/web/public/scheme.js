// Sets the colour scheme and the density before the first paint. The storage key of the scheme is Mantine's,
// so that Mantine continues with the same value.
(function () {
  var chosen, density;
  try {
    chosen = localStorage.getItem("mantine-color-scheme-value");
    density = localStorage.getItem("cartulary-density");
  } catch {
    // Storage may be unavailable; the system setting applies.
  }
  var dark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light");
  if (density === "compact") {
    document.documentElement.setAttribute("data-density", density);
  }
})();
