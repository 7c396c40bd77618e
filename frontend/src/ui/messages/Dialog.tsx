import { useEffect, useId, useRef, type ReactNode } from "react";
import { Button } from "../controls/Button";
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

/** Covers the page until it is answered. Escape and the first button leave it. */
export function Dialog({ title, children, close, action, leave, isWide = false }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();

  useEffect(() => {
    dialog.current?.showModal();
  }, []);

  return (
    <dialog ref={dialog} className={isWide ? "dialog wide" : "dialog"} aria-labelledby={heading} onClose={close}>
      <h2 id={heading}>{title}</h2>
      <div className="body">{children}</div>
      <footer>
        <Button onClick={close}>{leave ?? (action === undefined ? "Close" : "Cancel")}</Button>
        {action}
      </footer>
    </dialog>
  );
}
