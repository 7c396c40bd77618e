/** The arrow at the end of a stream's edge. */
export function Arrow() {
  return (
    <svg className="defs" aria-hidden="true" focusable="false">
      <defs>
        <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
          <path d="M1,1 7,4 1,7" />
        </marker>
      </defs>
    </svg>
  );
}
