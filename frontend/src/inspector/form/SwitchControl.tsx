import type { ControlProps } from "./control";
import "./SwitchControl.css";

/** On or off. The default is not stored. */
export function SwitchControl({ field, value, change, aria }: ControlProps) {
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
