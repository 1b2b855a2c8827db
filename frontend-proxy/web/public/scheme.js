// Sets colour scheme and density before anything is painted. The key of the scheme is Mantine's, which goes on with it.
(function () {
  var chosen, density;
  try {
    chosen = localStorage.getItem("mantine-color-scheme-value");
    density = localStorage.getItem("cartulary-density");
  } catch {
    // Storage may be closed to us; the system decides.
  }
  var dark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light");
  if (density === "compact") {
    document.documentElement.setAttribute("data-density", density);
  }
})();
