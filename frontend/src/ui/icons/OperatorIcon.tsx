import { ICONS } from "./icons";
import { Sprite } from "./Sprite";

/** The picture of an operator from its class in the catalogue. A box until the catalogue arrives. */
export function OperatorIcon({ name = ICONS.operator }: { readonly name?: string | undefined }) {
  return <Sprite className="operator-icon" icon={name} size={14} />;
}
