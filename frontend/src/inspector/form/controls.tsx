import type { Field } from "./fields";
import { readText } from "./paths";
import { useState } from "react";
import { chooseUnit, formatInUnit, parseMs, UNITS, type Unit } from "./durations";
import "./controls.css";

/** Connects a control to its label, its help and its issues. */
export interface ControlAria {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": true | undefined;
  readonly "aria-required": true | undefined;
}

/** The label of a cell, which has no visible label. */
export interface CellAria extends ControlAria {
  readonly "aria-label"?: string;
  readonly "aria-labelledby"?: string;
}

/** Properties of a control for one value. */
export interface ControlProps {
  readonly field: Field;
  readonly path: string;
  readonly value: unknown;
  readonly change: (value: unknown) => void;
  readonly aria: CellAria;
}

/** Attributes of an element outside React. The caller keeps those of a cell as JSON. */
export function readAttributes(json: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(JSON.parse(json) as CellAria).map(([name, value]) => [name, String(value)]));
}

/** The control of a field with one plain value. */
export function ValueControl(props: ControlProps) {
  switch (props.field.kind) {
    case "number":
      return <NumberControl {...props} />;
    case "duration":
      return <DurationControl {...props} />;
    case "choice":
      return <ChoiceControl {...props} />;
    case "segments":
      return <SegmentsControl {...props} />;
    case "switch":
      return <SwitchControl {...props} />;
    default:
      return <TextControl {...props} />;
  }
}

/** A line of text, with suggestions if some are usual. An empty one has no value. */
function TextControl({ field, value, change, aria }: ControlProps) {
  const words = field.choices.length > 0 ? `${aria.id}-words` : undefined;
  return (
    <>
      <input
        type="text"
        spellCheck={false}
        autoComplete="off"
        list={words}
        placeholder={field.whenEmpty || readText(field.fallback)}
        value={readText(value)}
        onChange={(event) => change(event.target.value || undefined)}
        {...aria}
      />
      {words !== undefined && (
        <datalist id={words}>
          {field.choices.map((word) => (
            <option key={word} value={word} />
          ))}
        </datalist>
      )}
    </>
  );
}

/** A whole number. An empty field has no value. */
function NumberControl({ field, value, change, aria }: ControlProps) {
  const [text, type] = useTypedText(value, typeof value === "number" ? String(value) : "");
  return (
    <input
      type="number"
      inputMode="numeric"
      step={1}
      min={field.minimum}
      max={field.maximum}
      placeholder={typeof field.fallback === "number" ? String(field.fallback) : field.whenEmpty}
      value={text}
      onChange={(event) => {
        const number = event.target.value === "" ? undefined : Number(event.target.value);
        type(event.target.value, number);
        change(number);
      }}
      {...aria}
    />
  );
}

/** A time span as a number and its unit. */
function DurationControl({ field, value, change, aria }: ControlProps) {
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

/** One of a few words. The default empties the field. */
function ChoiceControl({ field, value, change, aria }: ControlProps) {
  const fallback = typeof field.fallback === "string" ? field.fallback : "";
  const choice = typeof value === "string" ? value : fallback;
  const choices = choice === "" || field.choices.includes(choice) ? field.choices : [choice, ...field.choices];
  return (
    <select
      className={choice === "" ? "empty" : undefined}
      value={choice}
      onChange={({ target }) => change(target.value === fallback ? undefined : target.value)}
      {...aria}
    >
      {fallback === "" && <option value="">{field.whenEmpty || "Choose…"}</option>}
      {choices.map((choice) => (
        <option key={choice}>{choice}</option>
      ))}
    </select>
  );
}

/** One of few words, all visible. The default empties the field. */
function SegmentsControl({ field, value, change, aria }: ControlProps) {
  const { id, ...label } = aria;
  const current = value ?? field.fallback;
  const isKnown = typeof current !== "string" || field.choices.includes(current);
  const choices = isKnown ? field.choices : [current, ...field.choices];
  return (
    <div role="radiogroup" id={id} className="segments" {...label}>
      {choices.map((choice) => (
        <label key={choice}>
          <input
            type="radio"
            name={id}
            checked={choice === current}
            onChange={() => change(choice === field.fallback ? undefined : choice)}
          />
          <span>{choice.replaceAll("_", " ")}</span>
        </label>
      ))}
    </div>
  );
}

/** On or off. The default is not stored. */
function SwitchControl({ field, value, change, aria }: ControlProps) {
  const { "aria-required": _, ...label } = aria;
  return (
    <input
      type="checkbox"
      role="switch"
      className="switch"
      checked={value === undefined ? field.fallback === true : value === true}
      onChange={({ target }) => change(target.checked === field.fallback ? undefined : target.checked)}
      {...label}
    />
  );
}

/** The typed text while its value is the current one. Otherwise `shown`, because the value changed elsewhere. */
function useTypedText(
  value: unknown,
  text: string,
): readonly [text: string, type: (text: string, value: unknown) => void] {
  const [input, setInput] = useState({ text, value });
  return [input.value === value ? input.text : text, (text, value) => setInput({ text, value })];
}
