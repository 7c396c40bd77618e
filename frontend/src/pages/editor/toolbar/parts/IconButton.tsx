import type { ButtonHTMLAttributes, ReactNode } from "react";

type Props = ButtonHTMLAttributes<HTMLButtonElement> & { readonly name: string; readonly children: ReactNode };

/** A small button with a common picture. Its name is accessible, and its title says more. */
export function IconButton({ name, children, ...rest }: Props) {
  return (
    <button type="button" className="icon-button" aria-label={name} {...rest}>
      {children}
    </button>
  );
}
