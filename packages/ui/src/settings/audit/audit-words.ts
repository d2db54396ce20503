/** Describes rows of the audit log: the kinds of acts, and each act in plain words. Pure. */
import {
  ActivationState,
  AuditFacts,
  type AuditRow,
  AuditType,
  type Level,
  type Right,
  rights,
} from "@hearth/protocol";
import { levelTitles, rightTitles } from "../access/level-words.ts";
import { outcomeWords } from "../activity/activity-words.ts";
import { compareNames } from "../../language/locale.ts";
import * as texts from "./text.ts";

/** Returns the current names of records. */
export interface Names {
  readonly agent: (id: string) => string;
  /** The name of a house or a room. */
  readonly place: (id: string) => string;
}

/** Returns the facts of a row. They are empty if the row was damaged, which verification reports. */
export const factsOf = ({ body }: AuditRow): AuditFacts => {
  try {
    return AuditFacts.parse(JSON.parse(body ?? "{}"));
  } catch {
    return {};
  }
};

/** The kinds in the order of their titles. */
export const kinds: readonly AuditType[] = AuditType.options.toSorted((a, b) =>
  compareNames(texts.kindTitles[a], texts.kindTitles[b]),
);

type Describe = (facts: AuditFacts, names: Names) => string | undefined;

const text = (facts: AuditFacts, name: string): string | undefined => {
  const value = facts[name];
  return value === undefined ? undefined : String(value);
};

const agentIn = (facts: AuditFacts, names: Names): string => names.agent(text(facts, "agent") ?? "");

/** Returns the words of a state in a fact, or undefined if they are not known. */
const wordsOf = (words: Readonly<Record<string, string>>, state: string | undefined): string | undefined =>
  state !== undefined && Object.hasOwn(words, state) ? words[state] : undefined;

const changeIn = (facts: AuditFacts): string => wordsOf(texts.changes, text(facts, "change")) ?? texts.changes.changed;

/** Returns the titles of the rights in a fact, which is a list in JSON. */
const rightsIn = (facts: AuditFacts): readonly string[] =>
  rights.filter((right) => text(facts, "rights")?.includes(`"${right}"`) === true).map((right) => rightTitles[right]);

const roleIn = (facts: AuditFacts): string => {
  const level = text(facts, "level");
  const title = level !== undefined && Object.hasOwn(levelTitles, level) ? levelTitles[level as Level] : level;
  return [title ?? "", ...rightsIn(facts)].join(" + ");
};

const describeRecord: Describe = (facts, names) => {
  const kind = wordsOf(texts.recordKinds, text(facts, "type")) ?? texts.recordKinds.other;
  return texts.recordChanged(kind, text(facts, "handle") ?? names.agent(text(facts, "id") ?? ""), changeIn(facts));
};

const describeGrant: Describe = (facts, names) => {
  if (facts["agent"] === undefined) return undefined;
  const place = names.place(text(facts, "target") ?? text(facts, "house") ?? "");
  return facts["change"] === "removed"
    ? texts.accessRemoved(agentIn(facts, names), place)
    : texts.roleGiven(agentIn(facts, names), roleIn(facts), place);
};

const describeKey: Describe = (facts, names) => {
  const name = text(facts, "name");
  if (facts["revoked_at"] !== undefined) return texts.keyRevoked(name);
  return facts["agent"] === undefined ? undefined : texts.keyCreated(name, agentIn(facts, names));
};

const describeLogin: Describe = (facts, names) => {
  if (facts["change"] === "added" && facts["agent"] !== undefined) return texts.loggedIn(agentIn(facts, names));
  const name = text(facts, "name");
  return name === undefined ? undefined : texts.sessionRenamed(name);
};

const describeInvite: Describe = (facts, names) => {
  if (facts["used_by"] !== undefined) return texts.inviteUsed(names.agent(String(facts["used_by"])));
  if (facts["revoked_at"] !== undefined) return texts.inviteRevoked;
  return facts["change"] === "added" ? texts.inviteCreated(roleIn(facts)) : undefined;
};

const describeSecretGrant: Describe = (facts) => {
  const secret = text(facts, "secret");
  if (secret === undefined) return undefined;
  return facts["change"] === "removed" ? texts.secretUseRevoked(secret) : texts.secretUseAllowed(secret);
};

const describeStop: Describe = (facts, names) => {
  const scope = text(facts, "scope");
  if (scope === undefined) return undefined;
  const isResumed = facts["change"] === "removed";
  if (!scope.startsWith("agent_")) return isResumed ? texts.agentsResumed : texts.agentsStopped;
  return isResumed ? texts.agentResumed(names.agent(scope)) : texts.agentStopped(names.agent(scope));
};

const describeApproval: Describe = (facts) =>
  texts.approvalState(
    text(facts, "name"),
    wordsOf(texts.approvalStates, text(facts, "state")) ?? texts.changes.changed,
  );

const describeCall: Describe = (facts) => {
  const state = text(facts, "state");
  return state === undefined ? undefined : texts.callState(callIn(facts), wordsOf(texts.callStates, state) ?? state);
};

const callIn = (facts: AuditFacts): string => {
  const name = text(facts, "name");
  if (facts["kind"] === "model") return texts.modelCall;
  if (facts["kind"] === "intake") return texts.intake;
  return name === undefined ? texts.callOfTool : texts.callOf(name);
};

