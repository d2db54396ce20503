/** The filters of the audit page: their names in the address, and the query that they make. Pure. */
import { type AgentId, type AuditFilter, AuditType } from "@hearth/protocol";

export const auditFilterNames = ["kind", "person", "agent", "from", "to"] as const;
export type AuditFilterName = (typeof auditFilterNames)[number];
export type AuditFilterValues = Readonly<Record<AuditFilterName, string>>;

/** Returns the query of the filters. Values of an edited address that do not exist filter nothing. */
export const toAuditFilter = ({ kind, person, agent, from, to }: AuditFilterValues): AuditFilter => ({
  type: AuditType.options.find((type) => type === kind),
  person: toAgentId(person),
  agent: toAgentId(agent),
  from: startOfDay(from, 0),
  // The last day is included.
  until: startOfDay(to, 1),
});

/** The schemas of the browser's bundle ignore patterns, so this function checks the form of the id. */
const toAgentId = (text: string): AgentId | undefined =>
  /^agent_[0-9a-z]{26}$/.test(text) ? (text as AgentId) : undefined;

/** Returns the first instant of a day of the browser's time zone, or of a later day. */
const startOfDay = (date: string, daysLater: number): number | undefined => {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(date) ?? [];
  if (day === undefined) return undefined;
  const at = new Date(Number(year), Number(month) - 1, Number(day) + daysLater).getTime();
  return at >= 0 ? at : undefined;
};
