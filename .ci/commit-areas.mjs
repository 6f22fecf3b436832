/** Refuses commits that `origin/main` does not have yet, if their subjects do not begin with an area of CONTRIBUTING.md. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const areas = [...readFileSync('CONTRIBUTING.md', 'utf8').matchAll(/^\| `(\w+)` +\|/gm)].map(
  ([, area]) => area,
);
const asked = ['log', '--no-merges', '--format=%s', 'HEAD', '--not', '--remotes=origin'];
const subjects = execFileSync('git', asked, { encoding: 'utf8' }).split('\n').filter(Boolean);
const wrong = subjects.filter((subject) => !areas.includes(subject.split(':', 1)[0]) || subject.length > 72);
for (const subject of wrong)
  console.error(`"${subject}": begin with one of ${areas.join(', ')} and a colon, in 72 characters at most`);
process.exitCode = wrong.length === 0 ? 0 : 1;
