import { useEffect, useId, useRef, useLayoutEffect, useSyncExternalStore, type RefObject } from "react";
import { useFocusReturn } from "../../../ui/browser/focusReturn";
import { Button } from "../../../ui/controls/Button";
import type { Hint } from "./hints";
import { findPlaceBeside, findWidthBeside, type Box } from "./placing";
import "./HintBox.css";

interface Props {
  readonly hint: Hint;
  /** "2 of 5" */
  readonly count: string;
  readonly isLast: boolean;
  readonly next: () => void;
  readonly skip: () => void;
}

/** One hint beside its target. The page stays usable. Escape skips the rest. */
export function HintBox({ hint, count, isLast, next, skip }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const mark = useRef<HTMLDivElement>(null);
  const heading = useId();
  const text = useId();
  useBeside(hint, box, mark);
  useFocusReturn();

  useEffect(() => {
    box.current?.querySelector<HTMLElement>(".primary")?.focus({ preventScroll: true });
  }, [hint]);

  return (
    <>
      <div className="tour-mark" ref={mark} aria-hidden="true" />
      <div
        className="tour-hint"
        ref={box}
        role="dialog"
        aria-labelledby={heading}
        aria-describedby={text}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.stopPropagation();
          skip();
        }}
      >
        <h2 id={heading}>{hint.title}</h2>
        <p id={text}>{hint.text}</p>
        <footer>
          <span className="quiet number">{count}</span>
          {!isLast && <Button onClick={skip}>Skip</Button>}
          <Button look="primary" onClick={next}>
            {isLast ? "Done" : "Next"}
          </Button>
        </footer>
      </div>
    </>
  );
}

/** Notices every element that comes or goes. */
export function subscribeToPage(notify: () => void): () => void {
  const observer = new MutationObserver(notify);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => observer.disconnect();
}

/** Keeps a hint beside its target, and the mark around the target, when either moves, grows or is replaced. */
function useBeside(
  { find, findClear, side }: Hint,
  box: RefObject<HTMLElement | null>,
  mark: RefObject<HTMLElement | null>,
): void {
  const target = useSyncExternalStore(subscribeToPage, find);
  useLayoutEffect(() => {
    const place = () => {
      if (target === null || box.current === null || mark.current === null) return;
      const around = target.getBoundingClientRect();
      const window = { width: document.documentElement.clientWidth, height: document.documentElement.clientHeight };
      put(mark.current, around);
      narrow(box.current, findWidthBeside(around, findClear?.()?.getBoundingClientRect() ?? null));
      put(box.current, findPlaceBeside(around, box.current.getBoundingClientRect(), window, side));
    };
    place();
    const observer = new ResizeObserver(place);
    for (const element of [document.body, target, box.current]) if (element !== null) observer.observe(element);
    window.addEventListener("resize", place);
    window.addEventListener("scroll", place, true);
    return () => {
      observer.disconnect();
      window.removeEventListener("resize", place);
      window.removeEventListener("scroll", place, true);
    };
  }, [target, findClear, side, box, mark]);
}

function narrow({ style }: HTMLElement, width: number | null): void {
  style.maxWidth = width === null ? "" : `${width}px`;
}

function put({ style }: HTMLElement, { left, top, width, height }: Pick<Box, "left" | "top"> & Partial<Box>): void {
  style.left = `${left}px`;
  style.top = `${top}px`;
  if (width !== undefined) style.width = `${width}px`;
  if (height !== undefined) style.height = `${height}px`;
}
