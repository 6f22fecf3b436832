import { domainToASCII } from 'node:url';
import { z } from 'zod';

/** Account fields as entered by users (contract §4, register). */
export const usernameInput = z
  .string()
  .regex(/^[A-Za-z0-9_.-]{3,32}$/, 'use 3 to 32 letters, digits, dots, hyphens and underscores');

/** An address with its domain as mail servers know it: that of `münchen.de` is `xn--mnchen-3ya.de`. */
export function asciiAddress(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  const domain = address.slice(at);
  if (at === 0 || !/[^ -~]/.test(domain)) return address;
  return address.slice(0, at) + (domainToASCII(domain) || domain);
}

/** An e-mail address as an account has it: trimmed, its domain in ASCII, at most 254 characters. */
export const emailInput = z
  .string()
  .trim()
  .max(254, 'is too long for an e-mail address')
  .pipe(z.string().overwrite(asciiAddress))
  .pipe(z.email('is not an e-mail address'));
/** The configured address of the owner; it may belong to a private network. */
export const ownerEmailInput = z
  .string()
  .max(254, 'is too long for an e-mail address')
  .regex(/^[^\s@<>]+@[^\s@<>]+$/, 'is not an e-mail address')
  .overwrite(asciiAddress);
/** A code of a second factor, as it is entered. */
export const codeInput = z.string().max(64);
/** A password that somebody chooses. */
export const newPasswordInput = z
  .string()
  .min(8, 'use at least 8 characters')
  .max(200, 'use at most 200 characters');
