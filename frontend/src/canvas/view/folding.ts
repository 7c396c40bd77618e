const KEPT_AS = "streamwright:legend";

/** Whether the user folded the legend in this browser. */
export function isLegendFolded(): boolean {
  try {
    return localStorage.getItem(KEPT_AS) === "folded";
  } catch {
    return false;
  }
}

export function keepLegendFolded(isFolded: boolean): void {
  try {
    localStorage.setItem(KEPT_AS, isFolded ? "folded" : "open");
  } catch {
    // it holds until the user leaves the page
  }
}
