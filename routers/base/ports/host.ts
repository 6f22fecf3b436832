/** What the machine and this process are doing now. Null where the platform does not tell. */
export interface HostFigures {
  /** Share of all processors in use since the previous reading, 0 to 1. */
  readonly systemCpu: number;
  /** Share of all processors that this process used since the previous reading, 0 to 1. */
  readonly processCpu: number;
  readonly processors: number;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly uptimeMs: number;
  /** Bytes of this process: in use, taken from the system, and the most it may have. */
  readonly memory: { readonly used: number; readonly committed: number; readonly max: number };
  /** Bytes of the file system that holds the data folder. */
  readonly disk: { readonly free: number; readonly total: number };
  readonly openFiles: number | null;
  readonly maxFiles: number | null;
}

/** Reads the figures of the machine. */
export type ReadHost = () => Promise<HostFigures>;
