/**
 * Runs the schedule. One loop fires due jobs and notices steps of the clock. The other loop follows
 * the streams whose events change jobs or end their runs.
 */
import { type Kernel } from "../../kernel/index.ts";
import { createLinkedAbort, type AgentId, idOfStream, isStreamOf } from "@hearth/protocol";
import type { Alarm } from "./alarm.ts";
import type { Firing } from "./firing.ts";
import { roundRobin } from "./round-robin.ts";
import type { JobSources } from "./job-sources.ts";
import { createJumpCheck } from "./jump-check.ts";
import type { Replan } from "./replan.ts";
import type { SlotEnds } from "./slot-ends.ts";
import type { Timeline } from "./time/timeline.ts";

/** The agent and the name of a job. */
export type JobKey = `${string} ${string}`;

export interface ScheduleRunOptions {
  readonly kernel: Pick<Kernel, "world" | "log" | "streams">;
  /** The next slot of each job. */
  readonly timeline: Timeline<JobKey>;
  /** Rings when the timeline changes. */
  readonly alarm: Pick<Alarm, "wait">;
  readonly sources: Omit<JobSources, "sync">;
  readonly firing: Pick<Firing, "decideDueSlots">;
  readonly ends: Pick<SlotEnds, "load" | "check">;
  readonly replan: Replan;
}

/** Interval at which files are checked for edits by hand. */
const CHECK_INTERVAL_MS = 60_000;
/**
 * The same interval while there are no jobs. A first job is noticed after the agent's next turn,
 * when a client lists the jobs, or after this interval.
 */
const IDLE_CHECK_INTERVAL_MS = 6 * 3_600_000;
/**
 * Maximum sleep, which is also the time within which a clock change or a suspended machine is
 * noticed.
 */
const MAX_SLEEP_MS = 1000;
/**
 * Maximum number of due jobs that fire together and share a sync of the disk. Other work runs
 * between two groups.
 */
const JOBS_PER_GROUP = 50;

/**
 * Returns the function that decides unfinished slots, then fires due jobs until `signal` aborts.
 */
export const createScheduleRun = (options: ScheduleRunOptions): ((signal: AbortSignal) => Promise<void>) => {
  const { kernel, timeline, alarm, sources, firing, ends, replan } = options;
  const { log, streams } = kernel;
  const { clock } = kernel.world;

  const decideDueSlots = async (key: JobKey): Promise<void> => {
    const [agent = "", name = ""] = key.split(" ");
    try {
      await firing.decideDueSlots(agent, name);
    } catch (error) {
      log.write("error", "cannot fire a due job; trying again", { agent, job: name, error });
      timeline.set(key, clock.now() + MAX_SLEEP_MS);
    }
  };

  /** Fires due jobs in groups. The agents take turns. */
  const fireDue = async (): Promise<void> => {
    const dueKeys = roundRobin(timeline.take(clock.now()));
    for (let start = 0; start < dueKeys.length; start += JOBS_PER_GROUP) {
      await Promise.all(dueKeys.slice(start, start + JOBS_PER_GROUP).map(decideDueSlots));
      await clock.turn();
    }
  };

  const checkEnds = async (agent?: AgentId): Promise<void> => {
    try {
      await ends.check(agent);
    } catch (error) {
      log.write("error", "cannot store the end of a job's run; trying again", { agent, error });
    }
  };

  /** Checks unfinished slots, including those that another daemon fired. */
  const checkUnfinished = async (): Promise<void> => {
    await ends.load();
    await checkEnds();
  };

  const follow = async (signal: AbortSignal): Promise<void> => {
    for await (const names of streams.watch(["house", "agent"], signal)) {
      for (const name of names) {
        if (isStreamOf(name, "house")) await sources.refreshHouse(idOfStream(name));
        if (!isStreamOf(name, "agent")) continue;
        const id = idOfStream(name);
        await checkEnds(id);
        await sources.refresh(id);
      }
    }
  };

  const tick = async (signal: AbortSignal): Promise<void> => {
    let checkedAt = -Infinity;
    const stepOf = createJumpCheck(clock);
    while (!signal.aborted) {
      await replan.afterClockJump(stepOf());
      await fireDue();
      if (clock.monotonic() - checkedAt >= CHECK_INTERVAL_MS) {
        checkedAt = clock.monotonic();
        await sources.refreshAll();
        await checkUnfinished();
      }
      const nextDueAt = timeline.next();
      const waitMs =
        nextDueAt === undefined ? IDLE_CHECK_INTERVAL_MS : Math.min(MAX_SLEEP_MS, Math.max(0, nextDueAt - clock.now()));
      const sleepAbort = new AbortController();
      await Promise.race([clock.sleep(waitMs, AbortSignal.any([signal, sleepAbort.signal])), alarm.wait()]);
      sleepAbort.abort();
    }
  };

  return async (signal) => {
    // The unfinished slots come first, because a slot without a recorded end blocks the next one.
    await checkUnfinished();
    const rows = await replan.atStart();
    // No daemon followed the streams when these agents were deleted.
    await sources.forgetRemoved(new Set(rows.map(({ agent }) => agent)));
    // The restart may have changed a key.
    await sources.retryHeartbeats();
    // If one loop fails, the other one ends too, so that a restart finds neither running.
    using linkedAbort = createLinkedAbort(signal);
    const end = (error: unknown): never => {
      linkedAbort.abort();
      throw error;
    };
    const results = await Promise.allSettled([
      follow(linkedAbort.signal).catch(end),
      tick(linkedAbort.signal).catch(end),
    ]);
    for (const part of results) if (part.status === "rejected") throw part.reason;
  };
};
