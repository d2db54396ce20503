/** German texts of this folder. */

// keys-section.tsx
export const apiKeys = "API-Schlüssel";
export const tryAgain = "Erneut versuchen";
export const noApiKeys = "Keine API-Schlüssel";
export const revocationEffect =
  "Programme mit diesem Schlüssel verlieren sofort den Zugriff. Du kannst das nicht rückgängig machen.";
export const keysOfEveryone =
  "Für Programme, die dieses Haus nutzen. Ein Programm mit einem Schlüssel handelt im Namen seines Besitzers.";
export const keysOf = (owner: string): string =>
  `Für Programme, die dieses Haus nutzen. Ein Programm mit einem Schlüssel handelt im Namen von ${owner}.`;
/** As the `owner` of the text above. */
export const youInText = "dir";
export const aFormerMember = "ein ehemaliges Mitglied";
export const created = "Erstellt: ";
export const lastUsed = "Zuletzt genutzt: ";
export const neverUsed = "Nie genutzt";
export const expired = "abgelaufen";
export const expires = (date: string): string => `läuft ab am ${date}`;

// key-words.ts
export const atMost = (role: string): string => `Höchstens ${role}`;
export const onlyIn = (places: string): string => `Nur in ${places}`;
export const otherPlaces = (count: number): string => (count === 1 ? "1 anderem Ort" : `${count} anderen Orten`);
export const perMinute = (count: number): string =>
  count === 1 ? "1 Anfrage pro Minute" : `${count} Anfragen pro Minute`;

// key-draft.ts
export const enterAName = "Gib einen Namen ein.";
export const selectAPlace = "Wähle einen Ort aus, an dem der Schlüssel gilt.";
export const wrongPerMinute = "Gib eine ganze Zahl von 1 bis 100.000 ein, oder lass das Feld leer.";

// make-key.tsx
export const newApiKey = "Neuer API-Schlüssel";
export const cancel = "Abbrechen";
export const youSuffix = " (du)";
export const noExpiration = "Kein Ablauf";
export const oneWeek = "1 Woche";
export const thirtyDays = "30 Tage";
export const ninetyDays = "90 Tage";
export const oneYear = "1 Jahr";
export const nameOfNewKey = "Name des neuen Schlüssels";
export const nameOfNewKeyHint = "Zum Beispiel der Name des Programms.";
export const actsAs = "Handelt als";
export const requestsPerMinute = "Anfragen pro Minute (optional)";
export const noLimit = "Kein Limit";
export const expiration = "Ablauf";
export const createApiKey = "API-Schlüssel erstellen";

// access-fields.tsx
export const access = "Zugriff";
export const fullAccess = "Voller Zugriff";
export const fullAccessDetail = (name: string): string => `Ein Programm kann alles, was ${name} kann.`;
export const limitedAccess = "Eingeschränkter Zugriff";
export const limitedAccessDetail = "Du wählst die höchste Rolle, die Orte und die Rechte.";
export const metricsOnly = "Nur Messwerte";
export const metricsOnlyDetail = "Ein Programm kann die Messwerte dieses Hauses lesen und sonst nichts.";
export const places = "Orte";
export const allPlaces = "Alle Orte des Besitzers";
export const selectedPlaces = "Ausgewählte Orte";
export const wholeHouse = (name: string): string => `${name}, ganzes Haus`;
export const rights = "Der Schlüssel verwaltet auch";

// new-key.tsx
export const apiKeyOf = (name: string): string => `API-Schlüssel für ${name}. Er wird nur einmal angezeigt.`;
export const copy = "Kopieren";

// keys-section.tsx, table
export const name = "Name";
export const owner = "Inhaber";
export const allOwners = "Alle Inhaber";
export const scope = "Geltungsbereich";
export const use = "Verwendung";
export const allKeys = "Alle Schlüssel";
export const usedKeys = "Verwendet";
export const unusedKeys = "Nie verwendet";
export const expiredKeys = "Abgelaufen";
export const revokeCount = (count: number): string =>
  count === 1 ? "1 Schlüssel widerrufen" : `${count} Schlüssel widerrufen`;
export const revokedCount = (count: number): string =>
  count === 1 ? "1 Schlüssel widerrufen." : `${count} Schlüssel widerrufen.`;
export const revokeSelected = (count: number): string =>
  count === 1 ? "1 Schlüssel widerrufen?" : `${count} Schlüssel widerrufen?`;
export const revokeOne = "Widerrufen";
