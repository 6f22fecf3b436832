import type { Branding } from '../../../routers/core/branding/branding.js';
import { logoPath } from './parts.js';

/** Where browsers find how the installation is called and looks as an application. */
export const MANIFEST_PATH = '/web/manifest.webmanifest';

/** The sizes of the icon, in pixels. */
const SIZES = [192, 512];

/** The web manifest: with it a phone puts the installation beside its applications. */
export function manifestOf({ name, tagline, logo, accent }: Branding) {
  return {
    name,
    short_name: name,
    ...(tagline === null ? {} : { description: tagline }),
    id: '/',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: '#f4f6f5',
    theme_color: accent ?? '#0c6a57',
    // The form that works without scripts takes what a phone shares.
    share_target: {
      action: '/web/image-upload',
      method: 'POST',
      enctype: 'multipart/form-data',
      params: { files: [{ name: 'file', accept: ['*/*'] }] },
    },
    icons:
      logo === null
        ? [
            { src: '/web/assets/icon.svg', type: 'image/svg+xml', sizes: 'any' },
            { src: '/apple-touch-icon.png', type: 'image/png', sizes: '180x180' },
          ]
        : SIZES.map((size) => ({ src: logoPath(logo, size), type: 'image/png', sizes: `${size}x${size}` })),
  };
}
