import type { NamedColours } from '../formats/iso/heif.js';

/** Red, green and blue at full light as XYZ, adapted to the white of profiles (D50). */
type Colorants = readonly [red: readonly number[], green: readonly number[], blue: readonly number[]];

/** By the numbers of H.273. All others are close to those of sRGB, or nobody uses them. */
const PRIMARIES: Readonly<Record<number, Colorants>> = {
  9: [
    [0.67348, 0.27904, -0.00193],
    [0.16567, 0.67534, 0.02998],
    [0.12505, 0.04561, 0.79685],
  ],
  12: [
    [0.51512, 0.24119, -0.00105],
    [0.29198, 0.69224, 0.04188],
    [0.1571, 0.06657, 0.78407],
  ],
};
const SRGB_PRIMARIES: Colorants = [
  [0.43604, 0.22248, 0.01392],
  [0.38511, 0.71691, 0.09707],
  [0.14305, 0.06061, 0.71391],
];
const D50 = [0.9642, 1, 0.8249];

/** Luminance of white in a picture of high dynamic range, in cd/m² (BT.2408); brighter light becomes white. */
const WHITE = 203;

const srgb = (v: number) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);

function perceptualQuantizer(v: number): number {
  const power = v ** (32 / 2523);
  const ratio = Math.max(power - 107 / 128, 0) / (2413 / 128 - (2392 / 128) * power);
  return (ratio ** (8192 / 1305) * 10_000) / WHITE;
}

/** Hybrid log-gamma on a display of 1,000 cd/m². */
function hybridLogGamma(v: number): number {
  const scene = v <= 0.5 ? (v * v) / 3 : (Math.exp((v - 0.55991073) / 0.17883277) + 0.28466892) / 12;
  return (scene ** 1.2 * 1000) / WHITE;
}

/** From coded values to light, by the numbers of H.273. As in browsers, the curves of video count as that of sRGB. */
const TRANSFERS: Readonly<Record<number, (v: number) => number>> = {
  4: (v) => v ** 2.2,
  5: (v) => v ** 2.8,
  8: (v) => v,
  16: perceptualQuantizer,
  18: hybridLogGamma,
};

const CURVE_POINTS = 4096;
const XYZ_BYTES = 20;

/** The start of a tag; the rest is to be filled in. */
function tag(type: string, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  bytes.write(type, 'latin1');
  return bytes;
}

function xyzTag(values: readonly number[]): Buffer {
  const bytes = tag('XYZ ', XYZ_BYTES);
  values.forEach((value, index) => {
    bytes.writeInt32BE(Math.round(value * 65_536), 8 + index * 4);
  });
  return bytes;
}

function curveTag(transfer: (v: number) => number): Buffer {
  const bytes = tag('curv', 12 + CURVE_POINTS * 2);
  bytes.writeUInt32BE(CURVE_POINTS, 8);
  for (let point = 0; point < CURVE_POINTS; point++) {
    const light = Math.min(1, transfer(point / (CURVE_POINTS - 1)));
    bytes.writeUInt16BE(Math.round(light * 65_535), 12 + point * 2);
  }
  return bytes;
}

/** All of the same size but for the last, which the three curves share. */
const TAGS = ['wtpt', 'rXYZ', 'gXYZ', 'bXYZ', 'rTRC', 'gTRC', 'bTRC'];

/** A colour profile (ICC, version 2) for colours that a file only names by number; null if they count as those of sRGB. */
export function profileOf({ primaries, transfer }: NamedColours): Buffer | null {
  const colorants = PRIMARIES[primaries];
  const curve = TRANSFERS[transfer];
  if (colorants === undefined && curve === undefined) return null;
  const bodies = [D50, ...(colorants ?? SRGB_PRIMARIES)].map(xyzTag);
  const shared = curveTag(curve ?? srgb);
  const head = Buffer.alloc(132 + TAGS.length * 12);
  head.writeUInt32BE(head.length + bodies.length * XYZ_BYTES + shared.length, 0);
  head.writeUInt32BE(0x02400000, 8);
  head.write('mntrRGB XYZ ', 12, 'latin1');
  head.write('acsp', 36, 'latin1');
  xyzTag(D50).copy(head, 68, 8);
  head.writeUInt32BE(TAGS.length, 128);
  TAGS.forEach((name, index) => {
    const at = 132 + index * 12;
    head.write(name, at, 'latin1');
    head.writeUInt32BE(head.length + Math.min(index, bodies.length) * XYZ_BYTES, at + 4);
    head.writeUInt32BE((bodies[index] ?? shared).length, at + 8);
  });
  return Buffer.concat([head, ...bodies, shared]);
}
