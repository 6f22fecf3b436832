import { z } from 'zod';
import { rule } from '../../base/language/rules.js';
import { type PictureTool, TOOL_FORMATS, TOOL_POSITIONS } from '../../base/ports/media/picture-tools.js';

/** The tools for pictures. `strip-metadata` changes no pixel, so it is not a `PictureTool`. */
export const IMAGE_TOOLS = [
  'resize',
  'compress',
  'convert',
  'crop',
  'rotate',
  'flip',
  'blur',
  'sharpen',
  'grayscale',
  'brightness',
  'watermark',
  'strip-metadata',
] as const;
export type ImageTool = (typeof IMAGE_TOOLS)[number];

const whole = (min: number, max: number, standard: number) => z.int().min(min).max(max).default(standard);
const percent = z.number().min(-100).max(100).default(0);
const ADVICE = rule('use {known}', { known: TOOL_FORMATS.join(', ') });

/** The fields of all tools with their defaults; each tool reads its own. */
export const toolOptions = {
  width: whole(1, 7680, 1920),
  height: whole(1, 4320, 1080),
  mode: z.enum(['fit', 'fill', 'cover']).default('fit'),
  maintainAspect: z.boolean().default(true),
  quality: whole(1, 100, 80),
  format: z
    .string()
    .trim()
    .toLowerCase()
    .transform((format) => (format === 'jpeg' ? 'jpg' : format === 'tif' ? 'tiff' : format))
    .pipe(z.enum(TOOL_FORMATS, { error: ADVICE }))
    .default('webp'),
  x: whole(0, 9999, 0),
  y: whole(0, 9999, 0),
  w: whole(1, 9999, 800),
  h: whole(1, 9999, 600),
  angle: z.number().min(0).max(360).default(90),
  direction: z.enum(['horizontal', 'vertical', 'both']).default('horizontal'),
  radius: z.number().min(1).max(50).default(5),
  amount: z.number().min(1).max(10).default(2),
  brightness: percent,
  contrast: percent,
  saturation: percent,
  text: z.string().max(200).default('Sample'),
  position: z.enum(TOOL_POSITIONS).default('bottomright'),
  opacity: z.number().min(1).max(100).default(50),
  size: whole(8, 200, 24),
};
const options = z.object(toolOptions);

/** The change that a tool with these fields makes. */
export function changeOf(
  tool: Exclude<ImageTool, 'strip-metadata'>,
  given: z.output<typeof options>,
): PictureTool {
  const { width, height, mode, maintainAspect, x, y, w, h, brightness, contrast, saturation } = given;
  const changes: { readonly [Name in PictureTool['tool']]: Extract<PictureTool, { tool: Name }> } = {
    resize: { tool: 'resize', width, height, mode, maintainAspect },
    compress: { tool: 'compress', quality: given.quality },
    convert: { tool: 'convert', format: given.format },
    crop: { tool: 'crop', x, y, w, h },
    rotate: { tool: 'rotate', angle: given.angle },
    flip: { tool: 'flip', direction: given.direction },
    blur: { tool: 'blur', radius: given.radius },
    sharpen: { tool: 'sharpen', amount: given.amount },
    grayscale: { tool: 'grayscale' },
    brightness: { tool: 'brightness', brightness, contrast, saturation },
    watermark: {
      tool: 'watermark',
      text: given.text,
      position: given.position,
      opacity: given.opacity,
      size: given.size,
    },
  };
  return changes[tool];
}
