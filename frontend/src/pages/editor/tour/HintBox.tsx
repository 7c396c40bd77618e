import { useEffect, useId, useRef } from "react";
import { Button } from "../../../ui/controls/Button";
import type { Hint } from "./hints";
import { useBeside } from "./useBeside";
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
