/** German texts of this folder. */

// limits-page.tsx
export const budget = "Budget";
export const budgetIntroduction =
  "Limits für die Ausgaben aller Agenten zusammen für Modelle, in US-Dollar. Jeder Agent kann zusätzlich eigene Limits haben.";
export const perDay = "Pro Tag";
export const perMonth = "Pro Monat";
export const perRun = "Pro Lauf";
export const sandboxes = "Sandboxes";
export const sandboxesIntroduction =
  "Wo Agenten Befehle ausführen. Melde dich zuerst mit einem Anmeldelink oder einem Passkey an, um diese Limits zu ändern. Du kannst sie dann 15 Minuten lang ändern.";
export const openAtOnce = "Höchstzahl offener Sandboxes";
export const idleSeconds = "Leerlauf bis zum Schließen (Sekunden)";
export const memory = "Arbeitsspeicher (MiB)";
export const processes = "Prozesse";
export const files = "Dateien in Nachrichten";
export const perFile = "Größte Datei (MiB)";
export const perPerson = "Alle Dateien einer Person (MiB)";
export const perHouse = "Alle Dateien des Hauses (MiB)";
export const keeping = "Aufbewahrung";
export const keepingIntroduction = "Nachrichten in Räumen bleiben, bis sie gelöscht werden.";
export const activityDays = "Details von Läufen (Tage)";
export const deliveryDays = "Gesendete Nachrichten von Kanälen (Tage)";
export const jobDays = "Bisherige Läufe von Automatisierungen (Tage)";
export const approvalHours = "Unbeantwortete Freigaben (Stunden)";

// limit-group.tsx
export const noLimit = "Kein Limit";
export const notANumber = "Gib eine Zahl ein, oder lass das Feld leer.";
export const save = "Speichern";
export const saveGroup = (group: string): string => `${group} speichern`;
export const saved = (group: string): string => `${group} gespeichert.`;
export const savedForRestart = (group: string): string =>
  `${group} gespeichert. Die Änderung gilt nach einem Neustart.`;
export const usageDays = "Nutzung der Modelle (Tage)";
