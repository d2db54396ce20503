/** Orders test files: the slowest start first, so that none runs alone at the end. */

/** Approximate seconds on two idle cores. Other files take less than five seconds. */
const SECONDS: Readonly<Record<string, number>> = {
  "tests/simulation/simulation.test.ts": 100,
  "tests/simulation/mutants.test.ts": 80,
  "tests/simulation/enumeration.test.ts": 60,
  "packages/warden/src/adapter/bun/cells/qemu/qemu.test.ts": 57,
  "tests/journeys/kills.test.ts": 30,
  "tests/browser/brain.test.ts": 28,
  "tests/peers/durable-streams.test.ts": 40,
  "tests/journeys/forgetting.test.ts": 26,
  "packages/warden/src/adapter/bun/cells/escapes.test.ts": 25,
  // Takes longer, but after `qemu.test.ts` it finds the machine of its size booted.
  "packages/warden/src/adapter/bun/cells/limits.test.ts": 24,
  "tests/browser/approvals.test.ts": 24,
  "tests/browser/jobs.test.ts": 23,
  "tests/browser/hostile.test.ts": 21,
  "tests/journeys/job-kills.test.ts": 21,
  "tests/browser/looks.test.ts": 20,
  "tests/journeys/heartbeats.test.ts": 20,
  "tests/journeys/private.test.ts": 18,
  "tests/browser/late-parts.test.ts": 18,
  "tests/browser/chat.test.ts": 17,
  "tests/journeys/audit.test.ts": 16,
  "tests/browser/members.test.ts": 16,
  "packages/cli/src/needs.test.ts": 16,
  "tests/journeys/before-login.test.ts": 14,
  "tests/browser/room-states.test.ts": 14,
  "tests/browser/jobs-heartbeat.test.ts": 13,
  "tests/journeys/security.test.ts": 12,
  "tests/browser/tab-order.test.ts": 12,
  "tests/browser/returning.test.ts": 12,
  "tests/browser/second-thoughts.test.ts": 11,
  "packages/warden/src/adapter/bun/cells/qemu/mark.test.ts": 11,
  "tests/journeys/wires.test.ts": 11,
  "tests/journeys/memory-embedder.test.ts": 10,
  "tests/journeys/secrets.test.ts": 10,
  "tests/journeys/restarts.test.ts": 10,
  "tests/browser/stops.test.ts": 9,
  "packages/memory/src/adapter/bun/memory-process.test.ts": 9,
  "tests/browser/first-run.test.ts": 8,
  "tests/journeys/telegram.test.ts": 8,
  "tests/journeys/egress.test.ts": 8,
  "tests/journeys/full-disk.test.ts": 8,
  "tests/journeys/followers.test.ts": 8,
  "packages/memory/src/retrieval/corpus.test.ts": 8,
  "tests/browser/other-model.test.ts": 7,
  "tests/journeys/starts.test.ts": 7,
  "packages/warden/src/http/needs.test.ts": 7,
  "packages/warden/src/kernel/streams/bytes/byte-streams.test.ts": 7,
  "tests/journeys/memory.test.ts": 7,
  "packages/warden/src/adapter/bun/cells/landlock.test.ts": 7,
  "tests/journeys/newcomer.test.ts": 7,
  "tests/journeys/people.test.ts": 7,
  "tests/journeys/stop.test.ts": 7,
  "tests/journeys/bad-input.test.ts": 6,
  "tests/browser/long-room.test.ts": 6,
  "tests/journeys/logins.test.ts": 6,
  "packages/ui/src/text/hostile.test.tsx": 6,
  "tests/journeys/external-agent.test.ts": 6,
  "packages/warden/src/adapter/bun/power.test.ts": 5,
  "packages/warden/src/kernel/store/full-disk.test.ts": 5,
  "packages/memory/src/adapter/bun/sqlite-index.test.ts": 5,
  "packages/warden/src/adapter/bun/cells/bubblewrap.test.ts": 5,
  "tests/journeys/readers.test.ts": 5,
  "scripts/setup.test.ts": 5,
  "tests/browser/long-names.test.ts": 5,
};

export const namedFiles: readonly string[] = Object.keys(SECONDS);

/**
 * Returns timings in the runner's format. The runner starts files without a timing first, so every
 * file gets one.
 */
export const timingsOf = (files: readonly string[]): string =>
  JSON.stringify({ version: 1, files: Object.fromEntries(files.map((file) => [file, (SECONDS[file] ?? 1) * 1000])) });
