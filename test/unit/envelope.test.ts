import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { failure, success, successStart } from '../../rest-adapter/reply/envelope.js';

const test = suite('envelope');

const timesOf = () => [
  success(null, undefined).timestamp,
  failure(null, '').timestamp,
  JSON.parse(`${successStart()}"end":0}`).timestamp,
];

test('every envelope has the time at which it is made, to the millisecond', () => {
  for (let last = 0, made = 0; made < 3; made += 1) {
    while (Date.now() === last);
    const from = Date.now();
    const times = timesOf();
    last = Date.now();
    for (const time of times) {
      assert.is(new Date(time).toISOString(), time);
      assert.ok(
        from <= Date.parse(time) && Date.parse(time) <= last,
        `${time} is not between ${from} and ${last}`,
      );
    }
  }
});

test.run();
