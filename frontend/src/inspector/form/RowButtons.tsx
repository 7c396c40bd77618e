import { Icon } from "../../ui/icons/Icon";
import type { IconName } from "../../ui/icons/icons";

interface MovesProps {
  /** The name of the row. */
  readonly name: string;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly move: (by: -1 | 1) => void;
}

/** Moves a row up or down. */
export function RowMoves({ name, isFirst, isLast, move }: MovesProps) {
  return (
    <span className="moves">
      <RowButton label={`Move ${name} up`} icon="up" disabled={isFirst} press={() => move(-1)} />
      <RowButton label={`Move ${name} down`} icon="down" disabled={isLast} press={() => move(1)} />
    </span>
  );
}

interface ButtonProps {
  readonly label: string;
  readonly icon: IconName;
  readonly disabled?: boolean;
  readonly press: () => void;
}

export function RowButton({ label, icon, disabled = false, press }: ButtonProps) {
  return (
    <button type="button" className="icon-button" aria-label={label} title={label} disabled={disabled} onClick={press}>
      <Icon name={icon} size={12} />
    </button>
  );
}
