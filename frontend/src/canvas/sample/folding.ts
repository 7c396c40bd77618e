/** Whether the sample feed's panel shows only its title. This browser remembers it. */
const NAME = "streamwright:sample-folded";

export function wasFolded(): boolean {
  try {
    return localStorage.getItem(NAME) === "true";
  } catch {
    return false;
  }
}

export function saveFolding(isFolded: boolean): void {
  try {
    localStorage.setItem(NAME, String(isFolded));
  } catch {
    // forbidden: next time it is open again
  }
}
