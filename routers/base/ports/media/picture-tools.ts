/** What can be done with a picture whose result is not stored. Implemented in `server/drivers/media/`. */

/** The formats that a picture can be converted to. */
export const TOOL_FORMATS = ['webp', 'png', 'jpg', 'avif', 'tiff', 'gif', 'bmp'] as const;
export type ToolFormat = (typeof TOOL_FORMATS)[number];

/** The corner or the centre of a picture. */
export const TOOL_POSITIONS = ['bottomright', 'bottomleft', 'topright', 'topleft', 'center'] as const;

/** One change of a picture, with its measures in pixels and shares in percent. */
export type PictureTool =
  | {
      readonly tool: 'resize';
      readonly width: number;
      readonly height: number;
      /** `fit` with its aspect kept leaves bars, `cover` cuts, everything else stretches. */
      readonly mode: 'fit' | 'fill' | 'cover';
      readonly maintainAspect: boolean;
    }
  | { readonly tool: 'compress'; readonly quality: number }
  | { readonly tool: 'convert'; readonly format: ToolFormat }
  | {
      readonly tool: 'crop';
      readonly x: number;
      readonly y: number;
      readonly w: number;
      readonly h: number;
    }
  | { readonly tool: 'rotate'; readonly angle: number }
  | { readonly tool: 'flip'; readonly direction: 'horizontal' | 'vertical' | 'both' }
  | { readonly tool: 'blur'; readonly radius: number }
  | { readonly tool: 'sharpen'; readonly amount: number }
  | { readonly tool: 'grayscale' }
  | {
      readonly tool: 'brightness';
      readonly brightness: number;
      readonly contrast: number;
      readonly saturation: number;
    }
  | {
      readonly tool: 'watermark';
      readonly text: string;
      readonly position: (typeof TOOL_POSITIONS)[number];
      readonly opacity: number;
      readonly size: number;
    };

/** The result of a tool: a temporary file, which `discard` removes. */
export interface ToolResult {
  readonly path: string;
  readonly size: number;
  readonly mimeType: string;
  readonly extension: string;
  discard(): Promise<void>;
}
