/** Which digits of a mail are offered as one-time codes. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { codesIn } from '../../../routers/features/mail/arrival/codes.js';

const codes = suite('one-time codes in mails');
const inText = (text: string, subject = 'Hello') => codesIn({ subject, text }, null);

codes('are found in the languages of those who send them', () => {
  for (const text of [
    'Your code is 482913.',
    'Use 482 913 as your verification code',
    '482-913 is your Example OTP',
    'Ihr Bestätigungscode lautet: 482913',
    'Twój kod weryfikacyjny: 482913',
    'Váš ověřovací kód: 482 913',
    'Votre code : 482913',
    'Tu código es 482913',
    'Il tuo codice: 482913',
    'Seu código é 482913',
    'Doğrulama numaranız 482913',
    'Код подтверждения: 482913',
    '您的验证码是482913。',
    '認証コード: 482913',
    '인증번호 482913',
  ])
    assert.equal(inText(text), ['482913'], text);
  assert.equal(inText('PIN: 4711'), ['4711']);
  assert.equal(inText('Enter it within ten minutes.', '482913 is your code'), ['482913'], 'in the subject');
});

codes('are found in the HTML of a mail whose text only says that there is HTML', () => {
  const text = 'Please view this message in a program that shows HTML.';
  assert.equal(codesIn({ subject: 'Sign in', text }, 'Your code: 482913'), ['482913']);
});

codes('are no years, prices, dates, telephone numbers, addresses, or parts of longer numbers', () => {
  for (const number of [
    '2026',
    '$1234',
    '1234 €',
    '1234.56',
    '2026-11-26',
    '26/11/2026',
    '+1 555 123 4567',
    '555-123-4567',
    '123456789012',
    '#48291',
    'https://example.org/482913',
    'x482913y',
    '50%',
  ])
    assert.equal(inText(`Your discount code. ${number} or so`), [], number);
  assert.equal(inText('Order 482913 was sent.'), [], 'a mail that does not speak of a code');
});

codes.run();
