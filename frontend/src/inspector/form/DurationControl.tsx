import { useState } from "react";
import type { ControlProps } from "./control";
import { chooseUnit, formatInUnit, parseMs, UNITS, type Unit } from "./durations";
import { useTypedText } from "./useTypedText";
import "./DurationControl.css";

/** A time span as a number and its unit. */
export function DurationControl({ field, value, change, aria }: ControlProps) {
  const ms = typeof value === "number" ? value : undefined;
  const fallback = typeof field.fallback === "number" ? field.fallback : undefined;
  const [choice, setChoice] = useState<{ readonly unit: Unit; readonly ms: number | undefined } | null>(null);
  const unit = choice !== null && choice.ms === ms ? choice.unit : chooseUnit(ms ?? fallback);
  const [text, type] = useTypedText(ms, formatInUnit(ms, unit));

  const become = (text: string, unit: Unit) => {
    const ms = parseMs(text, unit);
    setChoice({ unit, ms });
    type(text, ms);
    change(ms);
  };
  return (
    <div className="duration">
      <input
        type="number"
        min={0}
        step="any"
        placeholder={formatInUnit(fallback, unit)}
        value={text}
        onChange={(event) => become(event.target.value, unit)}
        {...aria}
      />
      <select
        aria-label={`Unit of ${field.label}`}
        value={unit}
        onChange={(event) => become(text, event.target.value as Unit)}
      >
        {UNITS.map((unit) => (
          <option key={unit}>{unit}</option>
        ))}
      </select>
    </div>
  );
}
