interface Props {
  readonly words: readonly string[];
  /** The words above numbers. */
  readonly figures?: readonly string[];
  /** What the last column does. */
  readonly action?: string;
}

/** The head of a table with actions in its last column. */
export function TableHead({ words, figures = [], action = "Actions" }: Props) {
  return (
    <thead>
      <tr>
        {words.map((word) => (
          <th key={word} scope="col" className={figures.includes(word) ? "figure" : undefined}>
            {word}
          </th>
        ))}
        <th scope="col">
          <span className="for-screen-readers">{action}</span>
        </th>
      </tr>
    </thead>
  );
}
