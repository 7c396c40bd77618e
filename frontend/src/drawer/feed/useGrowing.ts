import { useState, type UIEvent } from "react";

const FIRST = 60;
const NEAR_PX = 600;

/** The number of rows to draw in a long list. It grows near the end. `top` means not scrolled. */
export function useGrowing() {
  const [rows, setRows] = useState(FIRST);
  const [isAtTop, setTop] = useState(true);
  const onScroll = ({ currentTarget: list }: UIEvent<HTMLElement>) => {
    const isTop = list.scrollTop < 4;
    setTop(isTop);
    if (isTop) setRows(FIRST);
    else if (list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_PX) {
      setRows((before) => before + FIRST);
    }
  };
  return { rows, isAtTop, onScroll };
}
