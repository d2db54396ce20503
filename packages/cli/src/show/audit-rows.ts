/** Formats a row of the audit log for a table. */
import { AuditFacts, type AuditRow } from "@hearth/protocol";
import { localTime } from "./time.ts";

/** Facts that name the actor, in order of precedence. The first one that a row has fills the BY column. */
const ACTOR_FACTS = ["by", "agent", "person"] as const;

/** Returns the cells of a row. `handles` maps ids to handles. */
export const toCells = (row: AuditRow, handles: ReadonlyMap<string, string>): readonly string[] => {
  const parsedFacts = AuditFacts.safeParse(parse(row.body));
  const facts = parsedFacts.success ? parsedFacts.data : {};
  const nameOf = (value: string | number): string => handles.get(String(value)) ?? String(value);
  const actorFact = ACTOR_FACTS.find((name) => facts[name] !== undefined);
  // Facts that other columns show, or that are not useful to a reader.
  const hiddenFacts = new Set<string | undefined>(["change", "house", actorFact]);
  return [
    String(row.offset),
    localTime(row.at),
    `${row.type} ${facts["change"] ?? ""}`.trimEnd(),
    actorFact === undefined ? "" : nameOf(facts[actorFact] ?? ""),
    Object.entries(facts)
      .filter(([name]) => !hiddenFacts.has(name) && !/_(sha256|bytes|hash|blob)$/.test(name))
      .map(([name, value]) => `${name}=${nameOf(value)}`)
      .join(" "),
  ];
};

const parse = (text: string | null): unknown => {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return undefined;
  }
};
