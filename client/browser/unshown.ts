/** Says below a picture, a video or a sound that the browser cannot show it, where there would only be emptiness. */
export function watchShown(): void {
  const notice = document.querySelector<HTMLElement>('[data-unshown]');
  const shown = notice?.parentElement?.querySelector('video, audio, .shot');
  if (!notice || !shown) return;
  const tell = () => {
    notice.hidden = false;
  };
  if (shown instanceof HTMLMediaElement) {
    const judge = () => {
      if (isUnplayable(shown)) tell();
    };
    shown.addEventListener('error', judge);
    shown.addEventListener('loadedmetadata', judge);
    judge();
  }
  if (shown instanceof HTMLImageElement)
    shown.decode().catch(() => {
      tell();
      shown.closest('a')?.setAttribute('hidden', '');
    });
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
