/**
 * Preloaded into a server (`node --import`): its clock is ahead of this machine's by the number of
 * milliseconds in the file CLOCK_FILE, and behind if it is negative. The file may change while the server
 * runs. libfaketime would be another system package, and depends on options for files and timers. All of
 * Holdall reads the time from `Date`; timers and `performance.now()` continue unchanged, as when a real clock
 * is set.
 */
import { readFileSync } from 'node:fs';

const RealDate = Date;
const LOOK_MS = 20;
let shift = 0;

function look() {
  shift = Number(readFileSync(process.env.CLOCK_FILE, 'utf8'));
}

const now = () => RealDate.now() + shift;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, made) => Reflect.construct(target, given.length === 0 ? [now()] : given, made),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});

look();
setInterval(look, LOOK_MS).unref();
