import { Icon } from "../parts/Icon";
import "../parts/Search.css";

interface Props {
  readonly label: string;
  readonly value: string;
  readonly change: (value: string) => void;
}

/** Filters what a tab shows. Unlike the page's own search it has no key of its own; Escape empties it. */
export function SearchField({ label, value, change }: Props) {
  return (
    <label className="search">
      <span className="unseen">{label}</span>
      <Icon name="search" />
      <input
        type="search"
        placeholder={label}
        value={value}
        onChange={(event) => change(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") change("");
        }}
      />
    </label>
  );
}
