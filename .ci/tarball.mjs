import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { pack } from 'tar-stream';

/**
 * A .tgz of one folder, as bytes that depend on nothing but the arguments. `files` are pairs of path and content;
 * what begins with `#!` may be executed.
 */
export async function tarball(folder, files, madeAt) {
  const archive = pack();
  for (const [path, content] of files.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const mode = content.toString('latin1', 0, 2) === '#!' ? 0o755 : 0o644;
    archive.entry({ name: `${folder}/${path}`, mode, mtime: madeAt, uid: 0, gid: 0 }, content);
  }
  archive.finalize();
  return promisify(gzip)(await buffer(archive), { level: 9 });
}
