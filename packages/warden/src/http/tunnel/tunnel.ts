/**
 * Keeps the tunnel of the config open. Starts its program again after failures and config changes.
 */
import {
  createLinkedAbort,
  type Clock,
  type ErrorBody,
  type Fetch,
  lazy,
  toErrorBody,
  type TunnelInfo,
  type World,
  untilAborted,
} from "@hearth/protocol";
import { type ConfigSource, type Log, type TunnelConfig } from "../../kernel/index.ts";
import type { Http } from "../http.ts";
import type { TunnelAddress } from "../reach.ts";
import type { TunnelParts } from "./programs.ts";

export interface Tunnel {
  /** Keeps the tunnel to this handler open until `signal` aborts. */
  run(http: Http, signal: AbortSignal): Promise<void>;
  /** Ends a pause before the next try. */
  tryNow(): void;
  info(): TunnelInfo;
  /** Checks the route of an open tunnel now. */
  check(signal: AbortSignal): Promise<TunnelInfo>;
  /** Returns the address of the open tunnel, or undefined if it is not open. */
  address(): TunnelAddress | undefined;
}

export interface TunnelOptions {
  readonly parts: TunnelParts;
  /** The handles of people who have no password, passkey or linked account. */
  readonly listPeopleWithoutLogin: () => Promise<readonly string[]>;
  readonly clock: Pick<Clock, "now" | "monotonic" | "sleep">;
  readonly fetch: Fetch;
  readonly random: World["random"];
  readonly log: Log;
  readonly config: Pick<ConfigSource, "current" | "onChange">;
}

export const FIRST_PAUSE_MS = 1000;
export const LONGEST_PAUSE_MS = 60_000;
/** Time after which an open tunnel counts as stable. After its end, the pauses are short again. */
export const STEADY_MS = 60_000;

export const createTunnel = (options: TunnelOptions): Tunnel => {
  const { clock, fetch, random, log, config, ...parts } = options;
  const loadRoute = lazy(async () => (await import("./route-check.ts")).createRouteCheck({ clock, fetch, random }));
  let info: TunnelInfo = { state: "off" };
  let address: TunnelAddress | undefined;
  let restart = new AbortController();
  let currentTunnel = config.current().tunnel;

  const onChecked = (problem: string | undefined): void => {
    if (info.state !== "open") return;
    if (problem !== undefined && info.route?.isReached !== false)
      log.write("warn", "the public address of the tunnel does not reach this house", { problem });
    const isReached = problem === undefined;
    info = { ...info, route: { isReached, checkedAt: clock.now(), ...(isReached ? {} : { problem }) } };
  };

  /** Runs the program once. Returns why it ended, or undefined if `signal` aborted. */
  const runOnce = async (http: Http, tunnel: TunnelConfig, signal: AbortSignal): Promise<ErrorBody | undefined> => {
    const { kind, isForwarded } = tunnel;
    info = { ...info, state: "starting", kind };
    const { openTunnel } = await import("./open-tunnel.ts");
    const onOpen = (url: string): void => {
      address = { url, isForwarded };
      info = { state: "open", kind, url };
      log.write("info", "the tunnel is open", { kind, url });
    };
    try {
      const route = await loadRoute();
      await openTunnel({ clock, http, tunnel, onOpen, route, onChecked, ...parts }, signal);
      return undefined;
    } catch (error) {
      return signal.aborted ? undefined : toErrorBody(error);
    } finally {
      address = undefined;
    }
  };

  const keepOpen = async (http: Http, tunnel: TunnelConfig, signal: AbortSignal): Promise<void> => {
    for (let failures = 0; !signal.aborted; failures += 1) {
      const startedAt = clock.monotonic();
      const error = await runOnce(http, tunnel, signal);
      if (error === undefined) return;
      if (clock.monotonic() - startedAt >= STEADY_MS) failures = 0;
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
      info = { state: "waiting", kind: tunnel.kind, error, nextTryAt: clock.now() + pauseMs };
      log.write("warn", "the tunnel is closed and will be opened again", {
        kind: tunnel.kind,
        pauseMs,
        why: error.message,
      });
      await clock.sleep(pauseMs, signal);
    }
  };

  const begin = (tunnel: TunnelConfig | undefined): void => {
    info = tunnel === undefined ? { state: "off" } : { state: "starting", kind: tunnel.kind };
    restart.abort();
  };
  config.onChange(() => {
    const newTunnel = config.current().tunnel;
    if (JSON.stringify(newTunnel) === JSON.stringify(currentTunnel)) return;
    currentTunnel = newTunnel;
    begin(newTunnel);
  });

  return {
    async run(http, signal) {
      while (!signal.aborted) {
        using tunnelAbort = createLinkedAbort(signal);
        restart = tunnelAbort;
        if (currentTunnel === undefined) await untilAborted(tunnelAbort.signal);
        else await keepOpen(http, currentTunnel, tunnelAbort.signal);
      }
      info = { state: "off" };
    },
    tryNow() {
      if (info.state === "waiting") begin(currentTunnel);
    },
    info: () => info,
    async check(signal) {
      const { url } = info;
      if (info.state !== "open" || url === undefined) return info;
      const problem = await (await loadRoute()).findProblem(url, signal);
      if (info.url === url) onChecked(problem);
      return info;
    },
    address: () => address,
  };
};
