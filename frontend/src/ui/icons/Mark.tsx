/** The product's mark: one stream that divides in two. */
export function Mark() {
  return (
    <svg className="mark" width="20" height="20" viewBox="0 0 20 20" fill="none" aria-hidden="true" focusable="false">
      <path d="M2 10h5c3 0 3-5 6-5h5M7 10c3 0 3 5 6 5h5" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
      <circle cx="3.2" cy="10" r="2.2" fill="currentColor" />
    </svg>
  );
}
