/** What chat applications show: many skip a picture of more bytes, and none shows more pixels. */
export const PREVIEW = { side: 1280, bytes: 300_000 } as const;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The size of the preview of a picture: not more than `PREVIEW.side` on each side, never enlarged. */
export function previewSize({ width, height }: Size): Size {
  const scale = Math.min(1, PREVIEW.side / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
