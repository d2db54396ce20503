/** German texts of this folder. */

// web-page.tsx
export const agent = "Agent";
export const noAgents = "In diesem Haus laufen keine Agenten.";

// web-access.tsx
export const hosts = "Hosts";
export const hostsIntroduction = (name: string): string =>
  `Hosts, die Programme und Werkzeuge von ${name} erreichen können. Adressen in deinem lokalen Netzwerk können sie nie erreichen.`;
export const noHosts = "Keine Hosts. Der Agent hat kein Netzwerk.";
export const removeHostCount = (count: number): string =>
  count === 1 ? "1 Host entfernen" : `${count} Hosts entfernen`;
export const remove = "Entfernen";
export const hostsRemoved = (count: number): string => (count === 1 ? "1 Host entfernt." : `${count} Hosts entfernt.`);
export const requests = "Anfragen";
export const modelOfAgent = "Das eigene Modell des Agenten, für Programme in seiner Sandbox";
export const anyMethod = "Jede Methode";
export const maxBytes = (bytes: string): string => `höchstens ${bytes} Byte pro Lauf`;
export const host = "Host";
export const hostHint = "Zum Beispiel api.example.org, oder *.example.org für alle Subdomains.";
export const invalidHost =
  "Gib einen Hostnamen in Kleinbuchstaben ein, zum Beispiel api.example.org, oder eine IP-Adresse.";
export const access = "Zugriff";
export const readOnly = "Nur lesen (GET, HEAD)";
export const readAndWrite = "Lesen und schreiben";
export const path = "Pfad (optional)";
export const pathHint = "Zum Beispiel /v1. Umfasst alles unterhalb des Pfads.";
export const invalidPath = "Gib einen Pfad ein, der mit einem Schrägstrich beginnt.";
export const allowHost = "Host erlauben";
export const hostAllowed = (name: string): string => `${name} erlaubt.`;

// secrets-section.tsx
export const secrets = "Geheimnisse";
export const secretsIntroduction =
  "Schlüssel und Passwörter für andere Dienste. Das Haus fügt ein Geheimnis den Anfragen hinzu, die du erlaubst. Agenten sehen es nie.";
export const noSecrets = "Keine Geheimnisse";
export const vaultIsLocked = "Geheimnisse sind gesperrt";
export const secretName = "Name";
export const secretNameHint = "Buchstaben, Ziffern, - und _. Zum Beispiel GITHUB_TOKEN.";
export const invalidName = "Verwende 1 bis 64 Buchstaben, Ziffern, - oder _.";
export const secretValue = "Wert";
export const valueHint = "Er wird verschlüsselt und nie wieder angezeigt.";
export const valueTooShort = (length: number): string => `Gib mindestens ${length} Zeichen ein.`;
export const addSecret = "Geheimnis hinzufügen";
export const secretAdded = (name: string): string => `${name} hinzugefügt.`;

// secret-table.tsx
export const uses = "Verwendungen";
export const allSecrets = "Alle Geheimnisse";
export const usedSecrets = "Verwendet";
export const unusedSecrets = "Nicht verwendet";
export const notUsed = "Kein Agent kann es verwenden.";
export const changed = "Geändert";
export const changeValue = "Wert ändern";
export const changeValueOf = (name: string): string => `Wert von ${name} ändern`;
export const allowUse = "Verwendung erlauben";
export const allowUseOf = (name: string): string => `Verwendung erlauben: ${name}`;
export const removeSecretCount = (count: number): string =>
  count === 1 ? "1 Geheimnis entfernen" : `${count} Geheimnisse entfernen`;
export const removeSecrets = (count: number): string =>
  count === 1 ? "1 Geheimnis entfernen?" : `${count} Geheimnisse entfernen?`;
export const secretRemovalEffect =
  "Anfragen enthalten ein entferntes Geheimnis nicht mehr. Du kannst das nicht rückgängig machen.";
export const secretsRemoved = (count: number): string =>
  count === 1 ? "1 Geheimnis entfernt." : `${count} Geheimnisse entfernt.`;

// secret-uses.tsx
export const revokeUse = (grant: string): string => `${grant} widerrufen`;
export const revoke = "Widerrufen";
export const grantRevoked = (grant: string): string => `${grant} widerrufen.`;

// change-secret.tsx
export const newValue = "Neuer Wert";
export const newValueHint =
  "Agenten, die das Geheimnis verwenden können, verwenden ab der nächsten Anfrage den neuen Wert.";
export const saveValue = "Wert speichern";
export const valueSaved = (name: string): string => `${name} geändert.`;

// allow-use.tsx
export const usedBy = "Verwendet von";
export const modelProviders = "Modellanbieter dieses Hauses";
export const addedAs = "Hinzugefügt als";
export const bearer = "Bearer-Token";
export const basic = "Passwort mit Benutzernamen";
export const header = "Header";
export const userName = "Benutzername";
export const headerName = "Name des Headers";
export const headerNameHint = "Zum Beispiel X-Api-Key.";
export const secretUseAllowed = (name: string): string => `Verwendung von ${name} erlaubt.`;
export const hostNotReachable = (agentName: string, hostName: string): string =>
  `${agentName} kann ${hostName} noch nicht erreichen. Erlaube den Host unter „${hosts}“.`;

// search-engine-section.tsx
export const searchEngine = "Suchmaschine";
export const searchEngineDetail =
  "Für Agenten mit dem Werkzeug „Im Web suchen“. Die Suchmaschine bekommt ihre Suchanfragen. Um sie zu ändern, melde dich zuerst mit einem Anmeldelink oder einem Passkey an.";
export const engine = "Dienst";
export const engines = { "": "Keine", brave: "Brave Search", searxng: "SearXNG" } as const;
export const address = "Adresse (optional)";
export const addressHint = "Zum Beispiel http://127.0.0.1:8080.";
export const invalidAddress = "Gib eine Adresse ein, zum Beispiel http://127.0.0.1:8080.";
export const engineKey = "API-Schlüssel";
export const newKey = "Neuer Schlüssel";
export const noKey = "Kein Schlüssel";
export const keyHint = "Er wird als Geheimnis dieses Hauses gespeichert und nie wieder angezeigt.";
export const keyRequired = "Brave Search braucht einen API-Schlüssel.";
export const secretNamed = (name: string): string => `Geheimnis ${name}`;
export const saveEngine = "Suchmaschine speichern";
export const engineSaved = "Suchmaschine gespeichert.";
export const testEngine = "Suchmaschine testen";

// grant-words.ts
export const publicWeb = "Öffentliches Web";
export const publicWebLimits = "Jede öffentliche Seite, mit GET und HEAD über HTTPS";
export const providers = "Modellanbieter";
export const aFormerAgent = "Ein ehemaliger Agent";
export const asBearer = "Bearer-Token";
export const asPasswordOf = (user: string): string => `Passwort von ${user}`;
export const asHeader = (name: string): string => `Header ${name}`;
export const grantDescription = (holder: string, hostName: string, use: string): string =>
  `${holder} bei ${hostName}, als ${use}`;
