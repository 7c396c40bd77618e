import { readCookie } from "./cookie";
import { readRefusal } from "./refusal";

/** Leave for the sign-in page, which comes back here. Never resolves: the page is going away. */
export function signIn(): Promise<never> {
  const next = window.location.pathname + window.location.search;
  window.location.assign(`/login?next=${encodeURIComponent(next)}`);
  return new Promise<never>(() => undefined);
}

/** Leave for the sign-in page. Throws if the server is away or refuses: the user is still signed in. */
export async function signOut(): Promise<void> {
  const headers = { "X-CSRFToken": readCookie("csrftoken", document.cookie) };
  const answer = await fetch("/logout", { method: "POST", headers, credentials: "same-origin", redirect: "manual" });
  // it redirects to the sign-in page
  if (answer.type !== "opaqueredirect" && !answer.ok) throw readRefusal(answer.status, null);
  window.location.assign("/login");
}
