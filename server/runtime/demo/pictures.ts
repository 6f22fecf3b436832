/** Pictures that look like something: drawn as SVG, and made into what cameras and phones send. */
import { extname } from 'node:path';
import type { FormatEnum } from 'sharp';

interface DemoPicture {
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly bytes: Buffer;
}

const WIDTH = 1_600;
const HEIGHT = 1_067;

interface Scene {
  readonly file: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** From the top to the horizon. */
  readonly sky: readonly [string, string];
  readonly sun: { readonly x: number; readonly y: number; readonly radius: number; readonly color: string };
  /** The colours of the hills, the farthest first. */
  readonly hills: readonly string[];
}

const SCENES: readonly Scene[] = [
  {
    ...{
      file: 'morning-above-the-lake.jpg',
      description: 'The lake at half past six',
      tags: ['trip', 'lake'],
    },
    ...{ sky: ['#2b5876', '#f6d365'], hills: ['#5b7c99', '#3d5a73', '#24394b'] },
    sun: { x: 1_080, y: 560, radius: 70, color: '#fff3c4' },
  },
  {
    ...{ file: 'ridge-in-the-evening.jpg', description: 'Last light on the ridge', tags: ['trip'] },
    ...{ sky: ['#41295a', '#ff8c61'], hills: ['#7b4b72', '#542f5b', '#2d1b3d'] },
    sun: { x: 420, y: 600, radius: 95, color: '#ffd29d' },
  },
  {
    ...{ file: 'valley-at-noon.png', description: 'Hay was made down there', tags: ['trip', 'valley'] },
    ...{ sky: ['#4aa3df', '#d6f0ff'], hills: ['#8fc07a', '#5f9e57', '#387243'] },
    sun: { x: 1_260, y: 220, radius: 60, color: '#ffffff' },
  },
  {
    ...{ file: 'first-snow.webp', description: 'And then it snowed', tags: ['winter'] },
    ...{ sky: ['#8da2b5', '#eef3f7'], hills: ['#c9d6e0', '#aebfcc', '#8599a8'] },
    sun: { x: 760, y: 420, radius: 55, color: '#fdfdfd' },
  },
];

/** A line of hills across the picture, as high as its number says. */
function hills(color: string, index: number): string {
  const base = 620 + index * 130;
  const points = Array.from({ length: 21 }, (_, step) => {
    const x = (step * WIDTH) / 20;
    const y =
      base - 90 * Math.sin(step * (0.5 + index * 0.23) + index * 2) - 30 * Math.sin(step * 1.7 + index);
    return `${x.toFixed(0)},${y.toFixed(0)}`;
  });
  return `<polygon points="0,${HEIGHT} ${points.join(' ')} ${WIDTH},${HEIGHT}" fill="${color}"/>`;
}

const svgOf = ({ sky, sun, hills: colors }: Scene): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">` +
  `<defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="${sky[0]}"/><stop offset=".75" stop-color="${sky[1]}"/></linearGradient></defs>` +
  `<rect width="${WIDTH}" height="${HEIGHT}" fill="url(#sky)"/>` +
  `<circle cx="${sun.x}" cy="${sun.y}" r="${sun.radius * 2.4}" fill="${sun.color}" opacity=".25"/>` +
  `<circle cx="${sun.x}" cy="${sun.y}" r="${sun.radius}" fill="${sun.color}"/>${colors.map(hills).join('')}</svg>`;

/** Draws the pictures. */
export async function drawPictures(): Promise<DemoPicture[]> {
  // Only a demo draws; a server that is none never loads it here.
  const { default: sharp } = await import('sharp');
  const made: DemoPicture[] = [];
  for (const scene of SCENES) {
    const { file, description, tags } = scene;
    const bytes = await sharp(Buffer.from(svgOf(scene)))
      .toFormat(extname(file).slice(1) as keyof FormatEnum)
      .toBuffer();
    made.push({ name: file, description, tags, bytes });
  }
  return made;
}
