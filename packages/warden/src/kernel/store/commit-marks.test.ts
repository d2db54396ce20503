import { describe, expect, test } from "bun:test";
import { HearthError } from "@hearth/protocol";
import { createCommitMarks, UnknownOutcomeError, type Witness } from "./commit-marks.ts";
import { DiskFullError, type SqlDatabase } from "./database.ts";
import type { Value } from "./tables/table.ts";

interface Failure {
  readonly error: Error;
  /** Whether SQLite still applied the transaction. */
  readonly isApplied?: true;
  readonly isOpen?: true;
  /** Another process has written this mark. */
  readonly mark?: { readonly writer?: string; readonly number: number };
  readonly busy?: number;
}

/** The row of the mark, in a database whose next commit fails as the test says. */
const start = () => {
  let mark: { writer: string; number: number } = { writer: "earlier", number: 9 };
  let written = mark;
  let failure: Failure | undefined;
  let last: Failure | undefined;
  const events: string[] = [];
  let hasEvent = false;
  const database: SqlDatabase = {
    run(sql: string, parameters: readonly Value[] = []) {
      if (sql.startsWith("update commit_marks"))
        written = { writer: String(parameters[0]), number: Number(parameters[1]) };
      else events.push(sql);
      if (sql !== "commit") return "done";
      last = failure;
      failure = undefined;
      if (last === undefined || last.isApplied === true) mark = written;
      if (last?.mark !== undefined) mark = { writer: written.writer, ...last.mark };
      if (last !== undefined) throw last.error;
      return "done";
    },
    all(sql: string) {
      if (sql.startsWith("select hex")) return [{ writer: "own" }];
      if (sql.startsWith("pragma")) {
        events.push("checkpoint");
        return [{ busy: last?.busy ?? 0 }];
      }
      if (sql.startsWith("select 1 from events")) return hasEvent ? [{ 1: 1 }] : [];
      return [mark];
    },
    setSync: () => {},
    logPages: () => 0,
    copyLog: () => Promise.resolve(),
    syncLog: () => Promise.resolve(),
    freeBytes: () => Infinity,
    inTransaction: () => last?.isOpen === true,
    close: () => {},
  };
  const marks = createCommitMarks(database);
  return {
    mark: () => `${mark.writer} ${mark.number}`,
    events: () => events.splice(0),
    /** The database contains the event of the transaction after a commit that failed but was applied. */
    commit(fails?: Failure, witness?: Witness) {
      failure = fails;
      hasEvent = fails?.isApplied === true;
      try {
        marks.commit(witness);
        return "committed";
      } catch (error) {
        return error;
      }
    },
  };
};
const BROKEN = new HearthError("store.unavailable", "The disk failed.");

describe("a commit", () => {
  test("writes the next number of its store", () => {
    const { commit, mark } = start();
    expect([commit(), mark(), commit(), mark()]).toEqual(["committed", "own 1", "committed", "own 2"]);
  });

  test("whose failure left the transaction open is not applied", () => {
    const { commit, events } = start();
    expect(commit({ error: BROKEN, isOpen: true })).toBe(BROKEN);
    expect(events()).toEqual(["commit"]);
  });

  test("that was applied although it failed is made durable by a checkpoint", () => {
    const { commit, events, mark } = start();
    expect([commit({ error: BROKEN, isApplied: true }), mark()]).toEqual(["committed", "own 1"]);
    expect(events()).toEqual(["commit", "checkpoint"]);
    expect(commit({ error: BROKEN, isApplied: true, busy: 1 })).toBeInstanceOf(UnknownOutcomeError);
  });

  test("that was not applied is overwritten in the log, so that recovery does not apply it", () => {
    const { commit, events, mark } = start();
    expect([commit({ error: BROKEN }), mark()]).toEqual([BROKEN, "own 2"]);
    expect(events()).toEqual(["commit", "begin immediate", "commit"]);
    // The mark of the overwriting transaction is known.
    expect([commit({ error: BROKEN }), mark()]).toEqual([BROKEN, "own 4"]);
    expect([commit(), mark()]).toEqual(["committed", "own 5"]);
    expect([commit({ error: BROKEN }), mark()]).toEqual([BROKEN, "own 7"]);
  });

  test("that a full disk refused is not overwritten", () => {
    const { commit, events, mark } = start();
    const full = new DiskFullError("The disk is full.");
    expect([commit({ error: full }), mark(), events()]).toEqual([full, "earlier 9", ["commit"]]);
    expect([commit(), mark()]).toEqual(["committed", "own 2"]);
  });

  test("has an unknown outcome when another process has written since", () => {
    for (const mark of [{ writer: "other", number: 2 }, { writer: "other", number: 1 }, { number: 3 }]) {
      const { commit } = start();
      commit();
      expect(commit({ error: BROKEN, mark })).toBeInstanceOf(UnknownOutcomeError);
    }
  });
});

describe("a commit that appended an event", () => {
  const witness: Witness = { stream: "room:1", offset: 1, id: "evt_1" as Witness["id"] };

  test("writes no number", () => {
    const { commit, mark, events } = start();
    expect([commit(undefined, witness), mark(), events()]).toEqual(["committed", "earlier 9", ["commit"]]);
  });

  test("was applied if the event exists, and otherwise it is overwritten", () => {
    const applied = start();
    expect(applied.commit({ error: BROKEN, isApplied: true }, witness)).toBe("committed");
    expect(applied.events()).toEqual(["commit", "checkpoint"]);
    const lost = start();
    expect([lost.commit({ error: BROKEN }, witness), lost.mark()]).toEqual([BROKEN, "own 1"]);
    expect(lost.events()).toEqual(["commit", "begin immediate", "commit"]);
  });
});
