import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { MAX_FRAME_PIXELS } from '../../../../routers/base/ports/media/pixels.js';

/** The part of @ffmpeg/core used here; the package ships no types. */
interface Core {
  readonly FS: {
    mkdir(path: string): void;
    mount(type: unknown, options: { readonly files: readonly FileView[] }, path: string): void;
    readonly filesystems: { readonly WORKERFS: unknown };
    readFile(path: string): Uint8Array;
  };
  exec(...args: string[]): number;
  setLogger(log: (line: { readonly message: string }) => void): void;
}
type CreateCore = (options: { readonly instantiateWasm: Instantiate }) => Promise<Core>;
type Instantiate = (
  imports: WebAssembly.Imports,
  ready: (instance: WebAssembly.Instance) => void,
) => WebAssembly.Exports;

/** A file as the sandbox sees it: it can be sliced, and slices can be read. Nothing else on the disk is visible. */
interface FileView {
  readonly name: string;
  readonly size: number;
  readonly lastModifiedDate: Date;
  slice(start: number, end: number): FileView;
  bytes(): ArrayBuffer;
}

class SlicedFile implements FileView {
  readonly name = 'file';
  readonly lastModifiedDate = new Date(0);

  constructor(
    private readonly fd: number,
    private readonly start: number,
    private readonly end: number,
  ) {}

  get size(): number {
    return this.end - this.start;
  }

  slice(start: number, end: number): FileView {
    return new SlicedFile(this.fd, this.start + start, Math.min(this.start + end, this.end));
  }

  bytes(): ArrayBuffer {
    const buffer = new Uint8Array(this.size);
    readSync(this.fd, buffer, 0, buffer.length, this.start);
    return buffer.buffer;
  }
}

/** The two browser worker globals that the package needs. */
const browserNames = {
  location: { href: '' },
  FileReaderSync: class {
    readAsArrayBuffer = (file: FileView) => file.bytes();
  },
};

let loaded: { readonly create: CreateCore; readonly program: WebAssembly.Module } | null = null;

function load() {
  if (loaded === null) {
    const require = createRequire(import.meta.url);
    Object.assign(globalThis, { self: globalThis }, browserNames);
    const create = require('@ffmpeg/core') as CreateCore;
    loaded = { create, program: new WebAssembly.Module(readFileSync(require.resolve('@ffmpeg/core/wasm'))) };
  }
  return loaded;
}

/**
 * Runs FFmpeg in its WebAssembly sandbox on one file and returns what it wrote to `output`; null if it wrote nothing.
 * `args` come after the input, `seek` (seconds) before it; `log` gets the lines it reports.
 * Without `output` it only reports what is in the file. Each run starts with fresh
 * memory. Throws if the package is not installed.
 */
export async function ffmpeg(
  path: string,
  args: readonly string[],
  output: string | null,
  seek = 0,
  log: (line: string) => void = () => undefined,
): Promise<Buffer | null> {
  const { create, program } = load();
  const core = await create({
    instantiateWasm: (imports, ready) => {
      const instance = new WebAssembly.Instance(program, imports);
      ready(instance);
      return instance.exports;
    },
  });
  core.setLogger(({ message }) => log(message));
  const fd = openSync(path, 'r');
  try {
    core.FS.mkdir('/in');
    core.FS.mount(
      core.FS.filesystems.WORKERFS,
      { files: [new SlicedFile(fd, 0, statSync(path).size)] },
      '/in',
    );
    // Some demuxers (icons) cannot seek, not even to their start.
    const from = seek > 0 ? ['-ss', String(seek)] : [];
    core.exec(
      '-max_pixels',
      String(MAX_FRAME_PIXELS),
      ...from,
      '-i',
      '/in/file',
      ...args,
      ...(output === null ? [] : [output]),
    );
    if (output === null) return null;
    const bytes = core.FS.readFile(output);
    return bytes.length === 0 ? null : Buffer.from(bytes);
  } catch {
    // The sandbox throws both for a missing output and for a crash inside it; either way there is no frame.
    return null;
  } finally {
    closeSync(fd);
  }
}

/** The first picture of a file as a PNG, for formats that only FFmpeg reads. Throws if there is none. */
export async function frameAsPng(path: string): Promise<Buffer> {
  const png = await ffmpeg(path, ['-frames:v', '1'], 'out.png');
  if (png === null) throw new Error('the picture cannot be decoded');
  return png;
}
