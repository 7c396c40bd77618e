import { useForm } from "./FormContext";
import { FormField } from "./FormField";
import type { Drawn, Known } from "./shown";

interface Props {
  readonly drawn: Drawn;
  readonly known: Known;
}

/** A field; where it does not apply, that what it holds has no effect. */
export function DrawnField({ drawn: { field, isUsed }, known }: Props) {
  const { change } = useForm();
  if (isUsed) return <FormField field={field} known={known} />;
  return (
    <div className="unused">
      <FormField field={field} known={known} />
      <p className="unused-note">
        Not used with the current settings.{" "}
        <button
          type="button"
          className="small-button"
          aria-label={`Clear ${field.label}`}
          onClick={() => change(field.name, undefined)}
        >
          Clear
        </button>
      </p>
    </div>
  );
}
