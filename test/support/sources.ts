import { join } from 'node:path';
import ts from '@typescript/typescript6';
import { ROOT } from './root.js';

const FOLDERS = ['server', 'rest-adapter', 'routers', 'db', 'client'];

/** The paths of every source file of the program, or of these folders. */
export const sourceFiles = (folders: readonly string[] = FOLDERS): string[] =>
  folders
    .flatMap((folder) =>
      ts.sys.readDirectory(join(ROOT, folder), ['.ts', '.tsx'], ['**/dist', '**/node_modules']),
    )
    .map((path) => path.slice(ROOT.length + 1))
    .filter((path) => !path.endsWith('.d.ts'));

/** The files in which a kind of item is defined. */
export const KIND_DEFINITIONS = [
  'db/content/kinds.ts',
  'db/loaders.ts',
  'routers/app/items.ts',
  'routers/base/kinds.ts',
  'server/web/items.tsx',
  'server/web/kinds.ts',
];
