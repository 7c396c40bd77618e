import { useLayoutEffect, type RefObject } from "react";
import type { Hint } from "./hints";
import { findPlaceBeside, type Box } from "./placing";

/** Keeps a hint beside its target, and the mark around the target, when either moves or grows. */
export function useBeside(
  { find, side }: Hint,
  box: RefObject<HTMLElement | null>,
  mark: RefObject<HTMLElement | null>,
): void {
  useLayoutEffect(() => {
    const place = () => {
      const target = find();
      if (target === null || box.current === null || mark.current === null) return;
      const around = target.getBoundingClientRect();
      const window = { width: document.documentElement.clientWidth, height: document.documentElement.clientHeight };
      put(mark.current, around);
      put(box.current, findPlaceBeside(around, box.current.getBoundingClientRect(), window, side));
    };
    place();
    const observer = new ResizeObserver(place);
    for (const element of [document.body, find(), box.current]) if (element !== null) observer.observe(element);
    window.addEventListener("resize", place);
    window.addEventListener("scroll", place, true);
    return () => {
      observer.disconnect();
      window.removeEventListener("resize", place);
      window.removeEventListener("scroll", place, true);
    };
  }, [find, side, box, mark]);
}

function put({ style }: HTMLElement, { left, top, width, height }: Pick<Box, "left" | "top"> & Partial<Box>): void {
  style.left = `${left}px`;
  style.top = `${top}px`;
  if (width !== undefined) style.width = `${width}px`;
  if (height !== undefined) style.height = `${height}px`;
}
