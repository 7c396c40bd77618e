import { readCookie } from "./cookie";

/** Leave for the sign-in page, which comes back here. Never resolves: the page is going away. */
export function signIn(): Promise<never> {
  const next = window.location.pathname + window.location.search;
  window.location.assign(`/login?next=${encodeURIComponent(next)}`);
  return new Promise<never>(() => undefined);
}

export async function signOut(): Promise<void> {
  const headers = { "X-CSRFToken": readCookie("csrftoken", document.cookie) };
  await fetch("/logout", { method: "POST", headers, credentials: "same-origin", redirect: "manual" });
  window.location.assign("/login");
}
