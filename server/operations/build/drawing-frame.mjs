import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { bounded } from './bounded.mjs';

/**
 * The document of the frame that draws diagrams, with its name: script and all in one file, because browsers keep nothing
 * else for a frame with no origin of its own.
 */
export async function drawingFrame(root) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['client/browser/diagram/frame.ts'],
    bundle: true,
    format: 'iife',
    minify: true,
    target: ['chrome123', 'firefox121', 'safari17.5'],
    write: false,
    logLevel: 'warning',
  });
  // In one file already, which sets a global.
  const mermaid = await readFile(join(root, 'node_modules/@mermaid-js/tiny/dist/mermaid.tiny.js'), 'utf8');
  // What would end the script, or keep it from ending.
  const script = `${bounded(mermaid)}\n${outputFiles[0].text}`.replaceAll(/<(?=!--|\/?script)/gi, '\\x3C');
  const bytes = Buffer.from(
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Diagram</title><body><script>${script}</script>`,
  );
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 8).toUpperCase();
  return { name: `diagram-${hash}.html`, bytes };
}
