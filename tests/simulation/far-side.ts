/**
 * The far side of tools: it outlives the daemons, logs every effect and reports what must never
 * happen.
 */
import type { MemoryDisk } from "@hearth/warden/memory-warden";

/** Reports a violation. `invariant` names the broken invariant. */
export type Complain = (invariant: string, what: string) => void;

/**
 * Whether this daemon began a step (`activation/step`), a request (by its hash) or a delivery, and
 * another daemon has written about it since. With two daemons on one store, one may be suspended
 * after its last lease check, and its request then arrives late. Only a far side that checks
 * the fence could prevent that. With a single daemon, nothing is late.
 */
export type IsLate = (daemon: string, what: string) => boolean;

/** One far side of tools. */
export interface ToolWorld {
  /**
   * Called when a daemon releases a call. By now it must have noticed a successor; later the call
   * may be late.
   */
  released(daemon: string, key: string): void;
  /**
   * Performs a call and returns the tool's result. `again`: an earlier attempt may have taken
   * effect.
   */
  perform(daemon: string, effect: string, key: string, subject: string, again: boolean): Promise<string>;
  /** How often each call took effect, by key. */
  readonly effects: ReadonlyMap<string, number>;
  /** How often calls took effect, by subject. */
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
      if (isLate(daemon, key))
        complain("I3", `${daemon} released the call ${key} after another daemon had taken it over`);
    },
    async perform(daemon, effect, key, subject, again) {
      // A late call had a row, which another daemon has ended since.
      if (!(await isJournaled(key)) && !isLate(daemon, key))
        complain("I3", `the call ${key} (${subject}) crossed before its journal row`);
      if (effect === "pure") return `${subject} is read`;
      const isDone = effects.has(key);
      // The key, or the query before the call, prevents a second effect.
      if (isDone && effect === "keyed") return `${subject} is written`;
      if (isDone && effect === "reconcilable" && again) return `${subject} was found done`;
      count(effects, key);
      count(subjects, subject);
      // The query does not prevent a second effect of a late call, which did not know that it had
      // to ask.
      if (isDone && !(effect === "reconcilable" && isLate(daemon, key)))
        complain("I3", `the ${effect} call ${key} (${subject}) took effect again`);
      return `${subject} is done`;
    },
  };
};
