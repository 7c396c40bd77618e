interface Props {
  readonly words: readonly string[];
  /** The words above numbers. */
  readonly figures?: readonly string[];
  /** What the buttons in the last column do. Null: there is no such column. */
  readonly action?: string | null;
}

/** The head of a table. */
export function TableHead({ words, figures = [], action = null }: Props) {
  return (
    <thead>
      <tr>
        {words.map((word) => (
          <th key={word} scope="col" className={figures.includes(word) ? "figure" : undefined}>
            {word}
          </th>
        ))}
        {action !== null && (
          <th scope="col">
            <span className="for-screen-readers">{action}</span>
          </th>
        )}
      </tr>
    </thead>
  );
}
