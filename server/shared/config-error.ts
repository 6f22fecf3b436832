/** The process cannot start as it is configured; the message tells an operator what to change. */
export class ConfigError extends Error {}
