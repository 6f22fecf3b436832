import { encode } from 'uqr';

/** How much of a code may be hidden: about 7, 15, 25 and 30 percent. */
export const QR_LEVELS = ['L', 'M', 'Q', 'H'] as const;
type QrLevel = (typeof QR_LEVELS)[number];

/** A QR code as the path of its dark squares in an SVG, with its side in squares, margin included. */
interface QrCode {
  readonly side: number;
  readonly path: string;
}

/** The QR code of a text, of a lower level if it would not fit otherwise. */
export function qrCode(text: string, level: QrLevel, margin: number): QrCode {
  for (let at = QR_LEVELS.indexOf(level); ; at -= 1)
    try {
      // Every mask is valid; choosing the best of the eight would take fifteen times as long.
      const { data, size } = encode(text, { ecc: QR_LEVELS[at] ?? 'L', border: margin, maskPattern: 2 });
      const rows = data.map((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')).join(''));
      return { side: size, path: rows.join('') };
    } catch (error) {
      if (at <= 0) throw error;
    }
}
