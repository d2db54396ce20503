/** Mutants that only the houses of a fault family detect. Each names its family. */
import type { Mutant } from "./mutant.ts";

export const mutantsOfFaults: readonly Mutant[] = [
  {
    name: "a step starts before the large answer that requested it is stored",
    rule: "faults",
    edits: [
      {
        file: "warden/src/kernel/journal/journal.ts",
        from: "    const ends = await order.guardsAfter(activation, step);\n    const all = [guard,",
        to: "    const ends: readonly Guard[] = [];\n    const all = [guard,",
      },
    ],
    families: "large-bodies",
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
  },
  {
    name: "the sweep of unnamed blobs does not read the inputs of turns",
    rule: "faults",
    edits: [
      {
        file: "warden/src/kernel/journal/orphaned-blobs.ts",
        from: "  if (!(await dropFrozen(options, found))) return { count: 0, sizeBytes: 0 };\n",
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
        from: "if (!named.has(hash)) found.set(hash, sizeBytes);",
        to: "if (!named.has(hash) || sizeBytes > 0) found.set(hash, sizeBytes);",
      },
      {
        file: "warden/src/kernel/journal/orphaned-blobs.ts",
        from: "  for (const hash of await bodyNames(store, found.keys())) found.delete(hash);\n",
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
        from: "oldestOf(Math.max(days.deliveryDays * DAY_MS, keptMs))",
        to: "oldestOf(0 * Math.max(days.deliveryDays, keptMs))",
      },
    ],
    families: "retention",
  },
  {
    name: "an update ages by the clock of its platform",
    rule: "faults",
    edits: [
      {
        file: "warden/src/kernel/store/tables/tables.ts",
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
        from: "  return later.length === 0;",
        to: "  return later.length < 0;",
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
      {
        file: "warden/src/kernel/audit/archive.ts",
        from: "  { clock, audited, blobs, segmentRows }: ArchiveOptions,",
        to: "  { clock, store, audited, blobs, segmentRows }: ArchiveOptions,",
      },
    ],
    families: "retention",
  },
  {
    name: "the sweep of unnamed blobs removes the segments of the audit log",
    rule: "faults",
    edits: [
      {
        file: "warden/src/kernel/store/tables/tables.ts",
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
    name: "an erased content stays the base of others",
    rule: "faults",
    edits: [
      {
        file: "warden/src/agents/brains/erase.ts",
        from: "const moving = new Set([...fresh.keys(), ...stays.map(({ hash }) => hash)]);",
        to: "const moving = new Set([...fresh.keys(), ...stays.slice(stays.length).map(({ hash }) => hash)]);",
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
        from: "sealed: await seal(dataKey, new TextEncoder().encode(value), sealName(about)),",
        to: "sealed: value,",
      },
    ],
    families: "vault",
  },
  {
    name: "an input of an older release ends its turn",
    rule: "faults",
    edits: [
      {
        file: "warden/src/agents/context/frozen.ts",
        from: "Frozen.parse(frozenVersions.read(JSON.parse(text), begun));",
        to: "Frozen.parse(JSON.parse(text));",
      },
    ],
    families: "older-release",
  },
];
