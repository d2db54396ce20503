/**
 * Failures: the `HearthError` class and the table of error codes. Expected outcomes are values, not
 * errors.
 */

/** HTTP status by error code. A code has the form `area.reason`. */
export const errorStatus = {
  "request.invalid": 400,
  "request.too-large": 413,
  "request.unsupported": 415,
  "request.not-found": 404,
  "request.method": 405,
  "request.timeout": 408,
  "auth.missing": 401,
  "auth.invalid": 401,
  "auth.origin": 403,
  "auth.host": 421,
  "auth.denied": 403,
  "auth.stale": 403,
  "auth.limited": 429,
  "auth.password": 400,
  "auth.link": 410,
  "auth.code": 400,
  "auth.passkey": 400,
  "auth.sso": 400,
  "grant.exceeds": 403,
  "grant.last": 409,
  "key.limit": 429,
  "record.not-found": 404,
  "record.invalid": 400,
  "record.handle-taken": 409,
  "record.version": 409,
  "record.pinned": 409,
  "stream.not-found": 404,
  "stream.behind": 410,
  "stream.gone": 410,
  "stream.differs": 409,
  "stream.closed": 409,
  "stream.sequence": 409,
  "stream.fenced": 403,
  "stream.limit": 429,
  "message.not-found": 404,
  "upload.not-found": 404,
  "upload.offset": 409,
  "upload.checksum": 460,
  "upload.incomplete": 409,
  "upload.too-large": 413,
  "upload.metadata": 422,
  "upload.quota": 507,
  "upload.limit": 429,
  "upload.busy": 503,
  "upload.version": 412,
  "attachment.not-found": 404,
  "attachment.no-picture": 409,
  "attachment.range": 416,
  "transcript.none": 404,
  "voice.off": 409,
  "description.off": 409,
  "activation.not-found": 404,
  "approval.not-found": 404,
  "approval.over": 409,
  "activation.failed": 502,
  "activation.stopped": 409,
  "activation.not-retryable": 409,
  "activation.limit": 502,
  "store.unavailable": 503,
  "store.damaged": 500,
  "store.foreign": 500,
  "store.locked": 503,
  "config.invalid": 400,
  "home.read-only": 500,
  "home.full": 500,
  "home.foreign": 500,
  "home.in-use": 503,
  "backup.not-found": 404,
  "backup.damaged": 500,
  "backup.foreign": 409,
  "backup.busy": 503,
  "backup.locked": 403,
  "backup.full": 500,
  "backup.failed": 500,
  "backup.refused": 502,
  "backup.unreachable": 502,
  "import.not-found": 404,
  "import.busy": 503,
  "import.failed": 400,
  "server.port-taken": 500,
  "service.failed": 500,
  "tunnel.failed": 502,
  "tunnel.none": 404,
  "provider.unknown": 400,
  "provider.auth": 502,
  "provider.rate-limited": 503,
  "provider.overloaded": 503,
  "provider.unreachable": 502,
  "provider.timeout": 504,
  "provider.refused": 502,
  "provider.context-overflow": 502,
  "provider.malformed": 502,
  "provider.truncated": 502,
  "provider.empty": 502,
  "provider.failed": 502,
  "provider.aborted": 499,
  "tool.unknown": 404,
  "tool.invalid": 400,
  "tool.denied": 403,
  "tool.path": 400,
  "tool.not-found": 404,
  "tool.too-large": 413,
  "tool.timeout": 504,
  "tool.failed": 500,
  "search.failed": 502,
  "search.none": 409,
  "tool.aborted": 499,
  "channel.unknown": 404,
  "channel.unverified": 401,
  "channel.auth": 502,
  "channel.refused": 502,
  "channel.unreachable": 502,
  "channel.rate-limited": 503,
  "channel.failed": 502,
  "pairing.not-found": 404,
  "inbox.not-found": 404,
  "secret.not-found": 404,
  "secret.taken": 409,
  "secret.invalid": 400,
  "secret.locked": 503,
  "secret.damaged": 500,
  "brain.path": 400,
  "brain.text": 400,
  "brain.not-found": 404,
  "brain.too-large": 413,
  "brain.changed": 409,
  "job.not-found": 404,
  "job.taken": 409,
  "job.invalid": 400,
  "job.paused": 409,
  "job.busy": 429,
  "job.unverified": 401,
  "proposal.not-found": 404,
  "proposal.over": 409,
  "memory.no-embedder": 503,
  "memory.damaged": 500,
  "memory.lost": 503,
  "memory.aborted": 499,
  "memory.nothing": 404,
  "memory.refused": 409,
  "egress.refused": 403,
  "egress.failed": 502,
  "egress.malformed": 400,
  "budget.spent": 402,
  "lease.lost": 503,
  "cell.lost": 502,
  "cell.unavailable": 503,
  "cell.protocol": 502,
  "cell.silent": 504,
  "ui.unbuilt": 503,
  "house.closing": 503,
  "house.on-hold": 503,
  "house.unreachable": 503,
  "house.incompatible": 502,
  "house.bug": 500,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof errorStatus;

/**
 * Ways to fix a failure. Each client presents them in its own form: a command in a terminal, a link
 * in a browser.
 */
export const remedyCodes = [
  "check-provider",
  "choose-model",
  "change-budget",
  "begin-session",
  "log-in",
  "see-system",
] as const;
export type RemedyCode = (typeof remedyCodes)[number];

/** `provider`: the provider's name in this house. */
export interface Remedy {
  readonly code: RemedyCode;
  readonly provider?: string;
}

const remedies: Partial<Record<ErrorCode, RemedyCode>> = {
  "provider.unknown": "choose-model",
  "provider.auth": "check-provider",
  "provider.rate-limited": "choose-model",
  "provider.overloaded": "choose-model",
  "provider.unreachable": "check-provider",
  "provider.timeout": "choose-model",
  "provider.refused": "choose-model",
  "provider.context-overflow": "begin-session",
  "provider.malformed": "check-provider",
  "provider.truncated": "check-provider",
  "provider.failed": "check-provider",
  "budget.spent": "change-budget",
  "auth.missing": "log-in",
  "auth.invalid": "log-in",
  "store.unavailable": "see-system",
  "store.damaged": "see-system",
  "store.locked": "see-system",
  "secret.locked": "see-system",
  "cell.unavailable": "see-system",
  "home.read-only": "see-system",
  "house.bug": "see-system",
};

/** Returns the default remedy for an error code. */
export const remedyOf = (code: ErrorCode): RemedyCode | undefined => remedies[code];

/** The serialized form of a failure. */
export interface ErrorBody {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint?: string;
  /** How to fix the failure. Absent if the default remedy of the code applies. */
  readonly remedy?: Remedy;
  /** Minimum time before a retry, in milliseconds. */
  readonly retryAfterMs?: number;
}

/** Marks a `HearthError` across copies of this module. The warden and the inmate have separate copies. */
const BRAND = Symbol.for("hearth.error");

/** A failure. `message` says what failed and where, `hint` what to do next. */
export class HearthError extends Error {
  override readonly name = "HearthError";
  readonly [BRAND] = true;
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly remedy: Remedy | undefined;
  /** Minimum time before a retry. */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { hint?: string; cause?: unknown; retryAfterMs?: number; remedy?: Remedy } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
    this.remedy = options.remedy;
    this.retryAfterMs = options.retryAfterMs;
  }
}

