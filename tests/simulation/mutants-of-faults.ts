/** Mutants that only the houses of a fault family detect. Each names its family. */
import type { Mutant } from "./mutant.ts";

export const mutantsOfFaults: readonly Mutant[] = [
  {
    name: "a step starts before the large answer that requested it is stored",
    rule: "faults",
    edits: [
      {
        file: "warden/src/kernel/journal/journal.ts",
        from: "    const ends = await order.guardsAfter(activation, step);\n    const allGuards = [guard,",
        to: "    const ends: readonly Guard[] = [];\n    const allGuards = [guard,",
      },
    ],
    families: "large-bodies",
    only: "large-bodies",
  },
  {
    name: "a step starts although the fsync of the answer that requested it failed",
    rule: "faults",
    edits: [
      {
        file: "warden/src/kernel/journal/step-order.ts",
        from: "      await Promise.all(ends.map(([, { queued }]) => queued));\n      return ends.map(",
        to: "      await Promise.all(ends.map(([, { queued }]) => queued));\n      return ends.slice(0, 0).map(",
      },
    ],
    families: "failed-fsync",
    only: "failed-fsync",
  },
  {
    name: "an activation is given up after a few deaths despite progress",
    rule: "faults",
    edits: [
      {
        file: "warden/src/turns/recovery/retry-policy.ts",
        from: "export const MAX_DAEMON_DEATHS = 10;",
        to: "export const MAX_DAEMON_DEATHS = 3;",
      },
    ],
    families: "dying-turns",
    only: "dying-turns",
  },
  {
    name: "steps outlive their turn by a month",
    rule: "faults",
    edits: [
      {
        file: "warden/src/kernel/journal/retention.ts",
        from: '        ...ids.map((activation) => ({ kind: "delete", table: "steps", where: { activation } }) as const),\n',
        to: "",
      },
    ],
    families: "retention",
    only: "retention",
  },
  {
    name: "the sweep of unnamed blobs does not read the inputs of turns",
    rule: "faults",
    edits: [
      {
        file: "warden/src/kernel/journal/orphaned-blobs.ts",
        from: "  if (!(await dropReferencedByInputs(options, candidates))) return { count: 0, sizeBytes: 0 };\n",
        to: "",
      },
    ],
    families: "retention",
  },
  {
    name: "the sweep of unnamed blobs removes every old blob",
    rule: "faults",
    edits: [
      {
        file: "warden/src/kernel/journal/orphaned-blobs.ts",
        from: "if (!referenced.has(hash)) candidates.set(hash, sizeBytes);",
        to: "if (!referenced.has(hash) || sizeBytes > 0) candidates.set(hash, sizeBytes);",
      },
      {
        file: "warden/src/kernel/journal/orphaned-blobs.ts",
        from: "  for (const hash of await findReferencedBodies(store, candidates.keys())) candidates.delete(hash);\n",
        to: "",
      },
    ],
    families: "retention",
  },
  {
    name: "updates and deliveries are deleted as soon as they are finished",
    rule: "faults",
    edits: [
      {
        file: "warden/src/kernel/journal/retention.ts",
        from: "oldestOf(Math.max(days.deliveryDays * DAY_MS, activationMs))",
        to: "oldestOf(0 * Math.max(days.deliveryDays, activationMs))",
      },
    ],
    families: "retention",
  },
  {
    name: "an update ages by the clock of its platform",
    rule: "faults",
    edits: [
      {
        file: "warden/src/kernel/store/tables/channels.ts",
        from: 'retention: { setting: "deliveryDays", since: "received_at" }',
        to: 'retention: { setting: "deliveryDays", since: "at" }',
      },
    ],
    families: "retention",
  },
  {
    name: "the last slot of a job is deleted like the others",
    rule: "faults",
    edits: [
      {
        file: "warden/src/kernel/journal/prune.ts",
        from: "  return laterRows.length === 0;",
        to: "  return laterRows.length < 0;",
      },
    ],
    families: "retention",
  },
  {
    name: "audit rows are removed before a commit names their segment",
    rule: "faults",
    edits: [
      {
        file: "warden/src/kernel/audit/archive.ts",
        from: "  const { kind } = await audited.commit({",
        to: '  await store.commit({ writes: [{ kind: "trim", table: "events", where: { stream: `audit:${house}` }, through: row.through }] });\n  const { kind } = await audited.commit({',
      },
    ],
    families: "retention",
  },
  {
    name: "the sweep of unnamed blobs removes the segments of the audit log",
    rule: "faults",
    edits: [
      {
        file: "warden/src/kernel/store/tables/kernel.ts",
        from: '      audit_segments_blob: { on: ["blob"] },\n    },\n    blob: { column: "blob" },',
        to: '      audit_segments_blob: { on: ["blob"] },\n    },',
      },
    ],
    families: "retention",
  },
  {
    name: "a crash during the archive leaves its rows in the database",
    rule: "faults",
    edits: [
      {
        file: "warden/src/kernel/audit/archive.ts",
        from: "    await removeArchived(options, house, signal);\n    for (;;) {",
        to: "    for (;;) {",
      },
    ],
    families: "retention",
  },
  {
    name: "an upload is acknowledged before its offset is stored",
    rule: "faults",
    edits: [
      {
        file: "warden/src/people/uploads/house-uploads.ts",
        from: '        const { kind } = await store.commit({\n          guards: [{ kind: "exists", table: "uploads", where: { id, offset, state: "open" } }],',
        to: '        const kind: string = "committed";\n        void store.commit({\n          guards: [{ kind: "exists", table: "uploads", where: { id, offset, state: "open" } }],',
      },
    ],
    families: "uploads",
    only: "uploads",
  },
  {
    name: "a resumed turn loses the pictures of its tool results",
    rule: "faults",
    edits: [
      {
        file: "warden/src/turns/run/tool-steps.ts",
        from: "answer(step, call, text, failed, parts, cites);",
        to: "answer(step, call, text, failed);",
      },
    ],
    families: "uploads",
  },
  {
    name: "the picture of a tool result has no row",
    rule: "faults",
    edits: [
      {
        file: "warden/src/turns/run/tool-steps.ts",
        from: ", ...filesOfStep(activation, step, stepFiles.parts)];",
        to: "];",
      },
    ],
    families: "uploads",
  },
  {
    name: "the file of a reply is stored without its step",
    rule: "faults",
    edits: [
      {
        file: "warden/src/agents/tools/reply-files/attach.ts",
        from: "sameCommit: { guards: plan.guards, writes: plan.writes, events: [] },",
        to: "",
      },
    ],
    families: "uploads",
  },
  {
    name: "a turn without a reply keeps its files attached",
    rule: "faults",
    edits: [
      {
        file: "warden/src/turns/run/endings/end-messages.ts",
        from: "const removal = files.length === 0 ? [] : (await uploads.planRemoval(replyIdOf(world.ids, row.id))).writes;",
        to: "const removal = files.length === 0 ? [] : (await uploads.planRemoval(replyIdOf(world.ids, row.id))).writes.slice(0, 0);",
      },
    ],
    families: "uploads",
  },
  {
    name: "a model reads a transcript before it is stored",
    rule: "faults",
    edits: [
      {
        file: "warden/src/agents/voice/transcripts.ts",
        from: "await keep(room, newRow);",
        to: "void keep(room, newRow);",
      },
    ],
    families: "voice-notes",
    only: "voice-notes",
  },
  {
    name: "two turns send the same voice note to the transcriber",
    rule: "faults",
    edits: [
      {
        file: "warden/src/agents/single-flight.ts",
        from: "const currentFlight = flights.get(key);",
        to: "const currentFlight = flights.get(`another ${key}`);",
      },
    ],
    families: "voice-notes",
  },
  {
    name: "a transcript is stored after its message was deleted",
    rule: "faults",
    edits: [
      {
        file: "warden/src/agents/voice/transcripts.ts",
        from: 'guards: [{ kind: "exists", table: "attachments", where: { room, upload: row.upload } }],',
        to: "guards: [],",
      },
    ],
    families: "voice-notes",
  },
  {
    name: "a message names an upload that is not complete",
    rule: "faults",
    edits: [
      {
        file: "warden/src/people/uploads/message-attachments.ts",
        from: "if (attachment === undefined) throw incompleteUploadError(row);",
        to: "if (attachment === undefined) continue;",
      },
    ],
    families: "uploads",
  },
  {
    name: "an attachment can be read after its message was deleted",
    rule: "faults",
    edits: [
      {
        file: "warden/src/people/rooms/house-rooms.ts",
        from: "commitChange(removalOf(id), event, writes);",
        to: "commitChange(removalOf(id), event, writes.slice(0, 0));",
      },
    ],
    families: "uploads",
  },
  {
    name: "the sweep removes uploads that messages name",
    rule: "faults",
    edits: [
      {
        file: "warden/src/people/uploads/message-attachments.ts",
        from: '{ kind: "update", table: "uploads", where: { id, house: row.house }, set: { state: "named" } },',
        to: "",
      },
      {
        file: "warden/src/people/uploads/upload-sweep.ts",
        from: '        { kind: "absent", table: "attachments", where: { upload: id } },\n',
        to: "",
      },
    ],
    families: "uploads,retention",
  },
  {
    name: "an erased content stays the base of others",
    rule: "faults",
    edits: [
      {
        file: "warden/src/agents/brains/erase.ts",
        from: "const hashesToStore = new Set([...newContents.keys(), ...orphanedDeltas.map(({ hash }) => hash)]);",
        to: "const hashesToStore = new Set([...newContents.keys(), ...orphanedDeltas.slice(orphanedDeltas.length).map(({ hash }) => hash)]);",
      },
    ],
    families: "forgetting",
  },
  {
    name: "a secret is stored in plain text",
    rule: "faults",
    edits: [
      {
        file: "warden/src/policy/secrets/envelope.ts",
        from: "sealed: await seal(dataKey, new TextEncoder().encode(value), sealName(context)),",
        to: "sealed: value,",
      },
    ],
    families: "vault",
    only: "vault",
  },
  {
    name: "an input of an older release ends its turn",
    rule: "faults",
    edits: [
      {
        file: "warden/src/agents/context/frozen.ts",
        from: "Frozen.parse(frozenVersions.read(JSON.parse(text), start));",
        to: "Frozen.parse(JSON.parse(text));",
      },
    ],
    families: "older-release",
    only: "older-release",
  },
  {
    name: "one lost blob fails every read of its room",
    rule: "faults",
    edits: [
      {
        file: "warden/src/kernel/streams/durable.ts",
        from: '      if (!isHearthError(error, "store.damaged")) throw error;\n      reportDamage(row, error);',
        to: "      throw error;",
      },
    ],
    families: "lost-blobs",
    only: "lost-blobs",
  },
  {
    name: "a text whose blob the disk refused is stored as a name alone",
    rule: "faults",
    edits: [
      {
        file: "warden/src/kernel/store/bodies.ts",
        from: "blob: await blobs.put(bytes) };",
        to: 'blob: await blobs.put(bytes).catch(() => "0".repeat(64)) };',
      },
    ],
    families: "half-full-disk,large-bodies",
    only: "half-full-disk",
  },
  {
    name: "a finished model call is made again after a restart",
    rule: "faults",
    edits: [
      {
        file: "warden/src/turns/run/model-steps.ts",
        from: 'if (journaledStep?.kind !== "model" || journaledStep.output === undefined)',
        to: 'if (journaledStep?.kind !== "model" || journaledStep.output !== "")',
      },
    ],
    families: "fickle-model",
    only: "fickle-model",
  },
  {
    name: "the first part of a frame is dropped when the rest has not arrived",
    rule: "faults",
    edits: [
      {
        file: "protocol/src/link/codec.ts",
        from: "      pendingBytes = pendingBytes.subarray(offset);",
        to: "      pendingBytes = new Uint8Array(0);",
      },
    ],
    families: "cut-frames",
    only: "cut-frames",
  },
  {
    name: "the holder of a lease trusts its own clock instead of its fence",
    rule: "faults",
    edits: [
      {
        file: "warden/src/kernel/journal/leases.ts",
        from: '      guard: { name: "lease", kind: "exists", table: "leases", where: { name, fence } },',
        to: '      get guard() {\n        const where = this.hasExpired() ? { name, fence } : { name };\n        return { name: "lease", kind: "exists", table: "leases", where };\n      },',
      },
    ],
    families: "own-clocks",
    only: "own-clocks",
  },
  {
    name: "a forgotten fact stays in the versions of its file",
    rule: "faults",
    edits: [
      {
        file: "warden/src/agents/brains/erase.ts",
        from: '    for (const { hash } of unreferenced) writes.push({ kind: "delete", table: "brain_bodies", where: { agent, hash } });\n',
        to: "",
      },
    ],
    families: "forgetting",
    only: "forgetting",
  },
  {
    name: "a search fails while the memory process is unavailable",
    rule: "faults",
    edits: [
      {
        file: "warden/src/agents/memory/fallback-memory.ts",
        from: "      await attempt(async (index) => {\n        answer = await index.recall(question);\n      });",
        to: "      answer = await main.recall(question);",
      },
    ],
    families: "memory-process",
    only: "memory-process",
  },
  {
    name: "a request is in the ledger only when it has ended",
    rule: "faults",
    edits: [
      {
        file: "warden/src/cells/egress/ledger.ts",
        from: "begin: (entry) => put({ ...entry, ...INTERRUPTED }),",
        to: "begin: async () => {},",
      },
    ],
    families: "egress",
    only: "egress",
  },
  {
    name: "a house whose disk is an older copy starts work without a decision",
    rule: "faults",
    edits: [
      {
        file: "warden/src/kernel/audit/restore-findings.ts",
        from: "isOnHold: () => openFindings.length > 0,",
        to: "isOnHold: () => openFindings.length > 9,",
      },
    ],
    families: "older-copy",
    only: "older-copy",
  },
  {
    name: "a text whose blob is slow to read counts as missing",
    rule: "faults",
    edits: [
      {
        file: "warden/src/kernel/store/bodies.ts",
        from: "body.blob === null ? undefined : await blobs.get(body.blob);",
        to: "body.blob === null ? undefined : await Promise.race([blobs.get(body.blob), new Promise<undefined>((resolve) => void setImmediate(() => resolve(undefined)))]);",
      },
    ],
    families: "slow-blobs,large-bodies",
    only: "slow-blobs",
  },
  {
    name: "a message with files whose commit had an unknown outcome is never acknowledged",
    rule: "faults",
    edits: [
      {
        file: "warden/src/people/rooms/post-with-files.ts",
        from: "    if (existingMessage !== undefined) return existingMessage as StoredMessage;\n",
        to: "",
      },
    ],
    families: "unknown-commit,uploads",
    only: "unknown-commit",
  },
];
