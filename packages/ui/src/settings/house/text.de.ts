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

// provider-table.tsx
export const provider = "Anbieter";
export const state = "Status";
export const allStates = "Alle Zustände";
export const noProviders = "Keine Modellanbieter";
export const providersRemoved = (count: number): string =>
  count === 1 ? "1 Anbieter entfernt." : `${count} Anbieter entfernt.`;
export const offlineModel = "Offline-Helfer";
export const ready = "Bereit";
export const notReady = "Nicht bereit";
export const test = "Testen";
export const testProvider = (name: string): string => `${name} testen`;
export const remove = "Entfernen";
export const removeProviderCount = (count: number): string =>
  count === 1 ? "1 Anbieter entfernen" : `${count} Anbieter entfernen`;
export const removeProviders = (count: number): string =>
  count === 1 ? "1 Anbieter entfernen?" : `${count} Anbieter entfernen?`;
export const providerRemovalEffect =
  "Die Einstellungen und der gespeicherte Schlüssel eines entfernten Anbieters werden gelöscht.";
export const providerRemovalEffectOnAgents = (goes: string, names: string): string =>
  `${goes} Diese Agenten können nicht antworten, bis du ein anderes Modell für sie wählst: ${names}.`;
export const sendTestRequest = "Testanfrage senden";
export const usedBy = "Verwendet von";

// security-fixes.ts
export const askBeforeActing = "Vor Aktionen fragen";
export const askBeforeActingEffect = (name: string): string =>
  `${name} bittet dann vor jedem Aufruf mit Wirkung um Freigabe, auch in Ordnern, in die ohne Freigabe geschrieben werden durfte.`;
export const restrictCommands = "Befehle einschränken";
export const isolate = "Sandbox isolieren";
export const isolateEffect = (name: string): string =>
  `Ab dem nächsten Lauf arbeitet ${name} in der am stärksten isolierten Art von Sandbox auf diesem Rechner.`;
export const removeCommandsEffect = (name: string): string =>
  `Dieser Rechner hat keine Sandbox mit Isolation. Deshalb verliert ${name} die Werkzeuge, die in der Sandbox Befehle ausführen oder Dateien schreiben.`;
export const removeTrust = "Vertrauenswürdige Ordner entfernen";
export const removeTrustEffect = (name: string): string =>
  `${name} bittet dann um Freigabe, bevor Dateien geschrieben oder Befehle ausgeführt werden.`;
export const setBudget = "Budget festlegen";
export const changeWebAccess = "Webzugriff ändern";
export const closeLoopback = "Lokale Programme sperren";
export const closeLoopbackEffect =
  "Agenten erreichen dann kein Programm auf diesem Rechner, zum Beispiel einen lokalen Webserver.";
export const revokeKey = "Schlüssel widerrufen";
export const revokeKeyEffect =
  "Programme mit diesem Schlüssel verlieren sofort den Zugriff. Du kannst den Schlüssel nicht wiederherstellen.";
export const revokeInviteLink = "Link widerrufen";
export const revokeInviteLinkEffect = "Der Link gilt sofort nicht mehr. Du kannst ihn nicht wiederherstellen.";
export const removeRights = "Rechte entfernen";
export const removeRightsEffect = (name: string): string =>
  `${name} behält die Rolle und verliert alle zusätzlichen Rechte.`;
export const removeRule = "Regel entfernen";
export const removeRuleEffect = "Der Agent bittet dann wieder um Freigabe.";
export const blockWakes = "Gäste sperren";
export const blockWakesEffect =
  "Diese Personen können im Raum weiter lesen und schreiben, aber ihre Nachrichten wecken keinen Agenten.";
export const openChannelFix =
  "Damit neue Absender eine Zulassung brauchen, ändere auf dem Rechner des Hauses in hearth.toml, wen dieser Kanal zulässt.";
export const revokeUse = "Verwendung widerrufen";
export const revokeUseEffect =
  "Anfragen an diesen Host werden dann ohne das Geheimnis gesendet. Das Geheimnis bleibt gespeichert.";
export const removeSecret = "Geheimnis entfernen";
export const removeSecretEffect = "Sein Wert wird gelöscht, und du kannst ihn nicht wiederherstellen.";
export const lockedVaultFix =
  "Stelle auf dem Rechner des Hauses den Schlüssel der Geheimnisse wieder her. Starte Hearth dann neu.";
export const vaultKeyFix =
  "Schütze auf dem Rechner des Hauses den Schlüssel der Geheimnisse mit einer Passphrase oder dem Schlüsselbund des Systems.";
export const viewAuditLog = "Audit-Log anzeigen";
export const viewProviders = "Modellanbieter anzeigen";
export const durabilityFix =
  "Setze auf dem Rechner des Hauses in hearth.toml die Dauerhaftigkeit des Speichers (durability) auf power. Starte Hearth dann neu.";
export const plainAddressFix =
  "Stelle die öffentliche Adresse über TLS bereit: mit einem Proxy vor Hearth oder mit Zertifikatsdateien in hearth.toml.";
export const plainProxyFix =
  "Betreibe den Proxy auf dem Rechner des Hauses, oder füge Zertifikatsdateien zu hearth.toml hinzu.";
export const wideProxiesFix =
  "Liste auf dem Rechner des Hauses in hearth.toml die Adresse jedes vertrauenswürdigen Proxys auf.";
export const loopbackWebhooksFix =
  "Entferne auf dem Rechner des Hauses aus hearth.toml die Einstellung, die Webhooks an diesen Rechner erlaubt. Starte Hearth dann neu.";
export const fileModeFix =
  "Entferne auf dem Rechner des Hauses den Zugriff anderer Benutzer auf diese Datei oder diesen Ordner.";
