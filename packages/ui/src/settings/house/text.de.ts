/** German texts of this folder. */

// general-page.tsx
export const house = "Haus";
export const profileForm = "Profil";
export const description = "Beschreibung (optional)";
export const you = "Dein Profil";
export const timeZone = "Zeitzone";
export const timeZoneHint = (timezone: string): string => `Standard: die Zeitzone des Hauses, ${timezone}.`;
export const houseDescriptionHint = "Jeder Agent liest sie vor den eigenen Anweisungen.";
export const houseTimeZoneHint = "Für Datumsangaben wie „heute“.";
export const houseForm = "Haus";
export const houseName = "Name des Hauses";
export const houseTimeZone = "Zeitzone des Hauses";
export const appearance = "Darstellung";
export const themeInThisBrowser = "Farbschema in diesem Browser";
export const system = "System";
export const systemDetail = "Hell oder dunkel, wie dein System";
export const light = "Hell";
export const dark = "Dunkel";
export const languageInThisBrowser = "Sprache in diesem Browser";
export const automatic = "Automatisch";
export const automaticDetail = "Die bevorzugte Sprache dieses Browsers";
/** Each language is named in itself, so that people find theirs. */
export const languageNames = { en: "English", de: "Deutsch" } as const;

// models-page.tsx
export const modelSource = "Modellquelle";
export const modelProviders = "Modellanbieter";
export const modelProvidersIntroduction = "Dienste, die die Sprachmodelle für Agenten ausführen.";
export const providerAdded = (name: string): string => `${name} hinzugefügt.`;
export const addProvider = "Anbieter hinzufügen";
export const add = "Hinzufügen";

// provider-row.tsx
export const providerRemoved = (name: string): string => `${name} entfernt.`;
export const offlineModel = "Offline-Helfer";
export const ready = "Bereit";
export const notReady = "Nicht bereit";
export const test = "Testen";
export const testProvider = (name: string): string => `${name} testen`;
export const remove = "Entfernen";
export const removeProvider = (name: string): string => `${name} entfernen`;
export const removeProviderTitle = (name: string): string => `${name} entfernen?`;
export const providerRemovalEffect = "Der Eintrag in hearth.toml und der gespeicherte Schlüssel werden gelöscht.";
export const providerRemovalEffectOnAgents = (goes: string, names: string): string =>
  `${goes} Diese Agenten können nicht antworten, bis du ein anderes Modell für sie wählst: ${names}.`;
export const sendTestRequest = "Testanfrage senden";
export const usedBy = (agents: string): string => `Verwendet von ${agents}`;

// security-section.tsx
export const security = "Sicherheit";
export const securityIntroduction =
  "Prüft Zugriff, Berechtigungen von Agenten und offene Daten, und empfiehlt Einschränkungen.";
export const runSecurityCheck = "Sicherheitsprüfung starten";
export const refreshRecommendations = "Empfehlungen aktualisieren";
export const fix = "Behebung:";
export const critical = "Kritisch";
export const recommended = "Empfohlen";
export const info = "Hinweis";
export const notChecked = (what: string): string => `Nicht geprüft: ${what}`;
export const noRecommendations = "Keine Empfehlungen";
export const oneSecurityRecommendation = "1 Sicherheitsempfehlung";
export const securityRecommendations = (length: number): string => `${length} Sicherheitsempfehlungen`;
export const withCritical = (total: string, criticalCount: number): string => `${total}, ${criticalCount} kritisch`;

// system-page.tsx
export const loading = "Wird geladen";
export const thisHouse = "Dieses Haus";
export const apiDocumentation = "API-Dokumentation";
export const checks = "Prüfungen";
export const checksIntroduction = "Prüft alles, was Hearth braucht, mit Anleitungen für das, was fehlt.";
export const runChecks = "Prüfungen starten";
export const refreshChecks = "Prüfungen wiederholen";
export const allChecksPassed = "Alle Prüfungen bestanden";
export const oneCheckFailed = "1 Prüfung nicht bestanden";
/** Shown for a fix that consists of commands only. */
export const fixInTerminal =
  "Die Behebung braucht ein Terminal auf dem Rechner dieses Hauses. Dort zeigt „doctor“ den Befehl.";
export const checksFailed = (failed: number): string => `${failed} Prüfungen nicht bestanden`;
