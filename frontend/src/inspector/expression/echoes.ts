/**
 * The texts that an editor told its form, and that come back with the form's next drawings. On a slow machine the user
 * has typed on meanwhile. Such a text is no change from outside: to take it would undo letters and move the cursor.
 */
export class Echoes {
  private told: readonly string[] = [];

  /** The user typed. */
  tell(text: string): void {
    this.told = [...this.told, text];
  }

  /** Whether this text, which the form drew, is one that the editor told. Each comes once, and some are passed over. */
  isEcho(text: string): boolean {
    const at = this.told.indexOf(text);
    this.told = this.told.slice(at + 1);
    return at >= 0;
  }

  /** The form has what the user sees: nothing more comes back. */
  settle(): void {
    this.told = [];
  }
}
