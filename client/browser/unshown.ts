/**
 * Says below a picture, a video or a sound that the browser cannot show it, where there would only be emptiness. If the
 * server can decode a picture that the browser cannot, its rendition is shown instead.
 */
export function watchShown(): void {
  showDocument();
  const notice = document.querySelector<HTMLElement>('[data-unshown]');
  const shown = notice?.parentElement?.querySelector('video, audio, .shot');
  if (!notice || !shown) return;
  const tell = () => {
    notice.hidden = false;
  };
  if (shown instanceof HTMLMediaElement) watchPlayer(shown, tell);
  if (shown instanceof HTMLImageElement)
    void watchPicture(shown, notice.dataset.instead).then((visible) => {
      if (visible) return;
      shown.closest('a')?.setAttribute('hidden', '');
      tell();
    });
}

/** Shows a document in a frame if this browser has a viewer for it; otherwise it would be downloaded. */
function showDocument(): void {
  const place = document.querySelector<HTMLElement>('[data-document]');
  if (!place || !navigator.pdfViewerEnabled) return;
  const frame = document.createElement('iframe');
  frame.className = place.className;
  frame.title = place.dataset.name ?? '';
  frame.src = place.dataset.document ?? '';
  place.replaceWith(frame);
  const card = document.querySelector<HTMLElement>('[data-unshown]');
  if (card) card.hidden = true;
}

function watchPlayer(player: HTMLMediaElement, tell: () => void): void {
  const judge = () => {
    if (isUnplayable(player)) tell();
  };
  player.addEventListener('error', judge);
  player.addEventListener('loadedmetadata', judge);
  judge();
}

/** Whether a player cannot play its file, or only the sound of a video because it does not know the codec. */
function isUnplayable(player: HTMLMediaElement): boolean {
  const blind =
    player instanceof HTMLVideoElement &&
    player.readyState >= player.HAVE_METADATA &&
    player.videoWidth === 0;
  const code = player.error?.code;
  return blind || code === MediaError.MEDIA_ERR_SRC_NOT_SUPPORTED || code === MediaError.MEDIA_ERR_DECODE;
}

/** Whether a picture is visible in the end, as it is or as the rendition at `instead`. */
async function watchPicture(picture: HTMLImageElement, instead: string | undefined): Promise<boolean> {
  if (await decodes(picture)) return true;
  if (instead === undefined) return false;
  picture.srcset = '';
  picture.src = instead;
  picture.closest('a')?.setAttribute('data-zoom', instead);
  return decodes(picture);
}

const decodes = (picture: HTMLImageElement): Promise<boolean> =>
  picture.decode().then(
    () => true,
    () => false,
  );