export const isHearthError = (error: unknown, code?: ErrorCode): error is HearthError =>
  error instanceof Error && BRAND in error && (code === undefined || (error as HearthError).code === code);

export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorStatus, code);

/** Serializes any thrown value. Anything but a HearthError is a bug, and its text is left out. */
export const toErrorBody = (error: unknown): ErrorBody =>
  isHearthError(error)
    ? {
        code: error.code,
        message: error.message,
        ...(error.hint === undefined ? {} : { hint: error.hint }),
        ...(error.remedy === undefined ? {} : { remedy: error.remedy }),
        ...(error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }),
      }
    : {
        code: "house.bug",
        message: "Hearth failed with an internal error.",
        hint: "See logs/hearth.log in the home folder.",
      };

export const fromErrorBody = ({ code, message, hint, remedy, retryAfterMs }: ErrorBody): HearthError =>
  new HearthError(code, message, {
    ...(hint === undefined ? {} : { hint }),
    ...(remedy === undefined ? {} : { remedy }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });

/** Adds the failed provider to the error's remedy. An existing remedy is kept. */
export const withProvider = <Error extends { readonly code: ErrorCode; readonly remedy?: Remedy }>(
  error: Error,
  provider: string,
): Error => {
  const code = remedyOf(error.code);
  return code === undefined || error.remedy !== undefined ? error : { ...error, remedy: { code, provider } };
};
