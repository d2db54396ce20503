/** Mutants of what stands between an inmate and the house: an inmate that somebody took over notices what is missing. */
import type { Mutant } from "./mutant.ts";

const hostile = "warden/src/warden-with-hostile.test.ts";

export const mutantsOfCells: readonly Mutant[] = [
  {
    name: "steps are taken in any order",
    rule: "cells",
    edits: [
      { file: "warden/src/turns/queue/step-order.ts", from: "if (step !== next) throw", to: "if (step < 0) throw" },
    ],
    tests: hostile,
  },
  {
    name: "after a restart another call is made in place of the one that was begun",
    rule: "cells",
    edits: [
      {
        file: "warden/src/turns/queue/step-order.ts",
        from: "if (before !== undefined && (",
        to: "if (before === known && (",
      },
    ],
    tests: hostile,
  },
  {
    name: "a model is asked as often as the inmate likes",
    rule: "cells",
    edits: [
      { file: "warden/src/turns/queue/step-order.ts", from: "if (rounds >= input.maxRounds)", to: "if (rounds < 0)" },
    ],
    tests: "warden/src/turns/queue/step-order.test.ts",
  },
  {
    name: "calls are made that no model made",
    rule: "cells",
    edits: [{ file: "warden/src/turns/queue/step-order.ts", from: "if (calls === 0)", to: "if (calls === Infinity)" }],
    tests: "warden/src/turns/queue/step-order.test.ts",
  },
  {
    name: "a reply is taken while a call runs, or was left begun",
    rule: "cells",
    edits: [{ file: "warden/src/turns/queue/step-order.ts", from: "if (running > 0 ||", to: "if (running < 0 &&" }],
    tests: "warden/src/turns/queue/step-order.test.ts",
  },
  {
    name: "a call ends that was never let go on",
    rule: "cells",
    edits: [
      {
        file: "warden/src/turns/run/tool-steps.ts",
        from: "if (run === undefined)\n        throw",
        to: "if (run === undefined)\n        return settle(journal.done(lease, activation, step, writeToolStep({ text: said, failed })));\n      if (run === (said as unknown))\n        throw",
      },
    ],
    tests: hostile,
  },
  {
    name: "what an inmate asks for is given to it",
    rule: "cells",
    edits: [{ file: "warden/src/turns/run/tool-steps.ts", from: "granted: input.tools,", to: "granted: [call.name]," }],
    tests: hostile,
  },
  {
    name: "a model is offered what the inmate says",
    rule: "cells",
    edits: [
      {
        file: "warden/src/turns/run/run.ts",
        from: "tools: allowed(frame.tools, options).map",
        to: "tools: frame.tools.filter(isToolName).map",
      },
    ],
    tests: hostile,
  },
  {
    name: "an inmate that says nothing is waited for",
    rule: "cells",
    edits: [
      {
        file: "warden/src/turns/queue/silence-timeout.ts",
        from: "if (leftMs > 0) continue;",
        to: "if (leftMs > -Infinity) continue;",
      },
    ],
    tests: "warden/src/turns/queue/silence-timeout.test.ts",
  },
  {
    name: "what the inmate claims to be is believed",
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
    name: "what nobody reads piles up",
    rule: "cells",
    edits: [{ file: "warden/src/cells/cell-leases.ts", from: "cellLease.unread > MAX_UNREAD ||", to: "" }],
    tests: "warden/src/cells/inmate-reader.test.ts",
  },
  {
    name: "an inmate is heard whatever it says to nobody",
    rule: "cells",
    edits: [{ file: "warden/src/cells/inmate-reader.ts", from: "strays.spend(sizeOf(frame));", to: "continue;" }],
    tests: "warden/src/cells/inmate-reader.test.ts",
  },
  {
    name: "nobody else has a turn while an inmate talks",
    rule: "cells",
    edits: [{ file: "warden/src/cells/inmate-reader.ts", from: "    await clock.turn();\n", to: "" }],
    tests: "warden/src/cells/inmate-reader.test.ts",
  },
  {
    name: "one more cell is always possible",
    rule: "cells",
    edits: [{ file: "warden/src/cells/cell-slots.ts", from: "if (taken >= most) return undefined;", to: "" }],
    tests: "warden/src/cells/pool-limit.test.ts",
  },
  {
    name: "whoever has many rooms has all the turns",
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
    name: "a cell that dies is opened again at once, however often",
    rule: "cells",
    edits: [
      { file: "warden/src/cells/pool.ts", from: "if (!isAsked) backOff.failed(", to: "if (isAsked) backOff.failed(" },
    ],
    tests: "warden/src/cells/pool-limit.test.ts",
  },
];