const describeRun: Describe = (facts, names) => {
  if (facts["change"] === "removed") return texts.runDeleted;
  const state = ActivationState.safeParse(facts["state"]).data;
  return state === undefined ? undefined : texts.runOutcome(agentIn(facts, names), outcomeWords[state]);
};

const describeRequest: Describe = (facts) => {
  const host = text(facts, "host");
  const outcome = wordsOf(texts.requestOutcomes, text(facts, "outcome")) ?? text(facts, "outcome");
  return host === undefined ? texts.requestEnded(outcome) : texts.requestTo(text(facts, "method"), host, outcome);
};

const describeDelivery: Describe = (facts) => {
  const state = text(facts, "state");
  return texts.delivered(text(facts, "channel"), wordsOf(texts.deliveryStates, state) ?? state);
};

const describeConfig: Describe = (facts) => texts.configEdited(text(facts, "table"));

const describeLog: Describe = ({ change, after, through }) => {
  if (change === "anchor-gone") return texts.anchorMissing;
  return typeof after === "number" && through !== undefined
    ? texts.rowsMoved(String(after + 1), String(through))
    : undefined;
};

const sentences: Readonly<Partial<Record<AuditType, Describe>>> = {
  record: describeRecord,
  grant: describeGrant,
  key: describeKey,
  login: describeLogin,
  invite: describeInvite,
  "secret-grant": describeSecretGrant,
  stop: describeStop,
  approval: describeApproval,
  step: describeCall,
  activation: describeRun,
  egress: describeRequest,
  delivery: describeDelivery,
  config: describeConfig,
  log: describeLog,
};

const isType = (type: string): type is AuditType => Object.hasOwn(texts.typeNouns, type);

/** Describes the act of a row with its target, such as "API key “lamp” of Main created". */
export const describeAct = (row: AuditRow, names: Names): string => {
  const facts = factsOf(row);
  if (!isType(row.type)) return row.type;
  const sentence = sentences[row.type]?.(facts, names);
  if (sentence !== undefined) return sentence;
  const name = text(facts, "name") ?? text(facts, "path") ?? text(facts, "channel");
  const owner = text(facts, "agent") ?? text(facts, "owner");
  return texts.otherAct(texts.typeNouns[row.type], name, owner && names.agent(owner), changeIn(facts));
};

/** The facts that name the actor, in order of precedence. */
const ACTOR_FACTS = ["by", "agent", "person"] as const;

/** Returns the name of the person or agent who acted. A row without an actor is an act of Hearth. */
export const describeActor = (row: AuditRow, names: Names): string => {
  const facts = factsOf(row);
  const actor = ACTOR_FACTS.map((name) => text(facts, name)).find((id) => id !== undefined);
  return actor === undefined ? texts.hearth : names.agent(actor);
};

/** Describes the credential of the actor and the right that admitted the act, as far as the row has them. */
export const describeCredential = (row: AuditRow): string | undefined => {
  const { via, right } = factsOf(row);
  const words = [
    via === "key"
      ? texts.withKey
      : via === "login"
        ? texts.withLogin
        : via === "run-token"
          ? texts.onMachine
          : undefined,
    right === undefined ? undefined : texts.byRight(rightTitles[right as Right] ?? String(right)),
  ].filter((word) => word !== undefined);
  return words.length === 0 ? undefined : words.join(" · ");
};

/** One fact for the details of a row. */
export interface FactLine {
  readonly name: string;
  readonly value: string;
}

/** Returns every fact of a row. Ids have the names of their records, and times are dates. */
export const describeFacts = (row: AuditRow, names: Names, formatTime: (at: number) => string): readonly FactLine[] =>
  Object.entries(factsOf(row)).map(([name, value]) => ({
    name: titleOfFact(name),
    value: typeof value === "number" ? showNumber(name, value, formatTime) : showText(row.type, name, value, names),
  }));

/** Returns the title of a fact. A fact that this version of the UI does not know keeps its name. */
const titleOfFact = (name: string): string => {
  const title = wordsOf(texts.factTitles, name);
  if (title !== undefined) return title;
  if (name.endsWith("_sha256")) return texts.hashOf(titleOfFact(name.slice(0, -"_sha256".length)));
  if (name.endsWith("_bytes")) return texts.bytesOf(titleOfFact(name.slice(0, -"_bytes".length)));
  return name;
};

const showNumber = (name: string, value: number, formatTime: (at: number) => string): string =>
  name.endsWith("_at") || name === "at" ? formatTime(value) : String(value);

/** The words of values by fact. `state` has different values in each type of row. */
const valueWords: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  change: texts.changes,
  outcome: texts.requestOutcomes,
  via: texts.credentials,
  level: levelTitles,
  right: rightTitles,
};
const stateWords: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  approval: texts.approvalStates,
  step: texts.callStates,
  activation: outcomeWords,
  delivery: texts.deliveryStates,
};

const showText = (type: string, fact: string, value: string, names: Names): string => {
  const knownWords = fact === "state" ? stateWords[type] : valueWords[fact];
  const words = knownWords === undefined ? undefined : wordsOf(knownWords, value);
  if (words !== undefined && words !== value) return texts.translated(words, value);
  if (value.startsWith("agent_")) return texts.namedId(names.agent(value), value);
  return /^(?:house|room)_/.test(value) ? texts.namedId(names.place(value), value) : value;
};
