import { useId } from "react";
import "../form/SegmentsControl.css";

interface Props {
  readonly ways: readonly string[];
  readonly chosen: string | null;
  readonly choose: (way: string) => void;
}

/** The first question of a form whose operator can be told in several ways: the fields of one follow. */
export function WayChoice({ ways, chosen, choose }: Props) {
  const id = useId();
  return (
    <div role="radiogroup" className="segments" aria-label="Computed by">
      {ways.map((way) => (
        <label key={way}>
          <input type="radio" name={id} checked={way === chosen} onChange={() => choose(way)} />
          <span>{way}</span>
        </label>
      ))}
    </div>
  );
}
