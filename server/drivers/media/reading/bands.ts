import type { Grey } from './recogniser.js';

/** A darker pixel is ink. */
const INK = 128;
/** White rows between lines that are read together. */
const MARGIN = 8;
/** How high a line of text may be. */
const HEIGHT = { least: 12, most: 120 };

/** Rows of a picture with ink. */
export interface Band {
  readonly top: number;
  readonly bottom: number;
  readonly ink: number;
}

const inkOf = ({ pixels, width }: Grey, y: number): number => {
  let ink = 0;
  for (let at = y * width; at < (y + 1) * width; at += 1) if ((pixels[at] ?? 255) < INK) ink += 1;
  return ink;
};

/** What may be lines of text across a picture, from the top. */
export function linesIn(grey: Grey): Band[] {
  const bands: Band[] = [];
  let top = 0;
  let ink = 0;
  for (let y = 0; y <= grey.height; y += 1) {
    const row = y < grey.height ? inkOf(grey, y) : 0;
    if (row === 0) {
      if (ink > 0) bands.push({ top, bottom: y, ink });
      ink = 0;
    } else {
      if (ink === 0) top = y;
      ink += row;
    }
  }
  return bands.filter(({ top, bottom }) => bottom - top >= HEIGHT.least && bottom - top <= HEIGHT.most);
}

/** Lines as a picture of their own, and where a row of it is in the whole one. */
export function cutOut(
  grey: Grey,
  lines: readonly Band[],
  width = grey.width,
): { readonly grey: Grey; readonly rowOf: (y: number) => number } {
  const space = Buffer.alloc(width * MARGIN, 255);
  const starts: number[] = [];
  const rows: Buffer[] = [];
  let height = 0;
  for (const { top, bottom } of lines) {
    starts.push(height + MARGIN);
    rows.push(space);
    for (let y = top; y < bottom; y += 1)
      rows.push(grey.pixels.subarray(y * grey.width, y * grey.width + width));
    height += MARGIN + bottom - top;
  }
  return {
    grey: { pixels: Buffer.concat([...rows, space]), width, height: height + MARGIN },
    rowOf: (y) => {
      const index = Math.max(
        0,
        starts.findLastIndex((start) => start <= y + MARGIN),
      );
      return y - (starts[index] ?? 0) + (lines[index]?.top ?? 0);
    },
  };
}
