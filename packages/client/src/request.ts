/**
 * Sends one request to a house and validates the answer. If the house refuses the request, throws
 * the error that the house returned.
 */
import {
  type ErrorCode,
  type Fetch,
  HearthError,
  isErrorCode,
  isHearthError,
  type Remedy,
  remedyCodes,
} from "@hearth/protocol";

export interface Connection {
  /** `http://host:port`, without a path. */
  readonly baseUrl: string;
  /** The token. Undefined in a browser that has a session cookie. */
  readonly token?: string | undefined;
  readonly fetch: Fetch;
  /**
   * Asks the user to confirm who they are. Resolves to true if they did; the refused request is
   * then sent once more.
   */
  readonly confirmLogin?: (() => Promise<boolean>) | undefined;
}

export interface RequestOptions {
  readonly query?: Readonly<Record<string, string | number | undefined>> | undefined;
  readonly body?: unknown;
  /** Bytes to send instead of `body`. Their type is in `headers`. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly accept?: string;
  readonly signal?: AbortSignal | undefined;
}

/** The part of a zod schema that callers need. */
export interface Schema<Answer> {
  safeParse(value: unknown): { success: true; data: Answer } | { success: false; error: { message: string } };
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Sends the request. Throws the house's error, `house.unreachable` if the house did not answer, or
 * `house.incompatible` if the answer is invalid.
 */
export const request = async (
  connection: Connection,
  method: Method,
  path: string,
  options: RequestOptions = {},
): Promise<Response> => {
  try {
    return await sendOnce(connection, method, path, options);
  } catch (error) {
    if (!isHearthError(error, "auth.stale") || (await connection.confirmLogin?.()) !== true) throw error;
    return sendOnce(connection, method, path, options);
  }
};

const sendOnce = async (
  connection: Connection,
  method: Method,
  path: string,
  options: RequestOptions,
): Promise<Response> => {
  if (
    path
      .slice(1)
      .split("/")
      .some((part) => /^\.{0,2}$/.test(part))
  ) {
    throw new HearthError("request.invalid", `${path} is not a valid path: one of its parts is empty, "." or "..".`);
  }
  const url = new URL(path, connection.baseUrl);
  for (const [name, value] of Object.entries(options.query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  const headers = new Headers({ accept: options.accept ?? "application/json", ...options.headers });
  if (connection.token !== undefined) headers.set("authorization", `Bearer ${connection.token}`);
  if (options.body !== undefined) headers.set("content-type", "application/json");
  let response: Response;
  try {
    response = await connection.fetch(url, {
      method,
      headers,
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
      ...(options.bytes === undefined ? {} : { body: options.bytes }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
  } catch (error) {
    throw unreachableError(connection, error);
  }
  if (!response.ok) throw await toRefusal(connection, response);
  return response;
};

export const requestJson = async <Answer>(
  connection: Connection,
  schema: Schema<Answer>,
  method: Method,
  path: string,
  options: RequestOptions = {},
): Promise<Answer> => {
  const response = await request(connection, method, path, options);
  let text: string;
  try {
    text = await response.text();
  } catch (error) {
    throw unreachableError(connection, error);
  }
  const answer = schema.safeParse(parseJson(text));
  if (answer.success) return answer.data;
  throw new HearthError(
    "house.incompatible",
    `${method} ${path} at ${connection.baseUrl} did not answer as the protocol specifies.`,
    {
      hint: "Use the `hearth` command and the daemon of one version: hearth stop, then hearth up.",
      cause: answer.error,
    },
  );
};

export const unreachableError = (connection: Connection, cause: unknown): HearthError =>
  new HearthError("house.unreachable", `Hearth does not answer at ${connection.baseUrl}.`, {
    hint: "Start it: hearth up",
    cause,
  });

/** Parses JSON. Returns undefined for an invalid text. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/**
 * Returns the error of a refusal. If the answer is not from Hearth, for example from a proxy, the
 * HTTP status decides the error.
 */
const toRefusal = async (connection: Connection, response: Response): Promise<HearthError> => {
  const body = parseJson(await response.text().catch(() => ""));
  const hearthError = readError(body);
  if (hearthError !== undefined) return hearthError;
  const code: ErrorCode = response.status >= 500 ? "house.unreachable" : "house.incompatible";
  return new HearthError(
    code,
    `${connection.baseUrl} answered with status ${response.status}, and not as Hearth answers.`,
    {
      hint: "Give the address of a house; `hearth status` prints it.",
    },
  );
};

/**
 * Parses an error without the full schema, because a newer house may send a code that this client
 * does not know.
 */
export const readError = (body: unknown): HearthError | undefined => {
  if (typeof body !== "object" || body === null || !("error" in body)) return undefined;
  const { error } = body;
  if (typeof error !== "object" || error === null || !("code" in error) || !("message" in error)) return undefined;
  const { code, message } = error;
  if (typeof code !== "string" || typeof message !== "string") return undefined;
  const hint = "hint" in error && typeof error.hint === "string" ? { hint: error.hint } : {};
  const remedy = readRemedy("remedy" in error ? error.remedy : undefined);
  const retryField =
    "retryAfterMs" in error && typeof error.retryAfterMs === "number" ? { retryAfterMs: error.retryAfterMs } : {};
  return isErrorCode(code)
    ? new HearthError(code, message, { ...hint, ...retryField, ...(remedy === undefined ? {} : { remedy }) })
    : new HearthError("house.incompatible", `${message} (${code})`, hint);
};

/** Parses a remedy. Returns undefined for an unknown one, because the error's code is enough. */
const readRemedy = (remedy: unknown): Remedy | undefined => {
  if (typeof remedy !== "object" || remedy === null || !("code" in remedy)) return undefined;
  const code = remedyCodes.find((candidate) => candidate === remedy.code);
  if (code === undefined) return undefined;
  return "provider" in remedy && typeof remedy.provider === "string" ? { code, provider: remedy.provider } : { code };
};
