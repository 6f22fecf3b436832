/** Slow hashes for passwords (argon2id), off the event loop and bounded in number. */
export interface Passwords {
  hash(password: string): Promise<string>;
  verify(hash: string, password: string): Promise<boolean>;
  /** Takes as long as `verify` and is false, so that an unknown account answers in the same time. */
  verifyNothing(password: string): Promise<false>;
}

/** Passwords of items, which are shown with every request: one that was right is not hashed again for a while. */
export interface ItemPasswords {
  verify(hash: string, password: string): Promise<boolean>;
}

/** The secret of this installation and what is made with it. */
export interface Secrets {
  /** Encrypts what must be recoverable (AES-256-GCM). */
  encrypt(text: string): string;
  /** Reverses `encrypt`; throws on anything it did not make. */
  decrypt(cipher: string): string;
  /** A code only this installation can make for `subject`; hex. */
  sign(subject: string): string;
  /** Compares a code with the right one in constant time. */
  verifySignature(subject: string, signature: string): boolean;
}
