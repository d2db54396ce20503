/** Mutants of activations up to the reply: rules 0 to 5 of the engine's protocol. */
import type { Mutant } from "./mutant.ts";

export const mutantsOfTurns: readonly Mutant[] = [
  {
    name: "a change is written although its guards fail",
    rule: 0,
    edits: [
      {
        file: "warden/src/kernel/streams/durable.ts",
        from: "store.commit({ ...commitOptions, writes: [...writes, ...appends] })",
        to: "store.commit({ writes: [...writes, ...appends] })",
      },
    ],
    tests: "warden/src/kernel/streams/durable.test.ts",
  },
  {
    name: "rows and events are two commits",
    rule: 0,
    edits: [
      {
        file: "warden/src/kernel/streams/durable.ts",
        from: "const result = await store.commit({ ...commitOptions, writes: [...writes, ...appends] });",
        to: 'const first = await store.commit({ ...commitOptions, writes });\n    if (first.kind !== "committed") return first;\n    const result = await store.commit({ writes: appends });',
      },
    ],
  },
  {
    name: "an update is acknowledged before it is stored",
    rule: 1,
    edits: [
      {
        file: "warden/src/channels/inbound/follow-channel.ts",
        from: "for await (const { inbound, cursor } of channel.poll(cursorRows[0]?.cursor, signal, reportFailure)) {",
        to: 'for await (const { inbound, cursor } of channel.poll(cursorRows[0]?.cursor, signal, reportFailure)) {\n    await store.commit({ writes: [{ kind: "put", table: "cursors", row: { channel: name, cursor } }] });',
      },
    ],
  },
  {
    name: "a repeated update is stored again",
    rule: 1,
    edits: [
      {
        file: "warden/src/channels/inbound/house-inbound.ts",
        from: "if (await isKnown(channel, inbound.externalId)) return acceptDuplicate(cursor);",
        to: "await isKnown(channel, inbound.externalId);",
      },
      {
        file: "warden/src/channels/inbound/house-inbound.ts",
        from: '{ kind: "insert", table: "inbound", row }, ...writes, ...accepted.writes, ...notice, ...cursor],\n      events',
        to: '{ kind: "put", table: "inbound", row }, ...writes, ...accepted.writes, ...notice, ...cursor],\n      events',
      },
      {
        file: "warden/src/channels/inbound/inbound-event.ts",
        from: 'world.ids.derive("evt", "inbound", channel, inbound.externalId)',
        to: 'world.ids.fresh("evt")',
      },
      {
        file: "warden/src/channels/inbound/inbound-event.ts",
        from: 'if (inbound.kind === "message" || !isSameSender',
        to: "if (!isSameSender",
      },
    ],
    first: "seeds",
  },
  {
    name: "a message is accepted before it is stored",
    rule: 1,
    edits: [
      {
        file: "warden/src/people/rooms/house-rooms.ts",
        from: "const result = await streams.append({ stream: `room:${id}`, id: eventId, event });",
        to: 'void streams.append({ stream: `room:${id}`, id: eventId, event });\n      const result = { kind: "appended", offset: 1 } as Awaited<ReturnType<typeof streams.append>>;',
      },
    ],
  },
  {
    name: "a message that is sent again is stored twice",
    rule: 1,
    edits: [
      {
        file: "warden/src/people/rooms/house-rooms.ts",
        from: "idempotencyKey === undefined ? world.ids.fresh",
        to: 'idempotencyKey !== "" ? world.ids.fresh',
      },
    ],
  },
  {
    name: "the id of an activation does not derive from its message",
    rule: 2,
    edits: [
      {
        file: "warden/src/kernel/journal/activation.ts",
        from: 'world.ids.derive("act", cause, agent)',
        to: 'world.ids.fresh("act")',
      },
    ],
    tests: "warden/src/kernel/journal/activation.test.ts",
  },
  {
    name: "the reader's offset is stored before its activations",
    rule: 2,
    edits: [
      {
        file: "warden/src/turns/dispatch/dispatch.ts",
        from: "const result = await store.commit({",
        to: 'await store.commit({ writes: [{ kind: "put", table: "readers", row: { reader: READER, stream, offset } }] });\n    const result = await store.commit({',
      },
    ],
  },
  {
    name: "a message that is read again wakes the agent again",
    rule: 2,
    edits: [
      {
        file: "warden/src/turns/dispatch/dispatch.ts",
        from: 'kind: "insert", table: "activations", row',
        to: 'kind: "put", table: "activations", row',
      },
      {
        file: "warden/src/turns/dispatch/dispatch.ts",
        from: "guards: [positionGuard(stream, progress.stored), ...plan.guards],",
        to: "guards: progress.stored < 0 ? [] : [...plan.guards],",
      },
    ],
    first: "seeds",
  },
  {
    name: "bots that pass their gates concurrently are not counted in order",
    rule: "rest",
    edits: [
      {
        file: "warden/src/turns/dispatch/gates/gates.ts",
        from: "guards: [waitingGuard(current), lease.guard, plannedReply.guard],",
        to: "guards: [waitingGuard(current), lease.guard],",
      },
    ],
    tests: "warden/tests/turns/at-rest.test.ts",
  },
  {
    name: "the chain limits apply to messages of people",
    rule: "rest",
    edits: [
      {
        file: "warden/src/turns/dispatch/who-wakes.ts",
        from: "origin.depth > 0 && (await isAtReplyLimit(origin.root))",
        to: "(await isAtReplyLimit(origin.root))",
      },
    ],
    tests: "warden/tests/turns/at-rest.test.ts",
  },
  {
    name: "a debounced activation is replaced whatever its state",
    rule: "rest",
    edits: [
      {
        file: "warden/src/turns/dispatch/gates/debounce.ts",
        from: 'where: { id, state: "queued", ready_at, fence: 0 },',
        to: "where: { id },",
      },
    ],
    tests: "warden/src/turns/dispatch/gates/debounce.test.ts",
  },
  {
    name: "two activations of one lane run at once",
    rule: 3,
    edits: [
      {
        file: "warden/src/turns/queue/activation-queues.ts",
        from: "if (workByLane.has(lane) || !canStart(queue)) return;",
        to: "if (!canStart(queue)) return;",
      },
    ],
  },
  {
    name: "the journal is written without the lease",
    rule: 3,
    edits: [
      {
        file: "warden/src/kernel/journal/journal.ts",
        from: "store.commit({ ...commitOptions, guards: [guard], writes: allWrites })",
        to: "store.commit({ ...commitOptions, guards: guard === undefined ? [] : [], writes: allWrites })",
      },
    ],
    tests: "warden/src/kernel/journal/journal.test.ts",
  },
  {
    name: "a lease is taken from its holder",
    rule: 3,
    edits: [
      {
        file: "warden/src/kernel/journal/leases.ts",
        from: "const fence = (row?.fence ?? 0) + 1;",
        to: "const fence = row?.fence ?? 1;",
      },
    ],
    tests: "warden/src/kernel/journal/leases.test.ts",
  },
  {
    name: "the end of an activation checks neither the lease nor the state",
    rule: 3,
    edits: [
      {
        file: "warden/src/turns/run/endings/endings.ts",
        from: '      { name: "open", kind: "exists", table: "activations", where: { id: row.id, ended_at: null } },\n      ...(lease === undefined ? [] : [lease.guard]),',
        to: "",
      },
      {
        file: "warden/src/turns/run/endings/end-messages.ts",
        from: "const id = replyIdOf(world.ids, row.id);\n    const events",
        to: 'const id = world.ids.fresh("evt");\n    const events',
      },
    ],
    tests: "warden/tests/turns/replaced.test.ts",
  },
  {
    name: "recovery ignores the journal",
    rule: 4,
    edits: [
      {
        file: "warden/src/turns/queue/lifecycle.ts",
        from: "return { ...start, isResumed: true, startCommitted };",
        to: "return { ...start, isResumed: false, startCommitted };",
      },
    ],
  },
  {
    name: "recovery does not use the frozen input",
    rule: 4,
    edits: [
      {
        file: "warden/src/turns/queue/lifecycle.ts",
        from: "const start = await context.thaw(row, body, audience);",
        to: "const start = await context.freeze({ ...row, cause_offset: row.cause_offset + 10 }, agent, audience);\n      if (start === undefined) return undefined;",
      },
    ],
    first: "seeds",
  },
  {
    name: "merged messages are not journaled",
    rule: 4,
    edits: [
      {
        file: "warden/src/kernel/journal/journal.ts",
        from: "writes: [write, ...lease.renewal()] };",
        to: "writes: [...(write === undefined ? [write] : []), ...lease.renewal()] };",
      },
    ],
  },
  {
    name: "a tool runs before its row is in the journal",
    rule: 5,
    edits: [
      {
        file: "warden/src/turns/run/tool-steps.ts",
        from: "(sameCommit) => journal.startStep(lease, start, sameCommit),",
        to: "async (sameCommit) => void journal.startStep(lease, start, sameCommit),",
      },
    ],
    first: "seeds",
  },
  {
    name: "the start of a call with an effect can be lost in a power failure",
    rule: 5,
    edits: [
      {
        file: "warden/src/kernel/journal/journal.ts",
        from: 'step.effect === "pure" ? ({ isReproducible: true } as const) : {}',
        to: "{ isReproducible: true } as const",
      },
    ],
    first: "seeds",
  },
  {
    name: "the end of a call with an effect can be lost in a power failure",
    rule: 5,
    edits: [
      {
        file: "warden/src/kernel/journal/journal.ts",
        from: 'effect === "pure" && writes.length === 0',
        to: "effect !== undefined && writes.length === 0",
      },
    ],
    tests: "warden/src/kernel/journal/journal.test.ts",
  },
  {
    name: "a cell repeats the requests of the first rounds",
    rule: 5,
    edits: [
      { file: "warden/src/turns/run/run.ts", from: "toCellInput(input), answers });", to: "toCellInput(input) });" },
    ],
    tests: "warden/tests/turns/first-rounds.test.ts",
  },
  {
    name: "a reply without tool calls does not wait for the beginning of its turn",
    rule: 6,
    edits: [{ file: "warden/src/turns/run/first-rounds.ts", from: "if (state.step > 0) await untilReady();", to: "" }],
    tests: "warden/src/turns/run/first-rounds.test.ts",
  },
  {
    name: "a first round continues after a stop",
    rule: "stop",
    edits: [
      {
        file: "warden/src/turns/run/first-rounds.ts",
        from: 'if (signal.aborted) return { kind: "stopped" };\n    if (decision.kind',
        to: "if (decision.kind",
      },
    ],
    tests: "warden/src/turns/run/first-rounds.test.ts",
  },
  {
    name: "a model is asked before its row is in the journal",
    rule: 5,
    edits: [
      {
        file: "warden/src/turns/run/model-steps.ts",
        from: "      (sameCommit) =>\n        journal.startStep(",
        to: "      async (sameCommit) =>\n        void journal.startStep(",
      },
    ],
    first: "seeds",
  },
  {
    name: "a plain call with an unknown outcome is made again",
    rule: 5,
    edits: [
      {
        file: "warden/src/turns/run/tool-steps.ts",
        from: 'new Set(["pure", "keyed", "reconcilable"])',
        to: 'new Set(["pure", "keyed", "reconcilable", "plain"])',
      },
    ],
  },
  {
    name: "a keyed call with an unknown outcome is given up",
    rule: 5,
    edits: [
      {
        file: "warden/src/turns/run/tool-steps.ts",
        from: 'new Set(["pure", "keyed", "reconcilable"])',
        to: 'new Set(["pure", "reconcilable"])',
      },
    ],
  },
  {
    name: "a repeated call has another key",
    rule: 5,
    edits: [
      {
        file: "warden/src/turns/run/tool-steps.ts",
        from: "key: `${activation}/${step}`,",
        to: 'key: `${activation}/${step}/${world.ids.fresh("evt")}`,',
      },
    ],
  },
  {
    name: "a tool does not learn that it may have run before",
    rule: 5,
    edits: [
      {
        file: "warden/src/turns/run/tool-steps.ts",
        from: "again: journaledStep !== undefined, atRoot",
        to: "again: journaledStep === undefined && knownSteps.size < 0, atRoot",
      },
    ],
  },
  {
    name: "the model does not learn that an outcome is unknown",
    rule: 5,
    edits: [
      {
        file: "warden/src/turns/run/tool-steps.ts",
        from: "answer(step, call, OUTCOME_UNKNOWN, true);",
        to: "answer(step, call, OUTCOME_UNKNOWN.slice(0, 9), true);",
      },
    ],
  },
  {
    name: "the journal does not record unknown outcomes",
    rule: 5,
    edits: [
      {
        file: "warden/src/turns/run/tool-steps.ts",
        from: "await journal.markUnknown(lease, activation, step);",
        to: "",
      },
    ],
  },
];
