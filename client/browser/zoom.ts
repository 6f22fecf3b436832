/** A point of the screen, in pixels. */
interface Point {
  readonly x: number;
  readonly y: number;
}

/** How much larger than its pixels a picture can be shown. */
const MOST = 8;
/** A pointer that moves less has clicked, in pixels. */
const STILL = 6;
/** How much one press of a key enlarges. */
const STEP = 1.5;
/** Pictures this small are first shown in whole multiples of their pixels. */
const TINY = 64;

/**
 * A picture on the whole screen: it fits first; a click shows its own pixels at that point, or makes it fit again; the
 * wheel, two fingers and the keys + - 0 enlarge it, and a pointer drags it.
 */
export class Zoom {
  private scale = 1;
  private left = 0;
  private top = 0;
  private readonly pointers = new Map<number, Point>();
  private moved = 0;
  private readonly over = new AbortController();

  constructor(
    private readonly stage: HTMLElement,
    private readonly image: HTMLImageElement,
  ) {
    const { signal } = this.over;
    image.addEventListener('load', () => this.fit(), { signal });
    if (image.complete) this.fit();
    stage.addEventListener('pointerdown', (event) => this.down(event), { signal });
    stage.addEventListener('pointermove', (event) => this.move(event), { signal });
    stage.addEventListener('pointerup', (event) => this.up(event), { signal });
    stage.addEventListener('pointercancel', ({ pointerId }) => this.pointers.delete(pointerId), { signal });
    stage.addEventListener('wheel', (event) => this.wheel(event), { signal, passive: false });
    stage.addEventListener('keydown', (event) => this.key(event), { signal });
    addEventListener('resize', () => this.fit(), { signal });
  }

  /** Listens to nothing any longer. */
  end(): void {
    this.over.abort();
  }

  private get fitting(): number {
    const { naturalWidth, naturalHeight } = this.image;
    if (naturalWidth === 0 || naturalHeight === 0) return 1;
    const most = Math.min(this.stage.clientWidth / naturalWidth, this.stage.clientHeight / naturalHeight);
    return Math.max(naturalWidth, naturalHeight) <= TINY
      ? Math.max(1, Math.floor(most / 2))
      : Math.min(1, most);
  }

  private fit(): void {
    this.scale = this.fitting;
    this.image.classList.toggle('pixels', this.scale > 1);
    this.place();
  }

  /** Changes the scale; what is at the point stays there. */
  private scaleTo(scale: number, { x, y }: Point): void {
    const next = Math.min(Math.max(scale, this.fitting), Math.max(MOST, this.fitting));
    this.left = x - ((x - this.left) * next) / this.scale;
    this.top = y - ((y - this.top) * next) / this.scale;
    this.scale = next;
    this.place();
  }

  /** Shows the picture: in the middle as far as it is smaller than the screen, and never with a gap otherwise. */
  private place(): void {
    const within = (offset: number, size: number, quota: number) =>
      size <= quota ? (quota - size) / 2 : Math.min(0, Math.max(quota - size, offset));
    const { naturalWidth, naturalHeight, style } = this.image;
    this.left = within(this.left, naturalWidth * this.scale, this.stage.clientWidth);
    this.top = within(this.top, naturalHeight * this.scale, this.stage.clientHeight);
    style.transform = `translate(${this.left}px, ${this.top}px) scale(${this.scale})`;
    this.stage.classList.toggle('larger', this.scale > this.fitting);
  }

  private down(event: PointerEvent): void {
    if (event.target instanceof Element && event.target.closest('form')) return;
    if (this.pointers.size === 0) this.moved = 0;
    this.pointers.set(event.pointerId, pointOf(event));
    this.stage.setPointerCapture(event.pointerId);
  }

  private move(event: PointerEvent): void {
    const before = this.pointers.get(event.pointerId);
    if (before === undefined) return;
    const now = pointOf(event);
    const other = [...this.pointers].find(([id]) => id !== event.pointerId)?.[1];
    this.pointers.set(event.pointerId, now);
    this.moved += Math.hypot(now.x - before.x, now.y - before.y);
    if (other === undefined) {
      this.left += now.x - before.x;
      this.top += now.y - before.y;
      this.place();
      return;
    }
    // Two fingers: what is between them stays between them.
    const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
    const [was, is] = [distance(before, other), distance(now, other)];
    this.left += (now.x - before.x) / 2;
    this.top += (now.y - before.y) / 2;
    this.scaleTo(this.scale * (is / Math.max(1, was)), middle);
  }

  private up(event: PointerEvent): void {
    if (!this.pointers.delete(event.pointerId) || this.pointers.size > 0 || this.moved > STILL) return;
    if (this.scale > this.fitting) this.fit();
    else this.scaleTo(this.fitting < 1 ? 1 : this.fitting * 2, pointOf(event));
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    this.scaleTo(this.scale * Math.exp(-event.deltaY * 0.0025), pointOf(event));
  }

  private key({ key, ctrlKey, metaKey }: KeyboardEvent): void {
    if (ctrlKey || metaKey) return;
    const middle = { x: this.stage.clientWidth / 2, y: this.stage.clientHeight / 2 };
    if (key === '+' || key === '=') this.scaleTo(this.scale * STEP, middle);
    else if (key === '-') this.scaleTo(this.scale / STEP, middle);
    else if (key === '0') this.fit();
  }
}

const pointOf = ({ clientX, clientY }: MouseEvent): Point => ({ x: clientX, y: clientY });

const distance = (one: Point, other: Point): number => Math.hypot(one.x - other.x, one.y - other.y);
