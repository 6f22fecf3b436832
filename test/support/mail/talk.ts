import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import * as assert from 'uvu/assert';

/** A conversation with an SMTP server on this machine, line by line. */
export class Talk {
  readonly #socket: Socket;
  readonly #lines: AsyncIterator<string>;
  constructor(port: number) {
    this.#socket = connect(port, '127.0.0.1');
    this.#socket.on('error', () => {});
    this.#lines = createInterface({ input: this.#socket })[Symbol.asyncIterator]();
  }
  async answer(): Promise<string> {
    for (;;) {
      const { value = 'closed' } = await this.#lines.next();
      if (!/^\d{3}-/.test(value)) return value;
    }
  }
  write(text: string | Buffer): void {
    this.#socket.write(text);
  }
  say(line: string): Promise<string> {
    this.write(`${line}\r\n`);
    return this.answer();
  }
  /** Until the message begins. */
  async begin(to: string): Promise<this> {
    assert.match(await this.answer(), /^220 /);
    assert.match(await this.say('EHLO client.example'), /^250 /);
    assert.match(await this.say('MAIL FROM:<a@b.example>'), /^250 /);
    assert.match(await this.say(`RCPT TO:<${to}>`), /^250 /);
    assert.match(await this.say('DATA'), /^354 /);
    return this;
  }
  async end(): Promise<void> {
    this.#socket.destroy();
    if (!this.#socket.closed) await once(this.#socket, 'close');
  }
}
