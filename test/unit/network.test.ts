import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { addressIn } from '../../routers/base/network.js';
import { parseCookies } from '../../server/runtime/http/cookies.js';

const network = suite('the address that a proxy names');

for (const [entry, address] of [
  ['203.0.113.9', '203.0.113.9'],
  [' 203.0.113.9 ', '203.0.113.9'],
  ['203.0.113.9:51234', '203.0.113.9'],
  ['"203.0.113.9"', '203.0.113.9'],
  ['"203.0.113.9:51234"', '203.0.113.9'],
  ['2001:db8::1', '2001:db8::1'],
  ['2001:DB8:0:0::3', '2001:db8::3'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:DB8::1]:443', '2001:db8::1'],
  ['"[2001:db8::1]:443"', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['[fe80::1%25en0]:80', 'fe80::1'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['[::FFFF:203.0.113.9]:80', '203.0.113.9'],
  ['', null],
  ['unknown', null],
  ['_hidden', null],
  ['203.0.113', null],
  ['203.0.113.9:', null],
  ['[2001:db8::1', null],
  ['1.2.3.4.5:80', null],
] as const) {
  network(`${JSON.stringify(entry)} is ${address}`, () => {
    assert.is(addressIn(entry), address);
  });
}

network('a cookie has one name for the session and for the check of its origin', () => {
  for (const header of [
    'session_token=x',
    'session_token =x',
    'a=1;\t session_token\t= x ',
    ' session_token=x;',
  ])
    assert.is(parseCookies(header).get('session_token'), 'x', header);
});

network.run();
