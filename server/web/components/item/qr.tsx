import { encode } from 'uqr';

/** A QR code of a link as one SVG path, dark on light in both themes so that every camera can read it. */
export function Qr({ text, label }: { readonly text: string; readonly label: string }) {
  // Every mask is valid; choosing the best of the eight would take fifteen times as long.
  const { data, size } = encode(text, { ecc: 'M', border: 2, maskPattern: 2 });
  const squares = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg
      class="qr"
      viewBox={`0 0 ${size} ${size}`}
      width="176"
      height="176"
      role="img"
      aria-label={label}
      shape-rendering="crispEdges"
    >
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#101413" d={squares.join('')} />
    </svg>
  );
}
