import { qrCode } from '../../../../routers/base/qr.js';

/** A QR code of a link as one SVG path, dark on light in both themes so that every camera can read it. */
export function Qr({ text, label }: { readonly text: string; readonly label: string }) {
  const { side, path } = qrCode(text, 'M', 2);
  return (
    <svg
      class="qr"
      viewBox={`0 0 ${side} ${side}`}
      width="176"
      height="176"
      role="img"
      aria-label={label}
      shape-rendering="crispEdges"
    >
      <path fill="#fff" d={`M0 0h${side}v${side}H0z`} />
      <path fill="#101413" d={path} />
    </svg>
  );
}
