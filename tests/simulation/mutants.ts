/**
 * Plausible bugs, at least two against each rule of the engine's protocol, which the simulation
 * must detect. If the text of an edit is no longer in its file, adjust the mutant to the changed
 * engine.
 */
import type { Mutant } from "./mutant.ts";
import { mutantsOfCells } from "./mutants-of-cells.ts";
import { mutantsOfFaults } from "./mutants-of-faults.ts";
import { mutantsOfJobs } from "./mutants-of-jobs.ts";
import { mutantsOfCompaction } from "./mutants-of-compaction.ts";
import { mutantsOfTurns } from "./mutants-of-turns.ts";
import { mutantsOfApprovals } from "./mutants-of-approvals.ts";

export const mutants: readonly Mutant[] = [
  ...mutantsOfTurns,
  ...mutantsOfCells,
  ...mutantsOfApprovals,
  ...mutantsOfJobs,
  ...mutantsOfCompaction,
  ...mutantsOfFaults,
  {
    name: "durable commits can be lost in a power failure",
    rule: 0,
    edits: [
      {
        file: "warden/src/kernel/streams/durable.ts",
        from: "store.commit({ ...commitOptions, writes: [...writes, ...appends] })",
        to: "store.commit({ ...commitOptions, isReproducible: true, writes: [...writes, ...appends] })",
      },
    ],
  },
  {
    name: "the end of an activation can be lost in a power failure",
    rule: 2,
    edits: [
      {
        file: "warden/src/turns/dispatch/dispatch.ts",
        from: 'newRows.every(({ state }) => state === "queued") ? { isReproducible: true } : {}',
        to: "{ isReproducible: true as const }",
      },
    ],
    first: "seeds",
  },
  {
    name: "deliveries are stored after the end instead of in its commit",
    rule: 6,
    edits: [
      { file: "warden/src/turns/run/endings/endings.ts", from: "      ...roomChange.writes,\n", to: "" },
      {
        file: "warden/src/turns/run/endings/endings.ts",
        from: "if (roomChange.writes.length + approvalChange.writes.length > 0) outbox.poke();",
        to: "if (roomChange.writes.length > 0) await kernel.store.commit({ writes: roomChange.writes });\n    outbox.poke();",
      },
    ],
  },
  {
    name: "the reply is stored before the end of its activation",
    rule: 6,
    edits: [
      {
        file: "warden/src/turns/run/endings/endings.ts",
        from: "      const result = await streams.commit({\n        guards: [...guards, ...inboxChange.guards],",
        to: "      await streams.commit({ writes: [], events });\n      const result = await streams.commit({\n        guards: [...guards, ...inboxChange.guards],",
      },
      {
        file: "warden/src/turns/run/endings/end-messages.ts",
        from: "const id = replyIdOf(world.ids, row.id);\n    const events",
        to: 'const id = world.ids.fresh("evt");\n    const events',
      },
    ],
  },
  {
    name: "a reply names only the first of the messages that it answers",
    rule: 6,
    edits: [
      {
        file: "warden/src/turns/run/endings/end-messages.ts",
        from: "const causes = await causesOf(row);",
        to: "const causes = (await causesOf(row)).slice(0, 1);",
      },
    ],
    first: "seeds",
  },
  {
    name: "an interrupted delivery is sent again",
    rule: 7,
    edits: [
      {
        file: "warden/src/channels/outbox/deliveries.ts",
        from: "set: afterInterruption(isRepeatable(row, traits)),",
        to: 'set: afterInterruption(isRepeatable(row, traits) || row.id !== ""),',
      },
    ],
  },
  {
    name: "a message is sent before its row says so",
    rule: 7,
    edits: [
      {
        file: "warden/src/channels/outbox/delivery-attempt.ts",
        from: "const claim = await store.commit({",
        to: 'const claim: { kind: string } = { kind: "committed" };\n  void store.commit({',
      },
    ],
    first: "seeds",
  },
  {
    name: "a delivery with an unknown outcome is sent again without a key",
    rule: 7,
    edits: [
      {
        file: "warden/src/channels/outbox/delivery-attempt.ts",
        from: "return isRepeatable(row, traits)\n",
        to: 'return isRepeatable(row, traits) || row.id !== ""\n',
      },
    ],
    first: "seeds",
  },
  {
    name: "the newest message is delivered first",
    rule: 7,
    edits: [
      {
        file: "warden/src/channels/outbox/deliveries.ts",
        from: "return sortInRoomOrder(rows, offsets)[0];",
        to: "return sortInRoomOrder(rows, offsets).at(-1);",
      },
    ],
    first: "seeds",
  },
  {
    name: "only the first of several calls gets a result",
    rule: 8,
    edits: [{ file: "protocol/src/loop/loop.ts", from: "pending: toolCalls,", to: "pending: toolCalls.slice(0, 1)," }],
  },
  {
    name: "a result names another call",
    rule: 8,
    edits: [
      {
        file: "protocol/src/loop/loop.ts",
        from: 'role: "tool", call: call.id,',
        to: 'role: "tool", call: outcome.failed ? `${call.id}?` : call.id,',
      },
    ],
  },
  {
    name: "a message that arrives during a call comes before its result",
    rule: 8,
    edits: [
      {
        file: "protocol/src/loop/loop.ts",
        from: "messages: [...state.messages, ...messages],",
        to: "messages: [...state.messages.slice(0, -1), ...messages, ...state.messages.slice(-1)],",
      },
    ],
    first: "seeds",
  },
  {
    name: "a truncated answer counts as complete",
    rule: 9,
    edits: [
      {
        file: "warden/src/turns/run/model-call.ts",
        from: '      case "error":\n        return tooLong',
        to: '      case "error":\n        if (length > 0) return { kind: "message", message: { role: "assistant", text: "half", toolCalls: [] }, usage: noUsage };\n        return tooLong',
      },
    ],
    first: "seeds",
  },
  {
    name: "waiting requests are not notified of the end",
    rule: 9,
    edits: [
      {
        file: "warden/src/turns/run/outcomes.ts",
        from: "    onOver(id);\n  };",
        to: "  };",
      },
    ],
    first: "seeds",
  },
  {
    name: "stages do not check whether the agent was stopped",
    rule: "stop",
    edits: [
      {
        file: "warden/src/policy/stages.ts",
        from: "effect.signal.aborted || holds.isHeld(effect.agent.id)",
        to: "effect.signal.aborted && holds.isHeld(effect.agent.id)",
      },
      {
        file: "warden/src/turns/run/house-activations.ts",
        from: "({ agent }) => holds.isHeld(agent)",
        to: '({ agent }) => agent === ""',
      },
    ],
    first: "seeds",
  },
  {
    name: "a stop is lost when the daemon restarts",
    rule: "stop",
    edits: [
      {
        file: "warden/src/policy/holds.ts",
        from: '  for (const { scope, by, at } of await store.select({ table: "holds" })) holds.set',
        to: '  for (const { scope, by, at } of (await store.select({ table: "holds" })).slice(0, 0)) holds.set',
      },
    ],
    first: "seeds",
  },
  {
    name: "the word stop wakes the agent",
    rule: "stop",
    edits: [
      {
        file: "warden/src/turns/dispatch/dispatch.ts",
        from: "if (message.job !== undefined || !isStopCommand(message.body.text)) {",
        to: 'if (message.job !== undefined || message.body.text !== "") {',
      },
    ],
    first: "seeds",
  },
];
