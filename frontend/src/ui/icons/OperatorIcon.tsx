import { ICONS } from "./icons";
import { Sprite } from "./Sprite";

interface Props {
  readonly name?: string | undefined;
  readonly size?: number;
}

/** The picture of an operator from its class in the catalogue. A box until the catalogue arrives. */
export function OperatorIcon({ name = ICONS.operator, size = 14 }: Props) {
  return <Sprite className="operator-icon" icon={name} size={size} />;
}
