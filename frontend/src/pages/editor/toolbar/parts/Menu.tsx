import { useCallback, useRef, useState, type ReactNode } from "react";
import { MenuList, type MenuItem } from "../../../../ui/controls/MenuList";
import { IconButton } from "./IconButton";
import "./Menu.css";

interface Props {
  readonly name: string;
  readonly icon: ReactNode;
  readonly items: readonly MenuItem[];
}

/** A button with a list of actions. */
export function Menu({ name, icon, items }: Props) {
  const [isOpen, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const close = useCallback((isAnswered: boolean) => {
    setOpen(false);
    if (isAnswered) place.current?.querySelector<HTMLElement>(".icon-button")?.focus();
  }, []);
  return (
    <div ref={place} className="menu">
      <IconButton name={name} title={name} aria-haspopup="menu" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {icon}
      </IconButton>
      {isOpen && <MenuList name={name} items={items} close={close} />}
    </div>
  );
}
