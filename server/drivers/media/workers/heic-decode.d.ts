declare module 'heic-decode' {
  /** Decodes the primary picture to 4-byte RGBA pixels. */
  export default function decode(input: {
    readonly buffer: Uint8Array;
  }): Promise<{ readonly data: Uint8ClampedArray; readonly width: number; readonly height: number }>;
}
