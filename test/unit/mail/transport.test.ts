import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { OutgoingMail } from '../../../routers/base/ports/mail/mail.js';
import { MailRefused } from '../../../routers/base/ports/mail/mail.js';
import { openMailTransport } from '../../../server/drivers/mail/open.js';
import { readConfig } from '../../../server/runtime/config/config.js';
import { createLogs } from '../../../server/runtime/logger.js';
import { MAILGUN_DOMAIN, MAILGUN_KEY, startMailgun } from '../../standins/mailgun.js';
import { headerLines, type ReadableMail, readMime } from '../../standins/mime.js';
import { startSmtp } from '../../standins/smtp.js';
import { mailTransportSuite } from '../../suites/mail-transport.js';

const log = createLogs('silent').log;
const plain: OutgoingMail = { to: 'ada@example.org', subject: 'Hello', text: 'Hello Ada\n' };

function open(environment: NodeJS.ProcessEnv) {
  return openMailTransport(
    readConfig({ MAIL_FROM: 'Holdall <no-reply@holdall.example>', ...environment }),
    log,
  );
}

async function temporaryFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'holdall-mail-'));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

mailTransportSuite('outbox', async () => {
  const { folder, remove } = await temporaryFolder();
  const dataDir = join(folder, 'data');
  const outbox = join(dataDir, 'outbox');
  return {
    transport: open({ DATA_DIR: dataDir }),
    async received() {
      const files = await readdir(outbox).catch(() => []);
      return Promise.all(
        files.sort().map(async (file) => readMime(await readFile(join(outbox, file), 'utf8'))),
      );
    },
    breakDown: () => writeFile(dataDir, 'a file where the folder should be'),
    refuseAll: null,
    close: remove,
  };
});

mailTransportSuite('smtp', async () => {
  const server = await startSmtp();
  return {
    transport: open({ MAIL_TRANSPORT: 'smtp', SMTP_URL: server.url }),
    received: async () => server.mails.map(({ raw }) => readMime(raw)),
    breakDown: async () => {
      server.recipientStatus = 450;
    },
    refuseAll: () => {
      server.recipientStatus = 550;
    },
    close: server.close,
  };
});

function openMailgun(url: string) {
  return open({
    MAIL_TRANSPORT: 'mailgun',
    MAILGUN_URL: url,
    MAILGUN_DOMAIN,
    MAILGUN_API_KEY: MAILGUN_KEY,
  });
}

mailTransportSuite('mailgun', async () => {
  const server = await startMailgun();
  return {
    transport: openMailgun(server.url),
    received: async () => server.sent.map(fromFields),
    breakDown: async () => {
      server.mood = 'down';
    },
    refuseAll: () => {
      server.sendStatus = 400;
    },
    close: server.close,
  };
});

function fromFields(fields: FormData): ReadableMail {
  return {
    from: String(fields.get('from')),
    to: fields.getAll('to').map(String),
    subject: String(fields.get('subject')),
    text: String(fields.get('text')),
    html: fields.has('html') ? String(fields.get('html')) : null,
    headers: {},
    source: '',
  };
}

const outbox = suite('outbox files');

outbox('only the user of the process can read the folder and its files', async () => {
  const { folder, remove } = await temporaryFolder();
  try {
    await open({ DATA_DIR: folder }).send(plain);
    const [file, ...more] = await readdir(join(folder, 'outbox'));
    assert.equal(more, []);
    assert.match(file ?? '', /^\d{8}T\d{9}Z-[0-9a-f]{12}\.eml$/);
    assert.is((await stat(join(folder, 'outbox'))).mode & 0o777, 0o700);
    assert.is((await stat(join(folder, 'outbox', file ?? ''))).mode & 0o777, 0o600);
    const raw = await readFile(join(folder, 'outbox', file ?? ''), 'utf8');
    const names = headerLines(raw).map((line) => line.slice(0, line.indexOf(':')).toLowerCase());
    for (const name of ['from', 'to', 'subject', 'date', 'message-id', 'mime-version']) {
      assert.ok(names.includes(name), name);
    }
    assert.not.match(raw, /[^\r]\n/);
  } finally {
    await remove();
  }
});

outbox.run();

const faults = suite('mail failures');

faults("a failed SMTP login is the operator's problem and may be temporary", async () => {
  const server = await startSmtp();
  try {
    server.loginWorks = false;
    await passes(() => open({ MAIL_TRANSPORT: 'smtp', SMTP_URL: server.url }).send(plain));
  } finally {
    await server.close();
  }
});

faults('a closed SMTP port may be temporary', async () => {
  await passes(() => open({ MAIL_TRANSPORT: 'smtp', SMTP_URL: 'smtp://127.0.0.1:1' }).send(plain));
});

faults(
  'a wrong Mailgun key, an exhausted quota and a lost connection may be temporary; no error contains the key',
  async () => {
    const server = await startMailgun();
    try {
      for (const status of [401, 402, 404, 429, 500]) {
        server.sendStatus = status;
        await passes(() => openMailgun(server.url).send(plain));
      }
      await passes(() => openMailgun('http://127.0.0.1:1').send(plain));
    } finally {
      await server.close();
    }
  },
);

faults('a malformed MAIL_FROM prevents the start', () => {
  assert.throws(() => open({ MAIL_FROM: 'nobody' }), /MAIL_FROM/);
  assert.throws(() => open({ MAIL_FROM: 'a@x.example, b@x.example' }), /MAIL_FROM/);
});

async function passes(call: () => Promise<void>): Promise<void> {
  try {
    await call();
  } catch (error) {
    assert.not.instance(error, MailRefused);
    assert.not.match(JSON.stringify(error, Object.getOwnPropertyNames(error)), MAILGUN_KEY);
    return;
  }
  assert.unreachable('must fail');
}

faults.run();
