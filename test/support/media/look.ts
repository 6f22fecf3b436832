import sharp from 'sharp';
import * as assert from 'uvu/assert';

/** The size of a picture, and the colour in its middle. */
export async function look(path: string) {
  const { data, info } = await sharp(path).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const middle = (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2)) * info.channels;
  return { size: [info.width, info.height], colour: [...data.subarray(middle, middle + 3)] };
}

/** Fails if a value of a colour is further off than that. */
export const near = (actual: readonly number[], expected: readonly number[], off: number) =>
  assert.ok(
    actual.every((value, index) => Math.abs(value - (expected[index] ?? 0)) <= off),
    `${actual} instead of ${expected}`,
  );
