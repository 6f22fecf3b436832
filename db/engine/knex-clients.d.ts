/** knex's clients, of which it publishes no types. */
declare module 'knex/lib/dialects/*' {
  const client: unknown;
  export default client;
}
