import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';

const SECRETS = [
  'authorization',
  'secret',
  'api_key',
  'apiKey',
  'password',
  'token',
  'sessionKey',
  'session_key',
];
const FRAMES = 20;
const CAUSES = 5;

/**
 * Makes the service's log: one JSON object a line, without memory content or secrets.
 *
 * @param level Least level written. Default `info`.
 * @param destination Default: standard output.
 */
export function createLogger(
  { level = 'info' }: { level?: string } = {},
  destination?: DestinationStream,
): Logger {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: describeError },
    redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** What a log may say of an error. Its message is left out: it may quote what a caller sent. */
function describeError(error: unknown, depth = 0): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const code = codeOf(error);
  return {
    type: error.name,
    ...(code === undefined ? {} : { code }),
    stack: framesOf(error),
    ...(error.cause !== undefined && depth < CAUSES ? { cause: describeError(error.cause, depth + 1) } : {}),
  };
}

function codeOf(error: Error): string | undefined {
  if ('code' in error && typeof error.code === 'string') return error.code;
  // Redis puts its codes, such as WRONGPASS, before its messages.
  return error.name === 'ReplyError' ? /^[A-Z]+\b/.exec(error.message)?.[0] : undefined;
}

function framesOf({ stack = '', message }: Error): string[] {
  const afterMessage = stack.slice(stack.indexOf(message) + message.length);
  const lines = afterMessage.split('\n').map((line) => line.trim());
  return lines
    .filter((line) => line.startsWith('at '))
    .slice(0, FRAMES)
    .map((line) => line.slice(0, 300));
}
