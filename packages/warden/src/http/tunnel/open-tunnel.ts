/** Runs the program of a tunnel once, from its start to its end. */
import { type Clock, HearthError } from "@hearth/protocol";
import { createLinkedAbort, type TunnelConfig } from "../../kernel/index.ts";
import type { Http } from "../http.ts";
import { tunnelPrograms } from "./tunnel-programs.ts";
import type { TunnelParts } from "./programs.ts";

export interface OpenTunnelOptions {
  readonly clock: Pick<Clock, "sleep">;
  readonly parts: TunnelParts;
  readonly http: Http;
  readonly tunnel: TunnelConfig;
  /** The handles of people who have no password, passkey or linked account. */
  readonly listPeopleWithoutLogin: () => Promise<readonly string[]>;
  /** Called once, when the tunnel is open. */
  readonly onOpen: (url: string) => void;
}

/** Time between two checks that every person can log in. */
export const LOGINS_CHECK_MS = 60_000;
/** Maximum time until a program announces its address. */
export const START_TIMEOUT_MS = 60_000;
/** Number of the last lines that an error quotes. */
const MAX_QUOTED_LINES = 3;
const MAX_QUOTED_LENGTH = 300;

/**
 * Runs the tunnel. Resolves when `signal` aborts. Otherwise throws `tunnel.failed` with the reason
 * why the tunnel cannot open or has ended.
 */
export const openTunnel = async (options: OpenTunnelOptions, signal: AbortSignal): Promise<void> => {
  const { clock, parts, http, tunnel } = options;
  const program = tunnelPrograms[tunnel.kind];
  await checkLogins(options.listPeopleWithoutLogin);
  const local = await parts.listen(http);
  await using undo = new AsyncDisposableStack();
  undo.defer(local.close);
  using own = createLinkedAbort(signal);
  using starting = createLinkedAbort(own.signal);
  let isLate = false;
  const deadline = clock.sleep(START_TIMEOUT_MS, starting.signal).then(() => {
    if (starting.signal.aborted) return;
    isLate = true;
    own.abort();
  });
  const logins = watchLogins(options, own);
  const lines: string[] = [];
  let isOpen = false;

  const onLine = (line: string): void => {
    if (line.trim() !== "") lines.push(line.trim());
    if (lines.length > MAX_QUOTED_LINES) lines.shift();
    const url = isOpen ? undefined : program.readUrl(line, tunnel);
    if (url === undefined || own.signal.aborted) return;
    isOpen = true;
    starting.abort();
    options.onOpen(url);
  };
  const command = program.command(tunnel, local.port);
  const [name = ""] = command;
  try {
    // Before any output: a program with a known address may stay silent.
    onLine("");
    const { code } = await parts.run(command, onLine, own.signal);
    if (signal.aborted) return;
    logins.throwRefusal();
    throw tunnelFailedError(
      isLate ? `${name} has not announced a public address` : describeEnd(name, code),
      lines,
      program.hint,
    );
  } finally {
    starting.abort();
    own.abort();
    await Promise.all([deadline, logins.ended]);
  }
};

/** Aborts `own` when a person is found who cannot log in, or when the check fails. */
const watchLogins = (
  { clock, listPeopleWithoutLogin }: Pick<OpenTunnelOptions, "clock" | "listPeopleWithoutLogin">,
  own: AbortController,
) => {
  let refusal: { readonly error: unknown } | undefined;
  const watch = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(LOGINS_CHECK_MS, own.signal);
      if (own.signal.aborted) return;
      await checkLogins(listPeopleWithoutLogin);
    }
  };
  const ended = watch().catch((error: unknown) => {
    refusal = { error };
    own.abort();
  });
  return {
    ended,
    /** Throws the reason for which the tunnel was closed, if there is one. */
    throwRefusal(): void {
      if (refusal !== undefined) throw refusal.error;
    },
  };
};

/**
 * Anyone on the internet reaches the login page through a tunnel, and a person without a login of
 * their own can only use links.
 */
const checkLogins = async (listPeopleWithoutLogin: () => Promise<readonly string[]>): Promise<void> => {
  const [first, ...others] = await listPeopleWithoutLogin();
  if (first === undefined) return;
  const names = [first, ...others].map((handle) => `@${handle}`).join(", ");
  throw new HearthError(
    "tunnel.failed",
    `The tunnel stays closed: ${names} ${others.length === 0 ? "has" : "have"} no password, passkey or linked account.`,
    {
      hint: `Set a password: hearth person password ${first}`,
    },
  );
};

const describeEnd = (name: string, code: number | undefined): string =>
  code === undefined ? `${name} was ended by a signal` : `${name} ended with code ${code}`;

const tunnelFailedError = (what: string, lines: readonly string[], hint: string): HearthError => {
  const output = lines.join(" · ").slice(-MAX_QUOTED_LENGTH);
  return new HearthError("tunnel.failed", output === "" ? `${what}.` : `${what}: ${output}`, { hint });
};
