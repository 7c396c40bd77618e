/** The parts of the editor in the order of F6, as in other programs. */
const REGIONS = [".toolbar", ".palette", ".canvas", ".inspector", ".drawer"];
const STOPS = [".react-flow__node.selected", "a[href], button:enabled, input, [tabindex='0']"];

/** Focuses the next part of the editor that can take it. In the canvas that is the selected node. */
export function focusRegion(isBackwards: boolean): void {
  const parts = REGIONS.map((name) => document.querySelector(name)).filter((part) => part !== null);
  const at = parts.findIndex((part) => part.contains(document.activeElement));
  const onwards = [...parts.slice(at + 1), ...parts.slice(0, at + 1)];
  for (const part of isBackwards ? onwards.slice(0, -1).reverse() : onwards) {
    const stop = STOPS.map((stop) => part.querySelector<HTMLElement>(stop)).find((stop) => stop !== null);
    stop?.focus();
    if (stop === document.activeElement) return;
  }
}
