/**
 * User-facing texts of this folder, in the order of its files. `*-words.ts` holds texts that depend
 * on data.
 */

// audit-page.tsx
export const auditLog = "Audit log";
export const auditLogOf = (house: string): string => `Audit log of ${house}`;
export const introduction =
  "A sealed record of what people and agents did here. It contains names, ids, states and times, and never the text of messages or the values of secrets.";
export const filters = "Filters";
export const kind = "Kind";
export const allKinds = "All kinds";
export const person = "Person";
export const allPeople = "All people";
export const agent = "Agent";
export const allAgents = "All agents";
export const formerMember = "Former member";
export const removedPlace = "a removed room";
export const from = "From";
export const to = "To";

// audit-rows.tsx
export const rows = "Rows of the audit log";
export const act = "Act";
export const who = "Who";
export const time = "Time";
export const noRows = "No rows match.";
export const noRowsYet = "No rows match in the part that was searched.";
export const showOlder = "Show older rows";
export const searchOlder = "Search older rows";
export const olderLoaded = "Older rows loaded.";

export const row = "Row";
export const type = "Type";
export const seal = "Seal";
export const noSeal = "Missing";

// verify-section.tsx
export const verifyLog = "Verify log";
export const exportLog = "Export log";
export const exportHint =
  "The export is a file of JSON lines. docs/verify-audit.py in the source of Hearth checks it with the key of the log.";
export const verifying = (seconds: number): string => `Verifying every row for ${seconds} s`;
export const intact = "The log is intact";
export const damaged = "The log does not match its seals";
export const verified = (rowCount: string, duration: string): string => `${rowCount} rows verified in ${duration}.`;
export const damagedRemedy =
  "If you restored a backup, the log ends before its anchor, and this is expected. Otherwise another program changed the log: compare it with a copy elsewhere or with a backup.";

// audit-words.ts
export const hearth = "Hearth";
export const withKey = "with an API key";
export const withLogin = "in a browser session";
export const onMachine = "on the machine of the house";
export const byRight = (right: string): string => `by the right “${right}”`;
export const namedId = (name: string, id: string): string => `${name} (${id})`;
