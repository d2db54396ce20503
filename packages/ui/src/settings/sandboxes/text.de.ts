/** German texts of this folder. */

// sandboxes-page.tsx
export const openSandboxes = "Offene Sandboxes";
export const openSandboxesIntroduction =
  "Wo Agenten jetzt Befehle ausführen. Eine geschlossene Sandbox öffnet sich beim nächsten Lauf wieder.";
export const hiddenAgent = "Ein Agent, den du nicht sehen kannst";
export const privateAudience = "Privat";
export const hiddenRoom = "Ein Raum, den du nicht sehen kannst";
export const agent = "Agent";
export const allAgents = "Alle Agenten";
export const closeCount = (count: number): string =>
  count === 1 ? "1 Sandbox schließen" : `${count} Sandboxes schließen`;
export const closedCount = (count: number): string =>
  count === 1 ? "1 Sandbox geschlossen." : `${count} Sandboxes geschlossen.`;
export const noSandboxes = "Keine offenen Sandboxes";
export const noSandboxesDetail = "Eine Sandbox öffnet sich, wenn ein Agent ein Werkzeug benutzt.";
export const isolation = "Isolierung";
export const limits = "Limits";
export const state = "Status";
export const opened = "Geöffnet";
export const close = "Schließen";
