import { useState, type ReactNode } from "react";
import "./Fold.css";

interface Props {
  /** Whether something in it is set or wrong. Then it opens at first. */
  readonly isOpen: boolean;
  readonly children: ReactNode;
}

/** The settings that few nodes need. */
export function Fold({ isOpen, children }: Props) {
  const [wasOpen] = useState(isOpen);
  return (
    <details className="more-fields" open={wasOpen}>
      <summary>More</summary>
      {children}
    </details>
  );
}
