interface Props {
  readonly text: string;
  readonly isOpen: boolean;
  readonly toggle: () => void;
}

/** The first cell of a row that opens for details. */
export function Opener({ text, isOpen, toggle }: Props) {
  return (
    <button type="button" className="opener number" aria-expanded={isOpen} onClick={toggle}>
      {text}
    </button>
  );
}
