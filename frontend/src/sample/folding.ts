/** Whether the sample feed's panel shows its title alone: remembered by this browser. */
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
    // forbidden: it is open again next time
  }
}
