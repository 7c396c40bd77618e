// The documentation has the theme that this browser chose for the product.
{
  const schemes = { light: "default", dark: "slate" };
  const scheme = schemes[localStorage.getItem("streamwright:theme")];
  if (scheme) document.body.setAttribute("data-md-color-scheme", scheme);
}
