import { rm } from 'node:fs/promises';
import {
  OWNER,
  type ServerOptions,
  type ServerProcess,
  startServer,
} from '../../support/servers/server-process.js';
import { newDataDir } from '../../support/stores/sqlite.js';
import { Client } from '../clients/client.js';

/** A data folder with the servers and clients of one test. */
export interface Place {
  readonly dataDir: string;
  /** Starts one more server over the folder. */
  start(options?: Omit<ServerOptions, 'dataDir'>): Promise<ServerProcess>;
  /** The owner, with separate connections. */
  clientOf(server: ServerProcess): Client;
  /** Stops everything and removes the folder. */
  remove(): Promise<void>;
}

/** Creates a folder with all tables. */
export async function openPlace(): Promise<Place> {
  const dataDir = await newDataDir('fault');
  const servers: ServerProcess[] = [];
  const clients: Client[] = [];
  return {
    dataDir,
    start: async (options = {}) => {
      const server = await startServer({ dataDir, ...options });
      servers.push(server);
      return server;
    },
    clientOf: (server) => {
      const client = new Client(server.origin, OWNER.OWNER_API_KEY);
      clients.push(client);
      return client;
    },
    remove: async () => {
      for (const client of clients) client.close();
      await Promise.all(servers.map((server) => server.kill()));
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
