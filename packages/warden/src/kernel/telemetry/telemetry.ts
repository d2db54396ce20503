/**
 * Measures the work of the house for the observers of the config. Without observers nothing is
 * measured.
 */
import type { ActivationId, World } from "@hearth/protocol";
import { type ReferenceSources, readReference } from "../config/read-reference.ts";
import type { ConfigSource } from "../config/source.ts";
import type { ObserversConfig } from "../config/text/observers-text.ts";
import type { Log } from "../log/log.ts";
import { observe } from "../supervisor.ts";
import type { Observer, SpanFacts, SpanKind } from "./observer.ts";

/** An operation in progress. */
export interface OpenSpan {
  end(facts: SpanFacts): void;
}

export interface Telemetry extends AsyncDisposable {
  /** Opens the observers of the config, and follows its changes. Called once. */
  follow(parts: TelemetryParts): void;
  /**
   * Starts to measure an operation of an activation. Returns undefined if there are no observers.
   */
  start(kind: SpanKind, activation: ActivationId): OpenSpan | undefined;
  /**
   * Returns the metrics in the text format of Prometheus, or undefined if the observer
   * `prometheus` is off.
   */
  expose(): string | undefined;
  /** Resolves when the observers are those of the current config. */
  waitForObservers(): Promise<void>;
}

export interface TelemetryOptions {
  readonly world: Pick<World, "clock" | "random" | "hash" | "fetch">;
  readonly log: Log;
  readonly config: Pick<ConfigSource, "current" | "onChange">;
  /** An observer in addition to those of the config. */
  readonly additional?: Observer | undefined;
}

/** Parts of higher areas and of the machine. */
export interface TelemetryParts {
  readonly version: string;
  /** Removes secrets from the name of a model. */
  readonly redact: (text: string) => string;
  readonly references: ReferenceSources;
}

/** Turns in progress, which are the parents of spans. */
interface Trace {
  readonly trace: string;
  readonly root: string;
}

const TRACE_DIGITS = 32;
const SPAN_BYTES = 8;

export const createTelemetry = ({ world, log, config, additional }: TelemetryOptions): Telemetry => {
  const { clock, random, hash } = world;
  const turns = new Map<ActivationId, Trace>();
  const permanent = additional === undefined ? [] : [additional];
  let activeObservers: readonly Observer[] = permanent;
  let redact = (text: string): string => text;
  let appliedSettings = "";
  let pendingUpdate: Promise<void> = Promise.resolve();

  const apply = async (parts: TelemetryParts): Promise<void> => {
    const settings = config.current().observers;
    const text = JSON.stringify(settings);
    if (text === appliedSettings) return;
    appliedSettings = text;
    const oldObservers = activeObservers.filter((observer) => observer !== additional);
    const newObservers = settings.to.length === 0 ? [] : await openObservers(settings, parts);
    activeObservers = [...permanent, ...newObservers];
    await Promise.all(oldObservers.map((observer) => observer.close()));
  };

  const openObservers = async ({ to, otlp }: ObserversConfig, parts: TelemetryParts): Promise<readonly Observer[]> => {
    const { observers } = await import("./index.ts");
    const headers: Record<string, string> = {};
    for (const [name, secret] of Object.entries(otlp.headers)) {
      const { reference, text, problem } = await readReference(secret, parts.references);
      if (text === undefined)
        log.write("warn", "a header for traces and metrics is missing", { name, reference, problem });
      else headers[name] = text;
    }
    return to.map((kind) =>
      observers[kind]({
        log,
        fetch: world.fetch,
        now: () => clock.now(),
        sleep: (ms, signal) => clock.sleep(ms, signal),
        version: parts.version,
        otlp: { endpoint: otlp.endpoint, headers },
      }),
    );
  };

  const traceOf = (activation: ActivationId): string => hash(`trace:${activation}`).slice(0, TRACE_DIGITS);

  return {
    follow(parts) {
      redact = parts.redact;
      const scheduleUpdate = (): void => {
        const update = pendingUpdate.then(() => apply(parts));
        observe(update, log, "the observers could not be changed");
        pendingUpdate = update.catch(() => {});
      };
      config.onChange(scheduleUpdate);
      scheduleUpdate();
    },
    start(kind, activation) {
      if (activeObservers.length === 0) return undefined;
      const id = random(SPAN_BYTES).toHex();
      const turn = turns.get(activation);
      const trace = turn?.trace ?? traceOf(activation);
      if (kind === "turn") turns.set(activation, { trace, root: id });
      const startMs = clock.now();
      const startedAt = clock.monotonic();
      return {
        end(facts) {
          if (kind === "turn") turns.delete(activation);
          const parent = kind === "turn" || turn === undefined ? {} : { parent: turn.root };
          const durationMs = clock.monotonic() - startedAt;
          const { model } = facts;
          const redactedFacts = model === undefined ? facts : { ...facts, model: redact(model) };
          for (const observer of activeObservers)
            observer.record({ kind, trace, id, ...parent, startMs, durationMs, facts: redactedFacts });
        },
      };
    },
    expose() {
      const texts = activeObservers.flatMap((observer) => observer.expose?.() ?? []);
      return texts.length === 0 ? undefined : texts.join("");
    },
    waitForObservers: () => pendingUpdate,
    async [Symbol.asyncDispose]() {
      await pendingUpdate;
      const oldObservers = activeObservers;
      activeObservers = [];
      await Promise.all(oldObservers.map((observer) => observer.close()));
    },
  };
};
