/** German texts of this folder. The first load does not contain them. */

// model-picker.tsx
export const modelOf = (agent: string): string => `Modell von ${agent}`;
export const modelEffect = (agent: string): string => `${agent} verwendet es ab dem nächsten Lauf in allen Chats.`;
export const findModel = "Modell suchen";
export const current = "Aktuell";
export const moreModels = (count: string): string =>
  `${count} weitere Modelle. Gib einen Teil des Namens ein, um sie zu finden.`;
export const builtIn = "Eingebaut";
export const offline = "Offline-Helfer";
export const offlineDetail = "Kein Sprachmodell. Nichts verlässt diesen Rechner.";
export const notReady = (provider: string): string => `${provider} ist nicht eingerichtet.`;
export const manageProviders = "Anbieter verwalten";
export const tryAgain = "Erneut versuchen";
export const loading = (provider: string): string => `Modelle von ${provider} werden geladen`;
export const cancel = "Abbrechen";
export const test = "Testen";
export const useModel = "Modell verwenden";
export const works = "Funktioniert";
export const noAnswer = "Keine Antwort";
export const changed = (agent: string, model: string): string => `${agent} verwendet jetzt ${model}.`;
