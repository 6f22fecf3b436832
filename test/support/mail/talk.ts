import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import * as assert from 'uvu/assert';

/** A conversation with an SMTP server, line by line. */
export class Talk {
  readonly #socket: Socket;
  readonly #lines: AsyncIterator<string>;
  constructor(port: number, host = '127.0.0.1') {
    this.#socket = connect(port, host);
    this.#socket.on('error', () => {});
    this.#lines = createInterface({ input: this.#socket })[Symbol.asyncIterator]();
  }
  async answer(): Promise<string> {
    for (;;) {
      const { value = 'closed' } = await this.#lines.next();
      if (!/^\d{3}-/.test(value)) return value;
    }
  }
  /** All lines of an answer. */
  async whole(line: string): Promise<string> {
    this.write(`${line}\r\n`);
    const lines: string[] = [];
    do lines.push((await this.#lines.next()).value ?? 'closed');
    while (/^\d{3}-/.test(lines.at(-1) ?? ''));
    return lines.join('\n');
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
