import sprite from "icons.svg?url";
import "./Sprite.css";

interface Props {
  readonly className: string;
  /** A name in Lucide. */
  readonly icon: string;
  readonly size: number;
}

/** One picture of the sprite that the build makes of all used icons (tools/icons.ts). */
export function Sprite({ className, icon, size }: Props) {
  return (
    <svg className={className} width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <use href={`${sprite}#${icon}`} />
    </svg>
  );
}
