import "./Skeleton.css";

interface Props {
  /** About as many as will come. */
  readonly rows?: number;
}

/** Stands where rows of a page will be, until the server has answered. */
export function Skeleton({ rows = 6 }: Props) {
  return (
    <div className="skeleton" aria-busy="true">
      <p className="for-screen-readers">Loading …</p>
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} />
      ))}
    </div>
  );
}
