/** Passes items on in batches, at most one each `ms`: the first at once, later ones with the next. */
export class Batcher<Item> {
  private buffer: Item[] = [];
  private timer: ReturnType<typeof setTimeout> | null = null;

  constructor(
    private readonly hand: (items: readonly Item[]) => void,
    private readonly ms: number,
  ) {}

  push(item: Item): void {
    this.buffer.push(item);
    if (this.timer === null) this.flush();
  }

  close(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.buffer = [];
  }

  private flush(): void {
    this.timer = null;
    if (this.buffer.length === 0) return;
    const items = this.buffer;
    this.buffer = [];
    this.timer = setTimeout(() => this.flush(), this.ms);
    this.hand(items);
  }
}
