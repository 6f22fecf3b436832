import type { TestServer } from '../../harness.js';

/** The `User-Agent` of a person's browser. */
export const PERSON = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
};

/** Tells everybody now what they are to be told, as if the time had come. */
export async function tellNow({ app: { services } }: TestServer): Promise<void> {
  await services.openings.flush();
  await services.db.write(async (trx) => {
    await trx('tellings').whereNotNull('due_at').update({ due_at: 1 });
    await trx('jobs').where('kind', 'telling').update({ run_at: 1 });
  });
  await services.jobs.settle();
}
