import { useState, type UIEvent } from "react";

const FIRST = 60;
const NEAR_PX = 600;

/** How many rows of a long list to draw: more as its reader comes near their end. `top`: nothing is scrolled away. */
export function useGrowing() {
  const [rows, setRows] = useState(FIRST);
  const [top, setTop] = useState(true);
  const onScroll = ({ currentTarget: list }: UIEvent<HTMLElement>) => {
    const atTop = list.scrollTop < 4;
    setTop(atTop);
    if (atTop) setRows(FIRST);
    else if (list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_PX) {
      setRows((before) => before + FIRST);
    }
  };
  return { rows, top, onScroll };
}
