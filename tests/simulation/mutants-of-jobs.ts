/**
 * Mutants of jobs: each slot has one fate, stored with the message that it fires, and follows its
 * catch-up rule.
 */
import type { Mutant } from "./mutant.ts";

export const mutantsOfJobs: readonly Mutant[] = [
  {
    name: "a slot is stored after what it fires",
    rule: "jobs",
    edits: [
      {
        file: "warden/src/agents/schedule/slot-commits.ts",
        from: "const { kind } = await streams.commit({\n      guards: [{ kind:",
        to: "await streams.commit({ writes: [], events });\n    const { kind } = await streams.commit({\n      guards: [{ kind:",
      },
    ],
    first: "seeds",
  },
  {
    name: "two daemons both give a slot a fate",
    rule: "jobs",
    edits: [
      {
        file: "warden/src/agents/schedule/slot-commits.ts",
        from: "where: { ...where, version: row.version } }, ...sameCommit.guards],",
        to: "where }, ...sameCommit.guards],",
      },
      {
        file: "warden/src/agents/schedule/slot-commits.ts",
        from: ': slots.map((slot): Write => ({ kind: "insert",',
        to: ': slots.map((slot): Write => ({ kind: "put",',
      },
    ],
    first: "seeds",
  },
  {
    name: "every missed slot is caught up, whatever the rule",
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
    name: "a late slot fires although the rule is to skip it",
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
    name: "a job fires while its previous run is open",
    rule: "jobs",
    edits: [
      {
        file: "warden/src/agents/schedule/firing.ts",
        from: "if (unfinished.length > 0) return",
        to: "if (unfinished.length < 0) return",
      },
    ],
    first: "seeds",
  },
  {
    name: "a slot that was due before an edit has no fate",
    rule: "jobs",
    edits: [
      {
        file: "warden/src/agents/schedule/job-rows.ts",
        from: "if (row !== undefined && isDue(row)) {",
        to: "if (row !== undefined && isDue(row) && row.version < 0) {",
      },
    ],
    first: "seeds",
    tests: "warden/src/agents/schedule/house-schedule.test.ts",
  },
  {
    name: "a slot gets a second fate after the clock was set back",
    rule: "jobs",
    edits: [
      {
        file: "warden/src/agents/schedule/next-slot.ts",
        from: "if (hasRun(row) || row.through <= from) keptRows.push(row);",
        to: "if (row.through <= 0) keptRows.push(row);",
      },
    ],
    first: "seeds",
    tests: "warden/src/agents/schedule/histories.test.ts",
  },
  {
    name: "a paused job continues to fire",
    rule: "jobs",
    edits: [{ file: "warden/src/agents/schedule/job-rows.ts", from: 'if (terms.paused) return "paused";', to: "" }],
    first: "seeds",
  },
  {
    name: "slots that an earlier daemon fired are not watched",
    rule: "jobs",
    edits: [{ file: "warden/src/agents/schedule/schedule-run.ts", from: "    await ends.load();\n", to: "" }],
    first: "seeds",
  },
];
