import { MAX_PRECISION } from "../../api/values";
import type { Type } from "./types";

interface Props {
  readonly type: Type;
  readonly change: (type: Type) => void;
  /** The owner of the type: "Value type amount". */
  readonly of: string;
}

/** The number of digits of a decimal, and how many of them are after the point. */
export function DigitsRow({ type, change, of }: Props) {
  const { precision = 0, scale = 0 } = type;
  return (
    <div className="members">
      <div className="line digits">
        <DigitsInput
          name="Precision"
          of={of}
          value={precision}
          least={1}
          change={(precision) => change({ ...type, precision })}
        />
        <DigitsInput name="Scale" of={of} value={scale} least={0} change={(scale) => change({ ...type, scale })} />
      </div>
    </div>
  );
}

interface InputProps {
  readonly name: "Precision" | "Scale";
  readonly of: string;
  readonly value: number;
  readonly least: number;
  readonly change: (value: number) => void;
}

function DigitsInput({ name, of, value, least, change }: InputProps) {
  return (
    <label className="quiet">
      {name.toLowerCase()}
      <input
        type="number"
        min={least}
        max={MAX_PRECISION}
        aria-label={`${name} of ${of}`}
        value={value}
        onChange={({ target }) => change(Math.trunc(Number(target.value)))}
      />
    </label>
  );
}
