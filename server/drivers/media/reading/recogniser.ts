import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gunzipSync } from 'node:zlib';
import { modelOf } from './languages.js';

const require = createRequire(import.meta.url);

/** The part of tesseract.js-core used here; the package ships no types. */
interface Recogniser {
  Init(folder: string, language: string, engine: number): number;
  SetVariable(name: string, value: string): void;
  SetImageFile(orientation: number, angle: number): number;
  Recognize(monitor: null): number;
  GetTSVText(page: number): string;
  End(): void;
}
interface Core {
  readonly FS: { writeFile(path: string, bytes: Uint8Array): void; unlink(path: string): void };
  readonly TessBaseAPI: new () => Recogniser;
  destroy(api: Recogniser): void;
}
type CreateCore = (options: object) => Promise<Core>;

/** A grey picture of dark text. */
export interface Grey {
  readonly pixels: Buffer;
  readonly width: number;
  readonly height: number;
}

/** A word, and where it is; `line` numbers the lines. */
export interface ReadWord {
  readonly text: string;
  readonly confidence: number;
  readonly line: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Only the engine that the models are for. */
const LSTM_ONLY = 1;
/** How a page is taken apart: by itself, or as the one block that it is. */
const MODE = { page: '3', block: '6' } as const;
/** `(module (func (result v128) i32.const 0 i8x16.splat))`, which is valid where the instructions are known. */
const SIMD = new Uint8Array([
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11],
]);

/** Models that are kept in memory, each of 10 to 60 MB: those of one picture, of many languages the last ones. */
const MAX_MODELS = 6;

let core: Promise<Core> | null = null;
const recognisers = new Map<string, Recogniser>();

/** The sandbox of WebAssembly in which pictures are read; it gets no network and no files but the models. */
function openCore(): Promise<Core> {
  const name = `tesseract.js-core/tesseract-core${WebAssembly.validate(SIMD) ? '-simd' : ''}-lstm`;
  core ??= (require(name) as CreateCore)({ print() {}, printErr() {} });
  return core;
}

async function recogniserOf(language: string): Promise<{ core: Core; api: Recogniser }> {
  const core = await openCore();
  const known = recognisers.get(language);
  if (known !== undefined) {
    recognisers.delete(language);
    recognisers.set(language, known);
    return { core, api: known };
  }
  for (const [oldest, unused] of recognisers) {
    if (recognisers.size < MAX_MODELS) break;
    unused.End();
    core.destroy(unused);
    recognisers.delete(oldest);
  }
  const model = modelOf(language);
  if (model === null) throw new Error(`${language} is not installed`);
  core.FS.writeFile(`/${language}.traineddata`, gunzipSync(readFileSync(model)));
  const api = new core.TessBaseAPI();
  if (api.Init('/', language, LSTM_ONLY) !== 0) throw new Error(`${language} cannot be read`);
  core.FS.unlink(`/${language}.traineddata`);
  recognisers.set(language, api);
  return { core, api };
}

/** The words of a picture by the model of a language. */
export async function wordsIn(
  { pixels, width, height }: Grey,
  language: string,
  mode: keyof typeof MODE,
): Promise<ReadWord[]> {
  const { core, api } = await recogniserOf(language);
  core.FS.writeFile('/input', Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), pixels]));
  api.SetVariable('tessedit_pageseg_mode', MODE[mode]);
  if (api.SetImageFile(1, 0) !== 0) throw new Error('the picture cannot be read');
  api.Recognize(null);
  const table = api.GetTSVText(0);
  return table.split('\n').flatMap((row) => {
    const [level, page, block, paragraph, line, , x, y, width, height, confidence, ...text] = row.split('\t');
    if (level !== '5') return [];
    return {
      text: text.join(' ').trim(),
      confidence: Number(confidence),
      line: `${page} ${block} ${paragraph} ${line}`,
      ...{ x: Number(x), y: Number(y), width: Number(width), height: Number(height) },
    };
  });
}
