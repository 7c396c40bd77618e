import sprite from "lucide-static/sprite.svg?url";
import "./OperatorIcon.css";

/** The picture of an operator: any name of the Lucide icons, as its class in the catalogue says. */
export function OperatorIcon({ name }: { readonly name: string }) {
  return (
    <svg className="operator-icon" width="14" height="14" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <use href={`${sprite}#${name}`} />
    </svg>
  );
}
