/** Generates the random operations of the fault families. */
import type { Chance } from "./chance.ts";
import type { Families, Family } from "./families.ts";
import { type FamilyOperation, PADDING } from "./family-operations.ts";
import { NOTE_BYTES } from "./voice-notes.ts";
import type { Operation } from "./workload.ts";

const MINUTE_MS = 60_000;
const NAMES = ["token", "password"] as const;
const CLOCK_JUMPS_MS = [-10 * MINUTE_MS, -2000, 2000, 45_000, 10 * MINUTE_MS, 60 * MINUTE_MS] as const;

/** By family: the maximum number of operations in a house, and how to make one. */
type Makes = Partial<
  Record<Family, { readonly most: number; readonly make: (at: number) => FamilyOperation | Operation }>
>;

export const createFamilyWork = (
  chance: Chance,
  { families, isShared, lastAt }: { readonly families: Families; readonly isShared: boolean; readonly lastAt: number },
): readonly Operation[] => {
  let made = 0;
  const daemon = (): number => (isShared ? chance.whole(0, 1) : 0);
  const agent = (): "main" | "aide" => chance.pick(["main", "main", "aide"]);
  const fact = (): string => `The secret fact ${chance.whole(1, 4)} is zebra${chance.whole(1, 4)}.`;
  const makes: Makes = {
    "half-full-disk": {
      most: 3,
      make: (at) => ({
        ...{ at, do: "fault", what: chance.pick(["databaseFull", "blobsFull"] as const) },
        ms: chance.pick([20, 300, 3000]),
      }),
    },
    "lost-blobs": {
      most: 2,
      make: (at) => ({ at, do: "lose-blob", nth: chance.whole(0, 30), how: chance.pick(["missing", "torn"]) }),
    },
    "cut-frames": { most: 4, make: (at) => ({ at, do: "cut-cell", daemon: daemon() }) },
    "own-clocks": {
      most: 3,
      make: (at) => ({ at, do: "set-own-clock", daemon: daemon(), ms: chance.pick(CLOCK_JUMPS_MS) }),
    },
    vault: {
      most: 6,
      make(at) {
        made += 1;
        const value = `canary-${made}-${"0123456789abcdef".repeat(2)}`;
        if (chance.happens(0.15)) return { at, do: "change-vault-key" };
        return {
          ...{ at, do: "change-secret", how: chance.pick(["set", "set", "rotate", "remove"]) },
          ...{ name: chance.pick(NAMES), value },
        };
      },
    },
    forgetting: {
      most: 6,
      make: (at) =>
        chance.happens(0.6)
          ? { at, do: "remember", agent: agent(), fact: fact() }
          : { at, do: "forget", agent: agent(), fact: fact() },
    },
    "memory-process": {
      most: 6,
      make: (at) =>
        chance.pick<() => FamilyOperation>([
          () => ({ at, do: "remember", agent: agent(), fact: fact() }),
          () => ({ at, do: "recall", agent: agent(), query: "secret fact zebra" }),
          () => ({ at, do: "fail-memory", how: chance.pick(["dies", "hangs"]), ms: chance.pick([20, 300, 3000]) }),
        ])(),
    },
    uploads: {
      most: 8,
      make(at) {
        made += 1;
        return {
          at,
          do: "upload",
          nth: made,
          sizeBytes: chance.whole(2, 400),
          parts: Array.from({ length: chance.whole(0, 5) }, () => chance.whole(1, 120)),
          room: chance.pick(["main", "group", "group"]),
          then: chance.pick(["post", "post", "post", "leave", "half", "cancel", "delete"]),
        };
      },
    },
    "older-copy": { most: 1, make: (at) => ({ at, do: "copy-disk" }) },
    "older-release": { most: 3, make: (at) => ({ at, do: "age-inputs" }) },
    "voice-notes": {
      most: 6,
      make(at) {
        made += 1;
        return {
          ...{ at, do: "upload", nth: made, sizeBytes: NOTE_BYTES, isVoice: true },
          parts: chance.happens(0.3) ? [chance.whole(1, NOTE_BYTES)] : [],
          room: chance.pick(["main", "group", "group"]),
          then: chance.pick(["post", "post", "post", "delete"]),
        };
      },
    },
  };
  return Object.entries(makes).flatMap(([family, { most, make }]) =>
    families.has(family as Family)
      ? Array.from({ length: chance.whole(1, most) }, () => make(chance.next() * lastAt) as Operation)
      : [],
  );
};

/** Changes messages for the families: some become large, some make the agent recall or fetch. */
export const withFamilyMessages = (
  chance: Chance,
  families: Families,
  operations: readonly Operation[],
): readonly Operation[] =>
  operations.map((operation) => {
    if (operation.do !== "post") return operation;
    const isLarge = (families.has("large-bodies") || families.has("lost-blobs")) && chance.happens(0.6);
    const padding = isLarge && chance.happens(0.3) ? ` ${PADDING}` : "";
    const calls = [
      ...(families.has("memory-process") && chance.happens(0.5) ? ["recall"] : []),
      ...(families.has("egress") && chance.happens(0.6) ? ["fetch"] : []),
      ...(families.has("uploads") && chance.happens(0.4) ? ["attach"] : []),
    ];
    const text = calls.length === 0 ? operation.text : withCalls(operation.text, calls);
    return { ...operation, text: `${text}${isLarge ? " large" : ""}${padding}` };
  });

const withCalls = (text: string, calls: readonly string[]): string =>
  text.includes(" do=")
    ? text.replace(" do=", ` do=${calls.join(",")},`)
    : text.replace(/\b(m\d+)/, `$1 do=${calls.join(",")}`);
