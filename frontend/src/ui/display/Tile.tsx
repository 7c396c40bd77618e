import type { ReactNode } from "react";
import { UNKNOWN } from "../text/format";
import "./Tile.css";

interface Props {
  readonly name: string;
  readonly value: string;
  readonly unit?: string;
  /** A quiet second line about the number. */
  readonly detail?: ReactNode;
  /** A sparkline. */
  readonly children?: ReactNode;
  readonly isLoud?: boolean;
}

/** One number of a job, large, with its name above and its history below. */
export function Tile({ name, value, unit, detail, children, isLoud = false }: Props) {
  return (
    <div className={isLoud ? "tile loud" : "tile"}>
      <dt>{name}</dt>
      <dd>
        <span className="value number">
          {value}
          {unit !== undefined && value !== UNKNOWN && <small> {unit}</small>}
        </span>
        <span className="detail number">{detail}</span>
        {children !== undefined && <span className="history">{children}</span>}
      </dd>
    </div>
  );
}
