/** Whatever colour an operator chooses, text in it and on it is readable, in light and in dark. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { accentPath, accentSheet, contrast, inDark, inLight } from '../../server/web/branding/accent.js';

const test = suite('accent colours');

type Rgb = readonly [number, number, number];
const STEPS = [0, 51, 102, 153, 204, 255];
const COLOURS = STEPS.flatMap((red) =>
  STEPS.flatMap((green) => STEPS.map((blue): Rgb => [red, green, blue])),
);
/** `--ground`, `--surface` and `--sunken` of the style sheet. */
const LIGHT: readonly Rgb[] = [
  [0xf4, 0xf6, 0xf5],
  [255, 255, 255],
  [0xe9, 0xed, 0xeb],
];
const DARK: readonly Rgb[] = [
  [0x0f, 0x13, 0x12],
  [0x16, 0x1b, 0x1a],
  [0x0a, 0x0d, 0x0c],
];

test('every colour is readable on every ground, and so is what is written on it', () => {
  for (const chosen of COLOURS) {
    for (const [made, grounds] of [
      [inLight(chosen), LIGHT],
      [inDark(chosen), DARK],
    ] as const) {
      const { accent, strong, on, soft } = made;
      for (const ground of [...grounds, soft]) {
        assert.ok(contrast(accent, ground) >= 4.5, `${chosen}: accent`);
        assert.ok(contrast(strong, ground) >= 4.5, `${chosen}: strong`);
      }
      assert.ok(contrast(on, accent) >= 4.5, `${chosen}: on accent`);
      assert.ok(contrast(on, strong) >= 4.5, `${chosen}: on strong`);
    }
  }
});

test('there is a style sheet for every colour and for nothing else', () => {
  const name = accentPath('#ffcc00').split('/').at(-1) ?? '';
  assert.match(accentSheet(name) ?? '', /^:root\{--accent:light-dark\(#[0-9a-f]{6},#[0-9a-f]{6}\);/);
  for (const other of ['accent-ffcc0.css', 'accent-ffcc00.css.css', 'accent-}body{.css', 'style.css'])
    assert.is(accentSheet(other), null);
});

test.run();
