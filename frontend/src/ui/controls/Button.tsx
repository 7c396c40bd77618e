import type { ButtonHTMLAttributes, ReactNode } from "react";
import { Icon } from "../icons/Icon";
import type { IconName } from "../icons/icons";
import "./Button.css";

type Props = ButtonHTMLAttributes<HTMLButtonElement> & {
  readonly children: ReactNode;
  readonly icon?: IconName;
  /** primary: the one next step. danger: something may be lost. plain: everything else. */
  readonly look?: "primary" | "plain" | "danger";
  readonly isBusy?: boolean;
  /** Why the user may not press it, and the next step. */
  readonly why?: string | null;
};

/** A button with a word. While `isBusy`, nobody can press it again: a double click deploys once. It keeps the focus. */
export function Button(props: Props) {
  const { children, icon, look = "plain", isBusy = false, why = null, disabled, onClick, ...rest } = props;
  return (
    <button
      type="button"
      className={`button ${look}`}
      disabled={!isBusy && (disabled || why !== null)}
      title={why ?? undefined}
      aria-busy={isBusy}
      aria-disabled={isBusy || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
      {...rest}
    >
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  );
}
