/** Runs the program of a tunnel once, from its start to its end. */
import { createLinkedAbort, type Clock, HearthError } from "@hearth/protocol";
import { type TunnelConfig } from "../../kernel/index.ts";
import type { Http } from "../http.ts";
import type { RouteCheck } from "./route-check.ts";
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
  readonly route: RouteCheck;
  /** Called after each check of the route, with the problem if there is one. */
  readonly onChecked: (problem: string | undefined) => void;
}

/** Time between two checks that every person can log in. */
export const LOGINS_CHECK_MS = 60_000;
/** Time between two checks of a route that worked at the last check. */
export const ROUTE_CHECK_MS = 60_000;
/** Time between two checks of a route that did not work at the last check. */
export const ROUTE_RETRY_MS = 10_000;
/** Number of failed checks in a row after which the program of a route that once worked is restarted. */
export const MAX_ROUTE_FAILURES = 3;
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
  const local = await parts.listen(options.route.answering(http));
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(local.close);
  using tunnelAbort = createLinkedAbort(signal);
  using startAbort = createLinkedAbort(tunnelAbort.signal);
  let isLate = false;
  const deadline = clock.sleep(START_TIMEOUT_MS, startAbort.signal).then(() => {
    if (startAbort.signal.aborted) return;
    isLate = true;
    tunnelAbort.abort();
  });
  const loginWatch = watch(tunnelAbort, () => watchLogins(options, tunnelAbort.signal));
  const address = Promise.withResolvers<string>();
  const routeWatch = watch(tunnelAbort, () => watchRoute(options, address.promise, tunnelAbort.signal));
  const lines: string[] = [];
  let isOpen = false;

  const onLine = (line: string): void => {
    if (line.trim() !== "") lines.push(line.trim());
    if (lines.length > MAX_QUOTED_LINES) lines.shift();
    const url = isOpen ? undefined : program.readUrl(line, tunnel);
    if (url === undefined || tunnelAbort.signal.aborted) return;
    isOpen = true;
    startAbort.abort();
    options.onOpen(url);
    address.resolve(url);
  };
  const command = program.command(tunnel, local.port);
  const [name = ""] = command;
  try {
    // Before any output: a program with a known address may stay silent.
    onLine("");
    const { code } = await parts.run(command, onLine, tunnelAbort.signal);
    if (signal.aborted) return;
    loginWatch.throwRefusal();
    routeWatch.throwRefusal();
    throw tunnelFailedError(
      isLate ? `${name} has not announced a public address` : describeEnd(name, code),
      lines,
      program.hint,
    );
  } finally {
    startAbort.abort();
    tunnelAbort.abort();
    // The program may end before it announced an address.
    address.resolve("");
    await Promise.all([deadline, loginWatch.ended, routeWatch.ended]);
  }
};

/** Runs a check that throws when the tunnel must close, and then aborts `controller`. */
const watch = (controller: AbortController, run: () => Promise<void>) => {
  let refusal: { readonly error: unknown } | undefined;
  const programEnd = run().catch((error: unknown) => {
    refusal = { error };
    controller.abort();
  });
  return {
    ended: programEnd,
    /** Throws the reason for which the tunnel was closed, if there is one. */
    throwRefusal(): void {
      if (refusal !== undefined) throw refusal.error;
    },
  };
};

/** Throws when a person is found who cannot log in. */
const watchLogins = async (
  { clock, listPeopleWithoutLogin }: OpenTunnelOptions,
  signal: AbortSignal,
): Promise<void> => {
  for (;;) {
    await clock.sleep(LOGINS_CHECK_MS, signal);
    if (signal.aborted) return;
    await checkLogins(listPeopleWithoutLogin);
  }
};

/**
 * Throws when the route worked and no longer does. A route that never worked stays, because some
 * networks do not let a machine reach its own public address.
 */
const watchRoute = async (
  { clock, route, onChecked }: OpenTunnelOptions,
  address: Promise<string>,
  signal: AbortSignal,
): Promise<void> => {
  const url = await address;
  let hasWorked = false;
  let failures = 0;
  while (!signal.aborted) {
    const problem = await route.findProblem(url, signal);
    if (signal.aborted) return;
    onChecked(problem);
    hasWorked ||= problem === undefined;
    failures = problem === undefined ? 0 : failures + 1;
    if (hasWorked && failures >= MAX_ROUTE_FAILURES)
      throw new HearthError("tunnel.failed", `The public address no longer reaches this house: ${problem}.`, {
        hint: "The house starts the tunnel again. If that does not help, check the status of the tunnel's service.",
      });
    await clock.sleep(problem === undefined ? ROUTE_CHECK_MS : ROUTE_RETRY_MS, signal);
  }
};

/**
 * Throws `tunnel.failed` if a person has no password, passkey or linked account: anyone on the
 * internet reaches the login page through a tunnel, and this person can only use links.
 */
const checkLogins = async (listPeopleWithoutLogin: () => Promise<readonly string[]>): Promise<void> => {
  const [firstPerson, ...others] = await listPeopleWithoutLogin();
  if (firstPerson === undefined) return;
  const names = [firstPerson, ...others].map((handle) => `@${handle}`).join(", ");
  throw new HearthError(
    "tunnel.failed",
    `The tunnel stays closed: ${names} ${others.length === 0 ? "has" : "have"} no password, passkey or linked account.`,
    {
      hint: `Set a password: hearth person password ${firstPerson}`,
    },
  );
};

const describeEnd = (name: string, code: number | undefined): string =>
  code === undefined ? `${name} was ended by a signal` : `${name} ended with code ${code}`;

const tunnelFailedError = (problem: string, lines: readonly string[], hint: string): HearthError => {
  const output = lines.join(" · ").slice(-MAX_QUOTED_LENGTH);
  return new HearthError("tunnel.failed", output === "" ? `${problem}.` : `${problem}: ${output}`, { hint });
};
