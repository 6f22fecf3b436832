/** Slow password hashes (argon2id), computed off the event loop with limited concurrency. */
export interface Passwords {
  hash(password: string): Promise<string>;
  verify(hash: string, password: string): Promise<boolean>;
  /** Whether the hash came from another product, and is to be replaced by one of ours at its first use. */
  isForeign(hash: string): boolean;
  /** Takes as long as `verify` and returns false, so that an unknown account gets a response in the same time. */
  verifyNothing(password: string): Promise<false>;
}

/**
 * Passwords of items, sent with every request: a correct one is cached for a while instead of hashed again. They are
 * hashed beside those of accounts, in turns of which one holder, a network or an account, has only a part (429).
 */
export interface ItemPasswords {
  hash(password: string, holder: string): Promise<string>;
  verify(hash: string, password: string, holder: string): Promise<boolean>;
}

/** The secret of this installation, and operations that use it. */
export interface Secrets {
  /** Encrypts values that must be recoverable (AES-256-GCM). */
  encrypt(text: string): string;
  /** Reverses `encrypt`; throws on any other input. */
  decrypt(cipher: string): string;
  /** A signature of `subject` that only this installation can create; hex. */
  sign(subject: string): string;
  /** Verifies a signature in constant time. */
  verifySignature(subject: string, signature: string): boolean;
}
