import { withQuery } from '../../address.js';
import { FileCard, nameOf, type Staged } from './player.js';

/**
 * A document in the browser's own viewer, in a frame whose policy lets nothing run or load. A browser without a viewer
 * would store the file instead, so the script of every page fills the frame only if there is one.
 */
export function Document(staged: Staged) {
  const { image, password } = staged;
  const src = withQuery(`/web/image-document/${image.uniqueId}`, { password });
  return (
    <>
      <div class="document" data-document={src} data-name={nameOf(image)} hidden />
      <noscript>
        <iframe class="document" src={src} title={nameOf(image)} loading="lazy" />
      </noscript>
      <div data-unshown>
        <FileCard {...staged} />
      </div>
    </>
  );
}
