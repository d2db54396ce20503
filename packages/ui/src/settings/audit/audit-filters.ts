/** The filters of the audit page: their names in the address, and the query that they make. Pure. */
import { AgentId, type AuditFilter, AuditType } from "@hearth/protocol";

export const auditFilterNames = ["kind", "person", "agent", "from", "to"] as const;
export type AuditFilterName = (typeof auditFilterNames)[number];
export type AuditFilterValues = Readonly<Record<AuditFilterName, string>>;

/** Returns the query of the filters. Values of an edited address that do not exist filter nothing. */
export const toAuditFilter = ({ kind, person, agent, from, to }: AuditFilterValues): AuditFilter => ({
  type: AuditType.safeParse(kind).data,
  person: AgentId.safeParse(person).data,
  agent: AgentId.safeParse(agent).data,
  from: startOfDay(from, 0),
  // The last day is included.
  until: startOfDay(to, 1),
});

/** Returns the first instant of a day of the browser's time zone, or of a later day. */
const startOfDay = (date: string, daysLater: number): number | undefined => {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(date) ?? [];
  if (day === undefined) return undefined;
  const at = new Date(Number(year), Number(month) - 1, Number(day) + daysLater).getTime();
  return at >= 0 ? at : undefined;
};
