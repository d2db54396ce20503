/** What lies beyond the daemon and outlives it: a model, tools and chat platforms, each with a log of its own, and none of them forgiving. */
import type { MemoryDisk } from "@hearth/warden/memory-warden";

/** What must never be. Named by the invariant that it breaks. */
export type Complain = (invariant: string, what: string) => void;

/**
 * Whether this daemon began it with a row of its own, and another one has written about it since: a step (`activation/step`), a request
 * (by its hash) or a delivery. Of two daemons on one store the first may sleep between the last look at its lease and the far side, for
 * as long as it likes; then the far side hears from it late. No row and no lease can keep that from happening: for that the far side
 * itself would have to know the number of the lease. Where one daemon is alone, nothing is late.
 */
export type IsLate = (daemon: string, what: string) => boolean;

/** One far side of tools. */
export interface ToolWorld {
  /** A daemon lets a call go on. It may come late after this, and not before: until here it has to notice that it was replaced. */
  released(daemon: string, key: string): void;
  /** Does what a call of this daemon does. `again`: it may have been done before. Gives what the tool says. */
  perform(daemon: string, effect: string, key: string, subject: string, again: boolean): Promise<string>;
  /** How often each call took effect, by its key. */
  readonly effects: ReadonlyMap<string, number>;
  /** The same by what it was about. */
  readonly subjects: ReadonlyMap<string, number>;
}

export const createToolWorld = (disk: MemoryDisk, complain: Complain, isLate: IsLate): ToolWorld => {
  const effects = new Map<string, number>();
  const subjects = new Map<string, number>();
  const count = (counts: Map<string, number>, name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);

  const isJournaled = async (key: string): Promise<boolean> => {
    const [activation = "", step = ""] = key.split("/");
    const rows = await disk.store.select({
      table: "steps",
      where: { activation, step: Number(step), kind: "tool", state: "started" },
    });
    return rows.length > 0;
  };

  return {
    effects,
    subjects,
    released(daemon, key) {
      if (isLate(daemon, key)) complain("I3", `${daemon} let the call ${key} go on, and another one had taken it over`);
    },
    async perform(daemon, effect, key, subject, again) {
      // A late one has its row, and another daemon has ended that row since.
      if (!(await isJournaled(key)) && !isLate(daemon, key))
        complain("I3", `the call ${key} (${subject}) crossed before its journal row`);
      if (effect === "pure") return `${subject} is read`;
      const isDone = effects.has(key);
      // Whoever has the key, or is asked first, does nothing twice.
      if (isDone && effect === "keyed") return `${subject} is written`;
      if (isDone && effect === "reconcilable" && again) return `${subject} was found done`;
      count(effects, key);
      count(subjects, subject);
      // Whoever asks first is safe from what was done before, and not from what comes late: a late one does not know that it has to ask.
      if (isDone && !(effect === "reconcilable" && isLate(daemon, key)))
        complain("I3", `the ${effect} call ${key} (${subject}) took effect again`);
      return `${subject} is done`;
    },
  };
};
