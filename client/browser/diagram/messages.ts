/** What a page asks of the frame that draws. */
export interface Asked {
  readonly text: string;
  readonly dark: boolean;
}

/** What the frame tells its page: that it listens, how high the drawing is, or why there is none; null is for "too long". */
export type Told =
  | { readonly ready: true }
  | { readonly height: number }
  | { readonly failed: string | null };
