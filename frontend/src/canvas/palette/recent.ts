/** The operators that the user added last, newest first. This browser remembers them. */
const KEPT_AS = "streamwright:recent-operators";
const MAX_RECENT = 5;

export function listRecent(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEPT_AS) ?? "[]");
    return Array.isArray(kept) ? kept.filter((name) => typeof name === "string") : [];
  } catch {
    return [];
  }
}

export function noteRecent(operator: string): void {
  const next = [operator, ...listRecent().filter((name) => name !== operator)].slice(0, MAX_RECENT);
  try {
    localStorage.setItem(KEPT_AS, JSON.stringify(next));
  } catch {
    // the list stays as it is
  }
}
