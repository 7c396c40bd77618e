/** Names of keys as this platform writes them: "Ctrl+Shift+Z", or "⇧⌘Z". */
export function withControl(key: string, shift = false, apple = isApple()): string {
  if (apple) return `${shift ? "⇧" : ""}⌘${key}`;
  return `Ctrl+${shift ? "Shift+" : ""}${key}`;
}

function isApple(): boolean {
  return /Macintosh|iPhone|iPad/.test(navigator.userAgent);
}
