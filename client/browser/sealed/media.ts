/** What browsers show of what was sealed. Its type is only what its sender says: no other becomes an address of this site. */

/** Pictures, sound and video up to this size are shown. */
export const MAX_MEDIA_BYTES = 256 * 1024 * 1024;

const BY_ENDING: Readonly<Record<string, string>> = {
  ...{ png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp' },
  ...{ avif: 'image/avif', mp4: 'video/mp4', m4v: 'video/mp4', mov: 'video/quicktime', webm: 'video/webm' },
  ...{
    mp3: 'audio/mpeg',
    m4a: 'audio/mp4',
    ogg: 'audio/ogg',
    opus: 'audio/ogg',
    wav: 'audio/wav',
    flac: 'audio/flac',
  },
};

/** The ending of a file's name, in small letters. */
export const endingOf = (name: string | undefined): string =>
  /\.([a-z0-9]{1,10})$/i.exec(name ?? '')?.[1]?.toLowerCase() ?? '';

/** The type of a picture, sound or video that browsers show; null for anything else. */
export function mediaType({ type, name }: { readonly type?: string; readonly name?: string }): string | null {
  const said = type?.toLowerCase() ?? '';
  if (/^(?:image\/(?:png|jpeg|gif|webp|avif)|(?:audio|video)\/[\w.+-]+)$/.test(said)) return said;
  return said === '' || said === 'application/octet-stream' ? (BY_ENDING[endingOf(name)] ?? null) : null;
}

/** The element that shows media. */
export function mediaElement(blob: Blob, type: string, name: string): HTMLElement {
  const src = URL.createObjectURL(blob.slice(0, blob.size, type));
  if (type.startsWith('image/')) {
    const image = document.createElement('img');
    image.className = 'shot';
    return Object.assign(image, { src, alt: name });
  }
  const player = document.createElement(type.startsWith('video/') ? 'video' : 'audio');
  player.setAttribute('aria-label', name);
  return Object.assign(player, { src, controls: true, preload: 'metadata' });
}
