import { useId } from "react";
import "../form/controls.css";

interface Props {
  readonly ways: readonly string[];
  readonly current: string | null;
  readonly choose: (way: string) => void;
}

/** The first question of a form whose operator has several ways of set-up. The fields of one follow. */
export function WayChoice({ ways, current, choose }: Props) {
  const id = useId();
  return (
    <div role="radiogroup" className="segments" aria-label="Computed by">
      {ways.map((way) => (
        <label key={way}>
          <input type="radio" name={id} checked={way === current} onChange={() => choose(way)} />
          <span>{way}</span>
        </label>
      ))}
    </div>
  );
}
