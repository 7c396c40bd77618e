/** The part of the canvas that no panel covers, and the panels over it, in pixels from the canvas' corner. */
import { create } from "zustand";
import { useSides } from "../../editor/interface/sides";
import type { Rect } from "../../editor/layout/rects";

type Size = Pick<Rect, "width" | "height">;

/** The controls of the canvas, with their margin. */
const CONTROLS = 48;
/** The height of the sample feed's open panel once it says what became of the records. */
const OPEN_FEED = 204;
/** Between the graph and a panel below it. */
const AIR = 12;

/** Heights of the panels over the canvas. When one comes or changes, the graph has another room. */
export const usePanelHeights = create<Readonly<Record<string, number>>>()(() => ({}));

/** A ref for a panel over the canvas: notes its height while it is there. */
export function noteHeight(panel: HTMLElement): () => void {
  const name = panel.className;
  const observer = new ResizeObserver(() => usePanelHeights.setState({ [name]: panel.offsetHeight }));
  observer.observe(panel);
  return () => {
    observer.disconnect();
    usePanelHeights.setState({ [name]: 0 });
  };
}

/** The canvas on the screen, with what panels cover of it. */
export function measureCanvas(): DOMRect {
  return document.querySelector(".canvas")?.getBoundingClientRect() ?? new DOMRect();
}

/** The part of a canvas of this size that neither the inspector nor a panel covers. */
export function measureRoom({ width, height }: Size): Rect {
  const top = measureTop();
  return { x: 0, y: top, width: width - useSides.getState().covered, height: height - top - measureBottom(height) };
}

/** Where panels lie over the canvas now. */
export function listPanels(): readonly Rect[] {
  const canvas = measureCanvas();
  const panels = [".legend", ".sample-panel", ".canvas-controls", ".canvas-words > *"];
  return [...document.querySelectorAll(panels.map((panel) => `.canvas > ${panel}`).join())].map((panel) => {
    const { x, y, width, height } = panel.getBoundingClientRect();
    return { x: x - canvas.x, y: y - canvas.y, width, height };
  });
}

/** The height that the legend takes. */
function measureTop(): number {
  const legend = document.querySelector<HTMLElement>(".canvas > .legend");
  return legend === null ? 0 : legend.offsetTop + legend.offsetHeight;
}

/** The height that the panel of a feed takes, or else the controls. */
function measureBottom(height: number): number {
  const panel = document.querySelector<HTMLElement>(".canvas > .sample-panel");
  if (panel === null) return CONTROLS;
  const grows = panel.querySelector(".fold[aria-expanded=true]") === null ? 0 : OPEN_FEED - panel.offsetHeight;
  return height - panel.offsetTop + Math.max(0, grows) + AIR;
}
