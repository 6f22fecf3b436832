/** The envelope of every JSON response (contract §2). */
interface Envelope {
  readonly error: boolean;
  readonly timestamp: string;
  readonly uniqueId: string | null;
  readonly message?: unknown;
  readonly count: number;
}

/** The last timestamp and its milliseconds. */
let written = { at: 0, text: '' };

/** The current time in ISO 8601. Formatted once per millisecond, because it costs more than the rest of an envelope. */
function timestamp(): string {
  const at = Date.now();
  if (at !== written.at) written = { at, text: new Date(at).toISOString() };
  return written.text;
}

/** A success; `message` is left out when undefined, `count` is the length of a list. */
export function success(uniqueId: string | null, message: unknown): Envelope {
  return {
    error: false,
    timestamp: timestamp(),
    uniqueId,
    ...(message === undefined ? {} : { message }),
    count: Array.isArray(message) ? message.length : 0,
  };
}

/** The part of a success envelope that differs in every response, as the start of its JSON. */
export const successStart = (): string => `{"error":false,"timestamp":"${timestamp()}",`;

/** The rest of the JSON of a success envelope, after `successStart`. */
export function successRest(uniqueId: string | null, message: unknown): string {
  const { error: _error, timestamp: _timestamp, ...rest } = success(uniqueId, message);
  return JSON.stringify(rest).slice(1);
}

/** A failure with its public message. */
export const failure = (uniqueId: string | null, message: string): Envelope => ({
  error: true,
  timestamp: timestamp(),
  uniqueId,
  message,
  count: 0,
});
