import { useEffect, useId, useRef, type KeyboardEvent, type ReactNode } from "react";
import { useFocusReturn } from "../browser/focusReturn";
import { Button } from "../controls/Button";
import { pressesAction, type Place } from "./pressing";
import "./Dialog.css";

interface Props {
  readonly title: string;
  readonly children: ReactNode;
  readonly close: () => void;
  /** The button for the action. Without one the dialog only informs, and has "Close". */
  readonly action?: ReactNode;
  /** The text of the first button, if the action has nothing to cancel. */
  readonly leave?: string;
  /** Whether it needs the width for columns. */
  readonly isWide?: boolean;
}

/**
 * Covers the page until it is answered. Escape and the first button leave it. Enter in a line of text, or Control+Enter
 * anywhere, presses the button for the action.
 */
export function Dialog({ title, children, close, action, leave, isWide = false }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();

  useFocusReturn();
  useEffect(() => {
    dialog.current?.showModal();
    // without a field the browser focuses "Cancel": Enter should do what the user came for, unless that loses something
    const isOnFooter = document.activeElement?.closest("footer") != null;
    const button = findAction(dialog.current);
    const place = button?.disabled === true ? dialog.current : button;
    if (isOnFooter && button?.classList.contains("primary") === true) place?.focus();
  }, []);
  const press = (event: KeyboardEvent<HTMLDialogElement>) => {
    if (event.defaultPrevented || !pressesAction(event.nativeEvent, findPlace(event))) return;
    event.preventDefault();
    findAction(dialog.current)?.click();
  };

  return (
    <dialog
      ref={dialog}
      tabIndex={-1}
      className={isWide ? "dialog wide" : "dialog"}
      aria-labelledby={heading}
      onClose={close}
      onKeyDown={press}
    >
      <h2 id={heading}>{title}</h2>
      <div className="body">{children}</div>
      <footer>
        <Button onClick={close}>{leave ?? (action === undefined ? "Close" : "Cancel")}</Button>
        {action}
      </footer>
    </dialog>
  );
}

/** The button for the action, also while it cannot be pressed. */
function findAction(dialog: HTMLDialogElement | null): HTMLButtonElement | null {
  return dialog?.querySelector(":scope > footer > .button:is(.primary, .danger):last-child") ?? null;
}

/** A line of a form within the dialog has an Enter of its own. */
function findPlace({ target, currentTarget }: KeyboardEvent<HTMLDialogElement>): Place {
  if (target === currentTarget) return "dialog";
  return target instanceof HTMLInputElement && !target.readOnly && target.form === null ? target.type : "other";
}
