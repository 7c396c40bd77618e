/** Leaves a form for the node it belongs to. */
export function focusSelection(ids: Iterable<string>): void {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  const [id] = ids;
  if (id !== undefined) focusNode(id);
}

/** Puts the focus on a node once it is drawn, unless it is elsewhere by then: the next key is for that node. */
export function focusNode(id: string): void {
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return;
    document.querySelector<HTMLElement>(`.react-flow__node[data-id="${id}"]`)?.focus({ preventScroll: true });
  });
}
