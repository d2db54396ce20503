/** Mutants of jobs and their slots: each has one fate, stored with what it fires, and catches up by its rule. */
import type { Mutant } from "./mutant.ts";

export const mutantsOfJobs: readonly Mutant[] = [
  {
    name: "a slot is stored after what it fires",
    rule: "jobs",
    edits: [
      {
        file: "warden/src/agents/schedule/firing.ts",
        from: "const { kind } = await streams.commit({\n      guards: [{ kind:",
        to: "await streams.commit({ writes: [], events });\n    const { kind } = await streams.commit({\n      guards: [{ kind:",
      },
    ],
    first: "seeds",
  },
  {
    name: "of two that look at a slot both give it a fate",
    rule: "jobs",
    edits: [
      {
        file: "warden/src/agents/schedule/firing.ts",
        from: "where: { ...where, version: row.version } }, ...along.guards],",
        to: "where }, ...along.guards],",
      },
      {
        file: "warden/src/agents/schedule/firing.ts",
        from: ': slots.map((slot): Write => ({ kind: "insert",',
        to: ': slots.map((slot): Write => ({ kind: "put",',
      },
    ],
    first: "seeds",
  },
  {
    name: "every slot that passed is caught up with, whatever the rule",
    rule: "jobs",
    edits: [
      {
        file: "warden/src/agents/schedule/time/catch-up.ts",
        from: '.slice(rule === "all" ? -MAX_CAUGHT_UP : -1)',
        to: ".slice(-MAX_CAUGHT_UP)",
      },
    ],
    first: "seeds",
  },
  {
    name: "what is too late is caught up with, though the rule is not to",
    rule: "jobs",
    edits: [
      {
        file: "warden/src/agents/schedule/time/catch-up.ts",
        from: 'rule !== "skip" || isOnTime(slot, now)',
        to: 'rule !== "skip" || slot <= now',
      },
    ],
    first: "seeds",
  },
  {
    name: "what runs keeps nothing of its job from firing",
    rule: "jobs",
    edits: [
      {
        file: "warden/src/agents/schedule/firing.ts",
        from: "if (under.length > 0) return",
        to: "if (under.length < 0) return",
      },
    ],
    first: "seeds",
  },
  {
    name: "what was due before an edit has no fate",
    rule: "jobs",
    edits: [
      {
        file: "warden/src/agents/schedule/mirror.ts",
        from: "if (row !== undefined && isDue(row)) {",
        to: "if (row !== undefined && isDue(row) && row.version < 0) {",
      },
    ],
    first: "seeds",
    tests: "warden/src/agents/schedule/house-schedule.test.ts",
  },
  {
    name: "what had its fate has another one when the clock was put back",
    rule: "jobs",
    edits: [
      {
        file: "warden/src/agents/schedule/mirror.ts",
        from: "slotsOf(schedule, until).next(Math.max(world.clock.now(), last));",
        to: "slotsOf(schedule, until).next(Math.max(world.clock.now(), Math.min(last, 0)));",
      },
    ],
    first: "seeds",
    tests: "warden/src/agents/schedule/histories.test.ts",
  },
  {
    name: "a job that is paused goes on",
    rule: "jobs",
    edits: [{ file: "warden/src/agents/schedule/mirror.ts", from: 'if (terms.paused) return "paused";', to: "" }],
    first: "seeds",
  },
  {
    name: "nobody looks after what the daemon before had fired",
    rule: "jobs",
    edits: [{ file: "warden/src/agents/schedule/house-schedule.ts", from: "    await ends.load();\n", to: "" }],
    first: "seeds",
  },
];
