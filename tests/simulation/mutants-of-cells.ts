/** Mutants of the checks on inmates. Tests with a hostile inmate notice when a check is missing. */
import type { Mutant } from "./mutant.ts";

const hostile = "warden/tests/cells/hostile.test.ts";

export const mutantsOfCells: readonly Mutant[] = [
  {
    name: "steps are accepted in any order",
    rule: "cells",
    edits: [
      { file: "warden/src/turns/queue/step-order.ts", from: "if (step !== nextStep) throw", to: "if (step < 0) throw" },
    ],
    tests: hostile,
  },
  {
    name: "after a restart another call replaces the interrupted one",
    rule: "cells",
    edits: [
      {
        file: "warden/src/turns/queue/step-order.ts",
        from: "journaledStep !== undefined &&\n      (",
        to: "journaledStep === journaledSteps &&\n      (",
      },
    ],
    tests: hostile,
  },
  {
    name: "the rounds of an inmate are not limited",
    rule: "cells",
    edits: [
      { file: "warden/src/turns/queue/step-order.ts", from: "if (rounds >= input.maxRounds)", to: "if (rounds < 0)" },
    ],
    tests: "warden/src/turns/queue/step-order.test.ts",
  },
  {
    name: "the inmate can make calls that no model requested",
    rule: "cells",
    edits: [
      {
        file: "warden/src/turns/queue/step-order.ts",
        from: "if (unrequestedCalls === 0)",
        to: "if (unrequestedCalls === Infinity)",
      },
    ],
    tests: "warden/src/turns/queue/step-order.test.ts",
  },
  {
    name: "a reply is accepted while a call is open",
    rule: "cells",
    edits: [{ file: "warden/src/turns/queue/step-order.ts", from: "if (running > 0 ||", to: "if (running < 0 &&" }],
    tests: "warden/src/turns/queue/step-order.test.ts",
  },
  {
    name: "a call ends that was never released",
    rule: "cells",
    edits: [
      {
        file: "warden/src/turns/run/tool-steps.ts",
        from: "if (run === undefined)\n        throw",
        to: "if (run === undefined)\n        return onWrite(journal.endStep(lease, activation, step, writeToolStep({ text: rawText, failed })));\n      if (run === (rawText as unknown))\n        throw",
      },
    ],
    tests: hostile,
  },
  {
    name: "the inmate is granted every tool that it asks for",
    rule: "cells",
    edits: [{ file: "warden/src/turns/run/tool-steps.ts", from: "granted: input.tools,", to: "granted: [call.name]," }],
    tests: hostile,
  },
  {
    name: "the model is offered every tool that the inmate names",
    rule: "cells",
    edits: [
      {
        file: "warden/src/turns/run/model-steps.ts",
        from: "Object.hasOwn(table, name) && input.tools.includes(name)",
        to: "Object.hasOwn(table, name)",
      },
    ],
    tests: hostile,
  },
  {
    name: "a silent inmate never times out",
    rule: "cells",
    edits: [
      {
        file: "warden/src/turns/queue/silence-timeout.ts",
        from: "if (remainingMs > 0) continue;",
        to: "if (remainingMs > -Infinity) continue;",
      },
    ],
    tests: "warden/src/turns/queue/silence-timeout.test.ts",
  },
  {
    name: "the scope that the inmate claims is not checked",
    rule: "cells",
    edits: [
      {
        file: "warden/src/cells/cell-leases.ts",
        from: "if (!isSameScope(cellLease.scope, frame)) throw",
        to: "if (frame.id < 0) throw",
      },
    ],
    tests: "warden/src/cells/pool.test.ts",
  },
  {
    name: "unread frames are not limited",
    rule: "cells",
    edits: [{ file: "warden/src/cells/cell-leases.ts", from: "cellLease.unreadCount > MAX_UNREAD ||", to: "" }],
    tests: "warden/src/cells/inmate-reader.test.ts",
  },
  {
    name: "frames without a cell lease are not limited",
    rule: "cells",
    edits: [
      { file: "warden/src/cells/inmate-reader.ts", from: "unroutedLimit.record(sizeOf(frame));", to: "continue;" },
    ],
    tests: "warden/src/cells/inmate-reader.test.ts",
  },
  {
    name: "the reader of an inmate never yields to other work",
    rule: "cells",
    edits: [{ file: "warden/src/cells/inmate-reader.ts", from: "    await clock.turn();\n", to: "" }],
    tests: "warden/src/cells/inmate-reader.test.ts",
  },
  {
    name: "the number of cells is not limited",
    rule: "cells",
    edits: [
      { file: "warden/src/cells/cell-slots.ts", from: "if (takenCount >= maxSlots()) return undefined;", to: "" },
    ],
    tests: "warden/src/cells/pool-limit.test.ts",
  },
  {
    name: "an agent with many rooms takes all cells",
    rule: "cells",
    edits: [
      {
        file: "warden/src/cells/cell-slots.ts",
        from: "    queues.delete(agent);\n    if (queue.length > 0)",
        to: "    if (queue.length === 0) queues.delete(agent);\n    else",
      },
    ],
    tests: "warden/src/cells/pool-limit.test.ts",
  },
  {
    name: "a cell that dies repeatedly is reopened without backoff",
    rule: "cells",
    edits: [
      {
        file: "warden/src/cells/pool.ts",
        from: "if (!isAsked) backoff.recordFailure(",
        to: "if (isAsked) backoff.recordFailure(",
      },
    ],
    tests: "warden/src/cells/pool-limit.test.ts",
  },
];
