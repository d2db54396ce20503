/** German texts of this folder. */

// inbox-bulk.tsx
export const selectedRequests = "Ausgewählte Anfragen";
export const selectedCount = (count: number): string => `${count} ausgewählt`;
export const denyCount = (count: number): string => `${count} ablehnen`;
export const denySelected = (count: number): string =>
  count === 1 ? "1 Anfrage ablehnen?" : `${count} Anfragen ablehnen?`;
export const denySelectedEffect =
  "Die Agenten erfahren, dass du ihre Anfragen abgelehnt hast, und arbeiten ohne sie weiter.";
export const deniedCount = (count: number): string => `${count} abgelehnt.`;

// inbox-filters.tsx
export const filters = "Filter";
export const agent = "Agent";
export const allAgents = "Alle";
export const kind = "Art";
export const allKinds = "Alle";
export const kinds = { approval: "Freigaben", proposal: "Vorschläge" } as const;
export const kindWords = { approval: "Freigabe", proposal: "Vorschlag" } as const;
export const state = "Status";
export const pendingState = "Offen";
export const decidedState = "Entschieden";

// inbox-history.tsx
export const decidedRequests = "Entschiedene Anfragen";
export const nothingDecided = "Noch wurde nichts entschieden.";
export const noMatches = "Keine Anfrage passt zu diesen Filtern.";
export const request = "Anfrage";
export const outcome = "Ergebnis";
export const time = "Zeit";

// inbox-page.tsx
export const formerMember = "Ehemaliges Mitglied";
export const inbox = "Posteingang";
export const onlyAdmins = "Nur Admins können Anfragen beantworten. Du bist in keinem Haus Admin.";
export const tryAgain = "Erneut versuchen";
export const loading = "Wird geladen";
export const pendingApprovals = "Offene Freigaben";
export const approvalsIntroduction =
  "Bevor Agenten ein Werkzeug verwenden, das eine Freigabe braucht, fragen sie hier und in dem Raum, in dem sie arbeiten.";
export const noPendingApprovals = "Keine offenen Freigaben";
export const onePendingApproval = "1 offene Freigabe. Der Agent wartet auf deine Antwort.";
export const pendingApprovalCount = (count: number): string =>
  `${count} offene Freigaben. Die Agenten warten auf deine Antworten.`;
export const keysMove = "oder Pfeiltasten: nächste und vorherige Anfrage.";
export const keyAllows = "Einmal erlauben.";
export const keyDenies = "Ablehnen.";

// pending-proposals.tsx
export const changesToAgents = "Änderungen an Agenten";
export const agentPausedUntilYouDecide = "Der Agent ist pausiert, bis du entscheidest.";
export const changesTo = (count: number, agent: string): string =>
  `${count === 1 ? "1 Änderung" : `${count} Änderungen`} an ${agent}`;
export const changeBy = (path: string, agent: string): string => `Änderung an ${path} · ${agent}`;

// picked.tsx
export const select = (name: string): string => `${name} auswählen`;
