import { useId, type ReactNode } from "react";
import "./Panel.css";

interface Props {
  readonly title: string;
  readonly children: ReactNode;
  /** Content right of the title: a sum, a unit, a small control. */
  readonly aside?: ReactNode;
}

/** A titled region of a page. */
export function Panel({ title, aside, children }: Props) {
  const heading = useId();
  return (
    <section className="panel" aria-labelledby={heading}>
      <header>
        <h2 id={heading}>{title}</h2>
        {aside !== undefined && <div className="aside quiet">{aside}</div>}
      </header>
      {children}
    </section>
  );
}
