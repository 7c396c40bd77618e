import type { ComponentProps, MouseEvent } from "react";
import { openPath } from "./usePath";

type Props = ComponentProps<"a"> & { readonly href: string };

/** A link inside the page. With a modifier key the browser handles it: new tab, new window, download. */
export function Link({ href, ...rest }: Props) {
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    openPath(href);
  };
  return <a href={href} onClick={follow} {...rest} />;
}
