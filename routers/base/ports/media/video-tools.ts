/** What can be done with a video or a sound whose result is not stored. Implemented in `server/drivers/media/video/`. */

/** The formats that a video can be converted to. */
export const VIDEO_FORMATS = ['mp4', 'webm', 'mkv', 'avi', 'mov', 'ts'] as const;
/** The formats of extracted sound. */
export const AUDIO_FORMATS = ['mp3', 'wav', 'aac', 'ogg', 'flac'] as const;
/** The formats of a single frame. */
export const FRAME_FORMATS = ['jpg', 'png', 'webp'] as const;
/** Clockwise turns in degrees, and the two mirror images. */
export const TURNS = ['90', '180', '270', 'hflip', 'vflip'] as const;

/** One change of a video, with times in seconds and bit rates in kbit/s. */
export type VideoTool =
  | { readonly tool: 'trim'; readonly start: number; readonly end: number }
  | {
      readonly tool: 'compress';
      readonly crf: number;
      readonly videoBitrate: number;
      readonly audioBitrate: number;
    }
  | { readonly tool: 'convert'; readonly format: (typeof VIDEO_FORMATS)[number] }
  | {
      readonly tool: 'resize';
      readonly width: number;
      readonly height: number;
      /** `fit` leaves bars, `cover` cuts, `fill` stretches. */
      readonly mode: 'fit' | 'fill' | 'cover';
    }
  | {
      readonly tool: 'extract-audio';
      readonly format: (typeof AUDIO_FORMATS)[number];
      readonly bitrate: number;
    }
  /** `level` is in percent. */
  | { readonly tool: 'volume'; readonly level: number }
  /** Without `adjustAudio` the sound is dropped. */
  | { readonly tool: 'speed'; readonly factor: number; readonly adjustAudio: boolean }
  | { readonly tool: 'rotate'; readonly rotation: (typeof TURNS)[number] }
  | {
      readonly tool: 'gif';
      readonly start: number;
      readonly duration: number;
      readonly width: number;
      readonly fps: number;
    }
  | {
      readonly tool: 'thumbnail';
      readonly timestamp: number;
      readonly format: (typeof FRAME_FORMATS)[number];
    }
  | { readonly tool: 'mute' | 'strip-audio' | 'reverse' }
  | { readonly tool: 'stabilize'; readonly strength: number }
  | { readonly tool: 'fps'; readonly fps: number };