export const refusedConfigFix = "Korrigiere hearth.toml auf dem Rechner des Hauses.";

// finding-fix.tsx
export const fixed = "Behoben.";
export const fixOf = (fix: string, where: string): string => `${fix}: ${where}`;
export const confirmFix = (fix: string): string => `${fix}?`;
export const thisMember = "Dieses Mitglied";
// check-links.ts
export const viewAccount = "Konto öffnen";
export const viewAgent = "Agent öffnen";
export const viewBackups = "Sicherungen öffnen";
export const viewChannels = "Kanäle öffnen";
export const reviewChanges = "Änderungen prüfen";
export const decideOnRestore = "Über die Fortsetzung entscheiden";

// security-section.tsx
export const security = "Sicherheit";
export const securityIntroduction =
  "Prüft Zugriff, Berechtigungen von Agenten und offene Daten, und empfiehlt Einschränkungen.";
export const runSecurityCheck = "Sicherheitsprüfung starten";
export const runSecurityCheckAgain = "Sicherheitsprüfung wiederholen";
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
export const runChecksAgain = "Prüfungen wiederholen";
export const allChecksPassed = "Alle Prüfungen bestanden";
export const oneCheckFailed = "1 Prüfung nicht bestanden";
/** Shown for a fix that consists of commands only. */
export const fixInTerminal =
  "Die Behebung braucht ein Terminal auf dem Rechner dieses Hauses. Dort zeigt „doctor“ den Befehl.";
export const checksFailed = (failed: number): string => `${failed} Prüfungen nicht bestanden`;

// provider-row.tsx
export const changeKey = "Schlüssel ändern";
export const changeKeyOf = (name: string): string => `Schlüssel ändern: ${name}`;

// change-key.tsx
export const newKeyOf = (name: string): string => `Neuer API-Schlüssel für ${name}`;
export const newKeyHint =
  "Eine kleine Anfrage testet zuerst den Schlüssel. Der gespeicherte wird nur ersetzt, wenn der Anbieter den neuen annimmt.";
export const enterAKey = "Gib einen API-Schlüssel ein.";
export const oldKeyStays = "Der alte Schlüssel bleibt in Gebrauch.";
export const keyChanged = (name: string): string => `Schlüssel von ${name} geändert.`;
export const testAndSaveKey = "Schlüssel testen und speichern";
export const cancel = "Abbrechen";

// edit-provider.tsx
export const editProvider = "Bearbeiten";
export const editProviderNamed = (name: string): string => `${name} bearbeiten`;
export const providerAddress = "Adresse";
export const providerAddressHint = "Der gespeicherte Schlüssel geht an diese Adresse.";
export const addressOfVendor = "Adresse des Anbieters";
export const wrongProviderAddress = "Gib eine Adresse ein, die mit http:// oder https:// beginnt.";
export const retries = "Wiederholungen";
export const retriesHint = "Nach einem vorübergehenden Fehler, solange kein Teil der Antwort angezeigt ist.";
export const byDefault = "Standard";
export const saveProvider = "Anbieter speichern";
export const providerChanged = (name: string): string => `${name} geändert.`;

// houses-section.tsx
export const houses = "Häuser";
export const housesIntroduction = "Jedes Haus hat Personen, Agenten und Räume, die andere Häuser nicht sehen.";
export const yourRole = "Deine Rolle";
export const place = "Ort";
export const openNow = "Du bist hier";
export const openHouse = "Öffnen";
export const openHouseNamed = (name: string): string => `${name} öffnen`;
export const newHouse = "Neues Haus";
export const newHouseDetail =
  "Du wirst Admin des Hauses. Modellanbieter, Kanäle und Backups sind allen Häusern gemeinsam.";
export const enterAHouseName = "Gib einen Namen ein.";
export const createHouse = "Haus erstellen";
export const houseCreated = (name: string): string => `${name} erstellt.`;

// update-section.tsx
export const update = "Aktualisierung";
export const updateIntroduction =
  "Das Haus übernimmt eine installierte Version beim nächsten Start. Es kopiert zuerst die Datenbank und stellt die Kopie wieder her, falls die Aktualisierung fehlschlägt.";
export const updateWaits = (version: string): string => `Version ${version} ist installiert`;
export const updateAtNextStart = "Der nächste Start des Hauses verwendet diese Version.";
export const upToDate = "Die installierte Version läuft";
export const runningVersion = "Laufende Version";
export const installedVersion = "Installierte Version";
export const schema = "Datenbankschema";
export const schemaChange = (from: number, to: number, steps: number): string =>
  steps === 1 ? `jetzt ${from}, nach 1 Änderung ${to}` : `jetzt ${from}, nach ${steps} Änderungen ${to}`;
export const updateTime = "Dauer";
export const aboutSeconds = (seconds: number): string => `Etwa ${seconds} s`;
export const diskSpace = "Speicherplatz";
export const neededOfFree = (needed: string, free: string): string => `${needed} nötig, ${free} frei`;
export const openRuns = "Laufende Arbeit";
export const noOpenRuns = "Keine";
export const runsResume = (count: number): string =>
  count === 1 ? "1 Lauf, der nach dem Start weitergeht" : `${count} Läufe, die nach dem Start weitergehen`;
export const copyFromBefore = "Kopie von vorher";
export const noCopy = "Keine. Die erste Aktualisierung macht eine.";
export const copyOf = "Erstellt";
export const lostSince = (messages: number, runs: number): string =>
  `Bei einer Rückkehr gingen ${messages} ${messages === 1 ? "Nachricht" : "Nachrichten"} und ${runs} ${runs === 1 ? "Lauf" : "Läufe"} verloren.`;
export const beforeAnUpdate = "Bevor du eine neue Version installierst:";
export const makeABackup = "mach ein Backup";
