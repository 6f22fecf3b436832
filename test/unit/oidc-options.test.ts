import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readConfig } from '../../server/runtime/config/config.js';

const test = suite('providers of sign-ins in the configuration');

const HOUSE = {
  OIDC_PROVIDERS: 'my-house',
  OIDC_MY_HOUSE_ISSUER: 'https://id.example/',
  OIDC_MY_HOUSE_CLIENT_ID: 'h',
};

test('a provider is read with its defaults', () => {
  const [provider] = readConfig(HOUSE).oidc;
  assert.is(provider?.name, 'my-house');
  assert.is(provider?.label, 'My-house');
  assert.is(provider?.scopes, 'openid profile email');
  assert.is(provider?.autoRegister, 'never');
  assert.equal(readConfig(HOUSE).signIn, ['password', 'passkey', 'oidc']);
  assert.equal(readConfig({}).signIn, ['password', 'passkey']);
});

for (const [wrong, env] of Object.entries({
  'OIDC_MY_HOUSE_ISSUER: is required': { OIDC_PROVIDERS: 'my-house', OIDC_MY_HOUSE_CLIENT_ID: 'h' },
  'OIDC_MY_HOUSE_ISSUER: must be': { ...HOUSE, OIDC_MY_HOUSE_ISSUER: 'id.example' },
  'OIDC_MY_HOUSE_CLIENT_ID: is required': {
    OIDC_PROVIDERS: 'my-house',
    OIDC_MY_HOUSE_ISSUER: 'https://a.example',
  },
  'OIDC_MY_HOUSE_SCOPES: must contain openid': { ...HOUSE, OIDC_MY_HOUSE_SCOPES: 'email' },
  'OIDC_MY_HOUSE_ROLE_CLAIM: is required': { ...HOUSE, OIDC_MY_HOUSE_ROLE_MAP: 'a=ADMIN' },
  'OIDC_MY_HOUSE_ROLE_MAP: is required': { ...HOUSE, OIDC_MY_HOUSE_ROLE_CLAIM: 'groups' },
  'OWNER cannot be given': { ...HOUSE, OIDC_MY_HOUSE_ROLE_CLAIM: 'g', OIDC_MY_HOUSE_ROLE_MAP: 'a=OWNER' },
  'KING is not a role': { ...HOUSE, OIDC_MY_HOUSE_ROLE_CLAIM: 'g', OIDC_MY_HOUSE_ROLE_MAP: 'a=king' },
  'OIDC_MY_HOUSE_AUTO_REGISTER: must be one of': { ...HOUSE, OIDC_MY_HOUSE_AUTO_REGISTER: 'maybe' },
  'OIDC_PROVIDERS: names a provider twice': { ...HOUSE, OIDC_PROVIDERS: 'my-house,my-house' },
  'OIDC_OTHER_ISSUER: belongs to no provider': { ...HOUSE, OIDC_OTHER_ISSUER: 'https://b.example' },
  'OIDC_PROVIDERS: is required with SIGN_IN=oidc': { SIGN_IN: 'oidc' },
  'SIGN_IN: must be one of': { SIGN_IN: 'password,magic' },
}))
  test(`${wrong} … is named at start`, () => {
    assert.throws(
      () => readConfig(env),
      (error: Error) => error.message.includes(wrong),
    );
  });

test.run();
