/** Names of keys as this platform writes them: "Ctrl+Shift+Z", or "⇧⌘Z". */
export function withControl(key: string, hasShift = false, isMac = isApple()): string {
  if (isMac) return `${hasShift ? "⇧" : ""}⌘${key}`;
  return `Ctrl+${hasShift ? "Shift+" : ""}${key}`;
}

function isApple(): boolean {
  return /Macintosh|iPhone|iPad/.test(navigator.userAgent);
}
