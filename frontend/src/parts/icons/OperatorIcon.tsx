import { ICONS } from "./icons";
import { Sprite } from "./Sprite";

/** The picture of an operator as its class in the catalogue says; a box until the catalogue is there. */
export function OperatorIcon({ name = ICONS.operator }: { readonly name?: string | undefined }) {
  return <Sprite className="operator-icon" icon={name} size={14} />;
}
