/** Recordings up to this many bytes are measured: the player reads one to its end for that. */
const MAX_BYTES = 32 * 1024 * 1024;

/**
 * Makes a player find out how long its recording is, if the recording does not say so, as those of browsers and those
 * that were broken off. Otherwise it shows no length, and one cannot go to a place in it. Not where each part that a
 * player fetches counts as a view (`preload="none"`).
 */
export function measureRecording(): void {
  const player = document.querySelector<HTMLMediaElement>('.stage :is(video, audio)[preload="metadata"]');
  if (!player || !(Number(player.dataset.bytes) <= MAX_BYTES)) return;
  const measure = () => {
    if (player.duration !== Number.POSITIVE_INFINITY || !player.paused) return;
    const back = () => {
      player.currentTime = 0;
    };
    player.addEventListener('seeked', back, { once: true });
    // Beyond every end: the player looks for the last moment that there is.
    player.currentTime = Number.MAX_SAFE_INTEGER;
  };
  player.addEventListener('loadedmetadata', measure, { once: true });
  if (player.readyState >= player.HAVE_METADATA) measure();
}
