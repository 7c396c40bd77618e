import { useRef, type ReactNode } from "react";
import type { IconName } from "../icons/icons";
import { Button } from "./Button";

interface Props {
  readonly children: ReactNode;
  /** The accessible name of the file field. */
  readonly label: string;
  /** File types, as an input takes them. */
  readonly accept?: string;
  readonly icon?: IconName;
  readonly isBusy?: boolean;
  readonly pick: (file: File) => void;
}

/** A button of the page's own look that asks for a file. The same file can be picked again. */
export function FileButton({ children, label, accept, icon, isBusy = false, pick }: Props) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        className="for-screen-readers"
        type="file"
        accept={accept}
        aria-label={label}
        tabIndex={-1}
        onChange={({ target }) => {
          const file = target.files?.[0];
          if (file !== undefined) pick(file);
          target.value = "";
        }}
      />
      <Button {...(icon && { icon })} isBusy={isBusy} onClick={() => input.current?.click()}>
        {children}
      </Button>
    </>
  );
}
