/** The value of a cookie in the text of `document.cookie`, or "" if it is missing. */
export function readCookie(name: string, cookies: string): string {
  for (const pair of cookies.split("; ")) {
    const [key, ...value] = pair.split("=");
    if (key === name) return decodeURIComponent(value.join("="));
  }
  return "";
}
