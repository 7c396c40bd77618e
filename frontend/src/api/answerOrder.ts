/** Says which answers of overlapping requests may be shown: each has to be newer than the shown one. */
export class AnswerOrder {
  private newest = 0;
  private shown = 0;

  /** A request begins. The returned function says, once there is an answer, whether to show it. */
  begin(): () => boolean {
    const own = (this.newest += 1);
    return () => {
      if (own <= this.shown) return false;
      this.shown = own;
      return true;
    };
  }

  /** The question changes: answers to all requests so far are void. */
  forget(): void {
    this.shown = this.newest;
  }
}
