// Sets the colour scheme before anything is painted. The key is Mantine's, which goes on with it.
(function () {
  var chosen;
  try {
    chosen = localStorage.getItem("mantine-color-scheme-value");
  } catch {
    // Storage may be closed to us; the system decides.
  }
  var dark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light");
})();
