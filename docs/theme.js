// The documentation has the theme that this browser chose for the product, and else that of the system.
{
  const schemes = { light: "default", dark: "slate" };
  const scheme = schemes[localStorage.getItem("streamwright:theme")];
  const apply = () => document.body.setAttribute("data-md-color-scheme", scheme);
  if (scheme) {
    apply();
    // Material follows the system whenever that changes
    new MutationObserver(() => document.body.dataset.mdColorScheme !== scheme && apply()).observe(document.body, {
      attributeFilter: ["data-md-color-scheme"],
    });
  }
}
