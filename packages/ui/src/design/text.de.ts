/** German texts of this folder. */
import type { ErrorCode, RemedyCode } from "@hearth/protocol";

// announcer.tsx
export const announcements = "Meldungen";
export const dismiss = "Schließen";

// button.tsx
export const loading = "Wird geladen";

// dialog.tsx
export const close = "Schließen";
export const cancel = "Abbrechen";

// error-words.ts
interface OwnError {
  readonly title: (name: string) => string;
  readonly text?: string;
}

export const theModelProvider = "Der Modellanbieter";
export const theModel = "Das Modell";
export const requestFailed = "Die Aktion ist fehlgeschlagen.";
/** Replaces local addresses in errors. */
export const thisMachine = "this machine";
export const quoted = (text: string): string => `“${text}”`;
export const cannotBeReached = (name: string): string => `${name} ist nicht erreichbar.`;
export const didNotAnswerInTime = (name: string): string => `${name} hat nicht rechtzeitig geantwortet.`;
export const isBusy = (name: string): string => `${name} ist ausgelastet.`;
export const reportedAnError = (name: string): string => `${name} hat einen Fehler gemeldet.`;
const otherModel = "Versuche es gleich noch einmal, oder wähle ein anderes Modell.";
/** Errors whose message is replaced. `name`: the provider. */
export const ownErrors: Partial<Record<ErrorCode, OwnError>> = {
  // These arise in the browser, so no message of the house is lost.
  "house.unreachable": {
    title: () => "Hearth antwortet nicht.",
    text: "Prüfe die Verbindung, und ob Hearth läuft. Versuche es dann erneut.",
  },
  "upload.not-found": { title: () => "Auf diesem Gerät gibt es die Datei nicht mehr.", text: "Füge sie erneut hinzu." },
  "provider.unknown": {
    title: () => "Dieses Modell ist nicht verfügbar.",
    text: "Wähle ein Modell eines eingerichteten Anbieters.",
  },
  "provider.auth": {
    title: (name) => `${name} akzeptiert den Schlüssel nicht.`,
    text: "Prüfe den Schlüssel, oder gib einen neuen ein.",
  },
  "provider.rate-limited": { title: (name) => `${name} begrenzt die Anfragen.`, text: otherModel },
  "provider.overloaded": { title: isBusy, text: otherModel },
  "provider.unreachable": {
    title: cannotBeReached,
    text: "Prüfe, ob der Dienst läuft, und die Adresse in seinen Einstellungen.",
  },
  "provider.timeout": { title: didNotAnswerInTime, text: otherModel },
  "provider.refused": { title: (name) => `${name} hat die Anfrage abgelehnt.` },
  "provider.context-overflow": { title: () => "Diese Unterhaltung ist zu lang für das Modell." },
  "provider.malformed": {
    title: (name) => `${name} hat eine unlesbare Antwort gesendet.`,
    text: "Prüfe die Adresse.",
  },
  "provider.truncated": { title: (name) => `Die Antwort von ${name} ist abgebrochen.`, text: "Versuche es erneut." },
  "provider.failed": { title: reportedAnError, text: "Versuche es gleich noch einmal." },
  "provider.aborted": { title: () => "Die Anfrage wurde gestoppt." },
};
export const remedies: Partial<Record<RemedyCode, string>> = {
  "change-budget": "Ein Admin kann das Budget ändern.",
  "log-in": "Melde dich erneut an.",
  "see-system": "Die Systemseite zeigt, was nicht stimmt.",
};
export const checkProvider = "Anbieter prüfen";
export const chooseModel = "Modell wählen";
export const changeBudget = "Budget ändern";
export const openSystemPage = "Systemseite öffnen";

// filter-bar.tsx
export const clearFilters = "Filter zurücksetzen";

// notice.tsx
export const details = "Details";
export const pageFailed = "Auf dieser Seite ist etwas schiefgegangen.";
export const pageFailedDetail = "Versuche es erneut. Wenn der Fehler wieder auftritt, lade die Seite neu.";

// table.tsx
export const selectAll = "Alle auswählen";
export const select = (name: string): string => `${name} auswählen`;
