import type { IncomingMessage } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import { DomainError, fail } from '../../routers/base/errors.js';
import type { IncomingBody } from './incoming-body.js';
import { boundaryOf, charsetOf } from './part-head.js';
import { type FormReading, PlainForm } from './plain-form.js';

/** Multer option that limits the whole body in bytes (413); multer's limits per part add up to much more. */
export const boundedTo = (incoming: IncomingBody, limit: number, reading: FormReading) => {
  const form = plainFormOf(incoming.req, reading);
  return {
    streamHandler: (req: IncomingMessage, parser: Writable): void => {
      let size = 0;
      req.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > limit) parser.destroy(new DomainError('TOO_LARGE'));
      });
      keepEach(incoming, parser);
      readPlain(form, parser);
      req.pipe(parser);
    },
  };
};

/** The same for a form whose file is stored elsewhere: limits the values of the fields, and ignored parts. */
export const boundedBeside = (
  incoming: IncomingBody,
  {
    file,
    fieldBytes,
    ignoredBytes,
    reading,
  }: {
    readonly file: string;
    readonly fieldBytes: number;
    readonly ignoredBytes: number;
    readonly reading: FormReading;
  },
) => {
  const form = plainFormOf(incoming.req, reading);
  return {
    streamHandler: (req: IncomingMessage, parser: Writable): void => {
      let fields = 0;
      let ignored = 0;
      // The value is undefined if its charset is unknown.
      parser.on('field', (_name: string, value?: string) => {
        fields += Buffer.byteLength(value ?? '');
        if (fields > fieldBytes) parser.destroy(new DomainError('TOO_LARGE'));
      });
      parser.on('file', (name: string, part: Readable) => {
        if (name === file) return;
        part.on('data', (chunk: Buffer) => {
          ignored += chunk.length;
          incoming.pass(chunk.length);
          if (ignored > ignoredBytes) parser.destroy(new DomainError('TOO_LARGE'));
        });
      });
      keepEach(incoming, parser);
      readPlain(form, parser);
      req.pipe(parser);
    },
  };
};

/** Counts what a form holds in memory: everything until a part goes elsewhere, and nothing once it is refused. */
function keepEach(incoming: IncomingBody, parser: Writable): void {
  const { req } = incoming;
  const keep = (chunk: Buffer): void => {
    incoming.keep(chunk.length).catch((error) => parser.destroy(error));
  };
  req.on('data', keep);
  parser.once('error', (error) => incoming.refuse(error));
  // On an error, multer unpipes the parser and discards the rest of the body before it reports the error.
  parser.once('unpipe', () => {
    if (req.readableEnded) return;
    req.off('data', keep);
    incoming.end();
  });
}

/**
 * The reader of a form. Its boundary becomes one that no file contains, because the parser takes the start of a line
 * for the whole; 400 without one.
 */
function plainFormOf({ headers }: IncomingMessage, reading: FormReading): PlainForm {
  const type = headers['content-type'] ?? '';
  const boundary = boundaryOf(type);
  if (boundary === null)
    fail(
      'INVALID',
      'The form is not valid multipart: Content-Type names no boundary of up to 256 characters',
    );
  const form = new PlainForm(boundary, charsetOf(type), reading);
  headers['content-type'] = `multipart/form-data; boundary=${form.boundary}`;
  return form;
}

/** Lets the parser read the strict form. */
function readPlain(form: PlainForm, parser: Writable): void {
  const write = parser._write.bind(parser);
  parser._write = (chunk, encoding, done) => {
    let plain: Buffer;
    try {
      plain = form.push(chunk);
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    if (plain.length === 0) done();
    else write(plain, encoding, done);
  };
}
