/** Work that goes on after the request that began it, and that nobody continues if the process ends. */
export interface Background {
  /** Begins work, whose signal is aborted when the process ends; that waits for it. What it throws is logged. */
  run(work: (ending: AbortSignal) => Promise<void>): void;
}
