/**
 * Forwards the audit log to the configured targets. If the config changes, the targets change too.
 */
import { createLinkedAbort, type World } from "@hearth/protocol";
import { type ReferenceSources, readReference } from "../../config/read-reference.ts";
import type { ConfigSource } from "../../config/source.ts";
import type { AuditTargetConfig } from "../../config/text/audit-text.ts";
import type { Log } from "../../log/log.ts";
import type { Store } from "../../store/store.ts";
import type { Supervisor } from "../../supervisor.ts";
import type { Audit } from "../audit.ts";
import type { AuditTarget } from "./target.ts";

export interface ForwardingOptions {
  readonly world: Pick<World, "clock" | "fetch">;
  readonly log: Pick<Log, "write">;
  readonly config: Pick<ConfigSource, "current" | "onChange">;
  readonly store: Pick<Store, "select" | "commit">;
  readonly audit: Pick<Audit, "page" | "ends" | "openTarget">;
  readonly supervisor: Pick<Supervisor, "run">;
  readonly references: ReferenceSources;
}

/** Maximum time that a stop of the house waits for a target. */
export const FINISH_LIMIT_MS = 3000;

interface RunningTarget {
  /** The target's config as text, to notice a change. */
  readonly text: string;
  readonly stop: AbortController & Disposable;
  readonly ended: Promise<void>;
}

export const createAuditForwarding = (options: ForwardingOptions) => {
  const { config, supervisor, world, log } = options;
  let nextChange = Promise.withResolvers<void>();
  config.onChange(() => nextChange.resolve());

  const start = (name: string, target: AuditTargetConfig, text: string, signal: AbortSignal): RunningTarget => {
    const stop = createLinkedAbort(signal);
    const forward = async (signal: AbortSignal): Promise<void> => {
      const { forwardRows } = await import("./forward.ts");
      await forwardRows({ ...options, clock: world.clock, name, target: await openTarget(options, target) }, signal);
    };
    return { text, stop, ended: supervisor.run(`audit target ${name}`, forward, stop.signal) };
  };

  const finish = async (name: string, target: AuditTargetConfig): Promise<void> => {
    const { forwardOnce } = await import("./forward.ts");
    const limit = new AbortController();
    const expire = (): void => limit.abort(new Error("the house did not wait longer"));
    world.clock.sleep(FINISH_LIMIT_MS, limit.signal).then(expire, expire);
    try {
      const openedTarget = await openTarget(options, target);
      await forwardOnce({ ...options, clock: world.clock, name, target: openedTarget }, limit.signal);
    } catch (error) {
      log.write("warn", "the last rows of the audit log are sent to a target after the next start", { name, error });
    } finally {
      limit.abort();
    }
  };

  return {
    /** Sends the rows of a stopped house, such as the row of its stop. Never rejects. */
    async finish(): Promise<void> {
      await Promise.all([...config.current().audit.targets].map(([name, target]) => finish(name, target)));
    },
    /** Runs until the signal aborts. If a target fails, its reader fails in the supervisor. */
    async run(signal: AbortSignal): Promise<void> {
      const running = new Map<string, RunningTarget>();
      signal.addEventListener("abort", () => nextChange.resolve(), { once: true });
      while (!signal.aborted) {
        nextChange = Promise.withResolvers();
        const { targets } = config.current().audit;
        const changedTargets = [...running].filter(([name, { text }]) => text !== JSON.stringify(targets.get(name)));
        for (const [name, { stop, ended }] of changedTargets) {
          stop.abort();
          await ended;
          stop[Symbol.dispose]();
          running.delete(name);
        }
        for (const [name, target] of targets)
          if (!running.has(name)) running.set(name, start(name, target, JSON.stringify(target), signal));
        await nextChange.promise;
      }
      await Promise.all([...running.values()].map(({ ended }) => ended));
    },
  };
};

/** Opens a target. Throws if one of its headers has no value. */
const openTarget = async (
  { world, audit, references }: ForwardingOptions,
  target: AuditTargetConfig,
): Promise<AuditTarget> => {
  if (target.kind !== "http") return audit.openTarget(target);
  const { createHttpAuditTarget } = await import("./http-target.ts");
  const readHeaders = async (): Promise<Readonly<Record<string, string>>> => {
    const readingHeaders = Object.entries(target.headers).map(async ([name, secret]) => {
      const { reference, text, problem } = await readReference(secret, references);
      if (text === undefined) throw new Error(`its header ${name} has no value: ${reference} ${problem}`);
      return [name, text] as const;
    });
    return Object.fromEntries(await Promise.all(readingHeaders));
  };
  return createHttpAuditTarget({ world, url: target.url, headers: readHeaders });
};
