/** Whether the sample feed's panel shows its title alone: remembered by this browser. */
const NAME = "streamwright:sample-folded";

export function isFolded(): boolean {
  try {
    return localStorage.getItem(NAME) === "true";
  } catch {
    return false;
  }
}

export function rememberFolded(folded: boolean): void {
  try {
    localStorage.setItem(NAME, String(folded));
  } catch {
    // forbidden: it is open again next time
  }
}
