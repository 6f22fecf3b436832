/**
 * File calls as promises on plain descriptors. The wrapped callback API is much cheaper than `node:fs/promises`,
 * whose FileHandle costs as much again as the system call, and every upload consists of these calls.
 */
import * as fs from 'node:fs';
import { promisify } from 'node:util';

/** As in `node:fs`. */
export const chmod = promisify(fs.chmod);
export const close = promisify(fs.close);
export const copyFile = promisify(fs.copyFile);
export const fdatasync = promisify(fs.fdatasync);
export const fstat = promisify(fs.fstat);
export const fsync = promisify(fs.fsync);
export const futimes = promisify(fs.futimes);
export const link = promisify(fs.link);
export const mkdir = promisify(fs.mkdir);
export const open = promisify(fs.open);
export const read = promisify(fs.read);
export const rename = promisify(fs.rename);
export const stat = promisify(fs.stat);
export const truncate = promisify(fs.truncate);
export const unlink = promisify(fs.unlink);
export const utimes = promisify(fs.utimes);
export const write = promisify(fs.write);
export const writev = promisify(fs.writev);
