import { ICONS, type IconName } from "./icons";
import { Sprite } from "./Sprite";

/** One of the page's own icons. It always has a word beside it. */
export function Icon({ name, size = 14 }: { readonly name: IconName; readonly size?: number }) {
  return <Sprite className="icon" icon={ICONS[name]} size={size} />;
}
