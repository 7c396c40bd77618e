import type { ReactNode } from "react";
import { Link } from "../routing/Link";
import { Icon } from "../icons/Icon";
import "./BackLink.css";

interface Props {
  readonly href: string;
  readonly children: ReactNode;
}

/** Above a page's title: a link to its parent page. */
export function BackLink({ href, children }: Props) {
  return (
    <Link href={href} className="back-link">
      <Icon name="back" size={12} /> {children}
    </Link>
  );
}
