/**
 * Applies the colour scheme of GraphiQL to the design tokens: the scheme chosen in its settings, or the
 * system scheme. Without a choice there, the scheme of the other pages is the default.
 */
export function followScheme(page: Document, storage: Storage = localStorage): void {
  const theirs = "graphiql:theme";
  const ours = storage.getItem("mantine-color-scheme-value");
  if (storage.getItem(theirs) === null && (ours === "light" || ours === "dark")) {
    storage.setItem(theirs, ours);
  }
  const system = matchMedia("(prefers-color-scheme: dark)");
  const follow = () => {
    const { classList } = page.body;
    const dark = classList.contains("graphiql-dark") || (system.matches && !classList.contains("graphiql-light"));
    page.documentElement.dataset["mantineColorScheme"] = dark ? "dark" : "light";
  };
  new MutationObserver(follow).observe(page.body, { attributeFilter: ["class"] });
  system.addEventListener("change", follow);
  follow();
}
