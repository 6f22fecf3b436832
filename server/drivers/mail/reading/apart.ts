import { DomainError } from '../../../../routers/base/errors.js';
import { InboundRefused } from '../../../../routers/base/ports/mail/mail.js';
import type { SanitiseMail, WordsOfHtml } from '../../../../routers/base/ports/mail/mail-services.js';
import { MediaBusy, MediaUnsupported } from '../../../../routers/base/ports/media/media.js';
import type { TaskName, Tasks } from '../../media/workers/tasks.js';
import { WorkerPool } from '../../media/workers/worker-pool.js';
import { MAX_HTML_LENGTH } from '../sanitise.js';
import type { ReadMail } from './fields.js';
import type { MailTask } from './tasks.js';

/** How long a reader may take, in milliseconds, until it is killed. */
interface ReadingLimits {
  /** For a mail as a whole: the reader ends by itself before that, with what it has. */
  readonly mailMs: number;
  /** For its headers and the beginning of its body. */
  readonly plainMs: number;
  /** For one of its texts. */
  readonly partMs: number;
}

const LIMITS: ReadingLimits = { mailMs: 40_000, plainMs: 40_000, partMs: 15_000 };
/** How long senders wait for a place to be read before they are asked to try again. */
const PATIENCE_MS = 60_000;

/** Reads mail in child processes: whatever somebody sends, nobody else waits for it. */
export interface ReadingApart {
  /** Throws `InboundRefused` for what is no mail. */
  mail(task: MailTask): Promise<ReadMail>;
  files(message: Buffer): Promise<Tasks['mailFiles']['output']>;
  readonly sanitise: SanitiseMail;
  readonly words: WordsOfHtml;
}

/**
 * Opens two readers. What takes one of them too much time or memory is read again without its form: a message as its
 * headers and the beginning of its body, HTML as nothing, so that its words or the original are left. Throws UNAVAILABLE
 * if there is too much to read now.
 */
export function openReadingApart(limits = LIMITS): ReadingApart {
  const workers = new WorkerPool({ workers: 2, waiting: 500, patienceMs: PATIENCE_MS, priority: 2 });
  const run = async <Name extends TaskName>(name: Name, input: Tasks[Name]['input'], ms: number) => {
    try {
      return await workers.run(name, input, ms);
    } catch (error) {
      if (error instanceof MediaBusy) throw new DomainError('UNAVAILABLE', { retryAfter: 10, cause: error });
      throw error;
    }
  };
  const taken = async (task: MailTask): Promise<ReadMail> => {
    const read = await run('mail', task, task.plain ? limits.plainMs : limits.mailMs);
    if ('refused' in read) throw new InboundRefused(read.refused.reason, read.refused.message);
    return read;
  };
  return {
    mail: (task) => taken(task).catch(unless(() => taken({ ...task, plain: true }))),
    files: (message) =>
      run('mailFiles', { message }, limits.mailMs).catch(unless(async () => ({ files: [], cut: true }))),
    sanitise: async (html) =>
      html.length > MAX_HTML_LENGTH
        ? NOTHING
        : run('mailHtml', { html }, limits.partMs).catch(unless(async () => NOTHING)),
    words: (html, limit) =>
      run('mailWords', { html, limit }, limits.partMs).catch(unless(async () => ({ text: '', cut: true }))),
  };
}

const NOTHING = { html: '', blocked: 0, text: '' };

/** Does something else with what could not be read. */
const unless =
  <T>(instead: () => Promise<T>) =>
  (error: unknown): Promise<T> => {
    if (!(error instanceof MediaUnsupported)) throw error;
    return instead();
  };
