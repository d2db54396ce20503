/** German texts of this folder. */
import type { ApprovalState, AuditFault, AuditType } from "@hearth/protocol";

// audit-page.tsx
export const auditLog = "Audit-Log";
export const auditLogOf = (house: string): string => `Audit-Log von ${house}`;
export const introduction =
  "Eine versiegelte Aufzeichnung dessen, was Personen und Agenten hier getan haben. Sie enthält Namen, IDs, Zustände und Zeiten, aber nie den Text von Nachrichten oder die Werte von Geheimnissen.";
export const filters = "Filter";
export const kind = "Art";
export const allKinds = "Alle Arten";
export const person = "Person";
export const allPeople = "Alle Personen";
export const agent = "Agent";
export const allAgents = "Alle Agenten";
export const formerMember = "Ehemaliges Mitglied";
export const removedPlace = "ein entfernter Raum";
export const from = "Von";
export const to = "Bis";

// audit-rows.tsx
export const rows = "Zeilen des Audit-Logs";
export const act = "Vorgang";
export const who = "Wer";
export const time = "Zeit";
export const noRows = "Keine passenden Zeilen.";
export const noRowsYet = "Keine passenden Zeilen in dem Teil, der durchsucht wurde.";
export const showOlder = "Ältere Zeilen anzeigen";
export const searchOlder = "Ältere Zeilen durchsuchen";
export const olderLoaded = "Ältere Zeilen geladen.";

export const row = "Zeile";
export const type = "Typ";
export const seal = "Siegel";
export const noSeal = "Fehlt";

// verify-section.tsx
export const verifyLog = "Log prüfen";
export const exportLog = "Log exportieren";
export const exportHint =
  "Der Export ist eine Datei mit JSON-Zeilen. docs/verify-audit.py im Quelltext von Hearth prüft sie mit dem Schlüssel des Logs.";
export const verifying = (seconds: number): string => `Alle Zeilen werden seit ${seconds} s geprüft`;
export const logIsIntact = "Das Log ist unversehrt";
export const damaged = "Das Log passt nicht zu seinen Siegeln";
export const verified = (rowCount: string, duration: string): string => `${rowCount} Zeilen in ${duration} geprüft.`;
export const damagedRemedy =
  "Wenn du eine Sicherung wiederhergestellt hast, endet das Log vor seinem Anker, und das ist zu erwarten. Sonst hat ein anderes Programm das Log geändert: Vergleiche es mit einer Kopie an einem anderen Ort oder mit einer Sicherung.";

// audit-words.ts
/** The titles of the kinds of acts, for the filter. */
export const kindTitles: Readonly<Record<AuditType, string>> = {
  record: "Agenten, Personen und Räume",
  grant: "Rollen und Rechte",
  key: "API-Schlüssel",
  login: "Anmeldungen",
  password: "Passwörter",
  "second-factor": "Zweite Faktoren",
  "recovery-code": "Wiederherstellungscodes",
  passkey: "Passkeys",
  "push-device": "Geräte für Benachrichtigungen",
  identity: "Konten für Single Sign-on",
  invite: "Einladungslinks",
  pairing: "Absender auf Kanälen",
  conversation: "Unterhaltungen auf Kanälen",
  secret: "Geheimnisse",
  "secret-grant": "Verwendungen von Geheimnissen",
  "vault-key": "Schlüssel der Geheimnisse",
  "signing-key": "Signaturschlüssel",
  subscription: "Webhooks",
  stop: "Stopps von Agenten",
  approval: "Freigaben",
  "approval-rule": "Regeln für Freigaben",
  proposal: "Vorschläge für Dateien des Gehirns",
  label: "Vertrauenswürdige Dateien",
  activation: "Läufe",
  step: "Modell- und Werkzeugaufrufe",
  egress: "Netzwerkanfragen",
  delivery: "Nachrichten auf Kanälen",
  upload: "Uploads",
  attachment: "Anhänge",
  transcript: "Transkripte",
  description: "Beschreibungen von Bildern",
  speech: "Vorgelesene Nachrichten",
  restore: "Entscheidungen nach Wiederherstellungen",
  daemon: "Starts und Stopps von Hearth",
  config: "Einstellungen",
  log: "Audit-Log",
};
/** Each kind in the singular, for acts without their own sentence. */
export const typeNouns: Readonly<Record<AuditType, string>> = {
  record: "Eintrag",
  grant: "Rolle",
  key: "API-Schlüssel",
  login: "Sitzung",
  password: "Passwort",
  "second-factor": "Zweiter Faktor",
  "recovery-code": "Wiederherstellungscode",
  passkey: "Passkey",
  "push-device": "Gerät für Benachrichtigungen",
  identity: "Konto für Single Sign-on",
  invite: "Einladungslink",
  pairing: "Absender auf einem Kanal",
  conversation: "Unterhaltung auf einem Kanal",
  secret: "Geheimnis",
  "secret-grant": "Verwendung eines Geheimnisses",
  "vault-key": "Schlüssel der Geheimnisse",
  "signing-key": "Signaturschlüssel",
  subscription: "Webhook",
  stop: "Stopp",
  approval: "Freigabe",
  "approval-rule": "Regel für Freigaben",
  proposal: "Vorschlag",
  label: "Vertrauenswürdige Datei",
  activation: "Lauf",
  step: "Aufruf",
  egress: "Netzwerkanfrage",
  delivery: "Nachricht auf einem Kanal",
  upload: "Upload",
  attachment: "Anhang",
  transcript: "Transkript",
  description: "Beschreibung eines Bildes",
  speech: "Vorgelesene Nachricht",
  restore: "Entscheidung nach einer Wiederherstellung",
  daemon: "Hearth",
  config: "Einstellungen",
  log: "Audit-Log",
};
export const changes = {
  added: "hinzugefügt",
  written: "gespeichert",
  changed: "geändert",
  removed: "entfernt",
  started: "gestartet",
  stopped: "gestoppt",
  began: "begonnen",
} as const;
const quote = (name: string | undefined): string => (name === undefined ? "" : ` „${name}“`);
const after = (before: string, text: string | undefined): string => (text === undefined ? "" : `${before}${text}`);
/** For acts without their own sentence, such as "Passkey „Phone“ von Ada hinzugefügt". */
export const otherAct = (noun: string, name: string | undefined, owner: string | undefined, change: string): string =>
  `${noun}${quote(name)}${after(" von ", owner)} ${change}`;
export const recordKinds = { room: "Raum", house: "Haus", agent: "Agent oder Person", other: "Eintrag" } as const;
export const recordChanged = (kind: string, name: string, change: string): string => `${kind} ${name} ${change}`;
export const accessRemoved = (member: string, place: string): string => `Zugriff von ${member} entfernt: ${place}`;
export const roleGiven = (member: string, role: string, place: string): string =>
  `${member} hat jetzt die Rolle ${role} (${place})`;
export const keyRevoked = (name: string | undefined): string => `API-Schlüssel${quote(name)} widerrufen`;
export const keyCreated = (name: string | undefined, owner: string): string =>
  `API-Schlüssel${quote(name)} von ${owner} erstellt`;
export const loggedIn = (name: string): string => `${name} hat sich angemeldet`;
export const sessionRenamed = (name: string): string => `Sitzung in „${name}“ umbenannt`;
export const inviteUsed = (name: string): string => `Einladungslink verwendet von ${name}`;
export const inviteRevoked = "Einladungslink widerrufen";
export const inviteCreated = (role: string): string => `Einladungslink für die Rolle ${role} erstellt`;
export const secretUseAllowed = (secret: string): string => `Verwendung des Geheimnisses ${secret} erlaubt`;
export const secretUseRevoked = (secret: string): string => `Verwendung des Geheimnisses ${secret} widerrufen`;
export const agentStopped = (name: string): string => `${name} gestoppt`;
export const agentResumed = (name: string): string => `${name} fortgesetzt`;
export const agentsStopped = "Alle Agenten gestoppt";
export const agentsResumed = "Alle Agenten fortgesetzt";
export const approvalStates: Readonly<Record<ApprovalState, string>> = {
  pending: "angefragt",
  allowed: "erteilt",
  denied: "abgelehnt",
  expired: "abgelaufen",
  used: "verwendet",
};
export const approvalState = (tool: string | undefined, state: string): string =>
  `Freigabe${after(" von ", tool)} ${state}`;
export const modelCall = "Modellaufruf";
export const intake = "Empfang von Nachrichten";
export const callOf = (tool: string): string => `Aufruf von ${tool}`;
export const callOfTool = "Aufruf eines Werkzeugs";
export const callStates = {
  started: "begonnen",
  done: "beendet",
  refused: "abgelehnt",
  unknown: "mit unbekanntem Ergebnis",
} as const;
export const callState = (call: string, state: string): string => `${call} ${state}`;
export const runDeleted = "Lauf nach Ablauf seiner Aufbewahrung gelöscht";
export const runOutcome = (agent: string, outcome: string): string =>
  `Lauf von ${agent}: ${outcome.charAt(0).toLowerCase()}${outcome.slice(1)}`;
export const requestEnded = (outcome: string | undefined): string => `Netzwerkanfrage beendet${after(": ", outcome)}`;
export const requestTo = (method: string | undefined, host: string, outcome: string | undefined): string =>
  `${method ?? "Anfrage"} an ${host}${after(": ", outcome)}`;
export const delivered = (channel: string | undefined, state: string | undefined): string =>
  `Nachricht${after(" an Kanal ", channel)}${after(": ", state)}`;
export const configEdited = (table: string | undefined): string => `hearth.toml bearbeitet${after(": ", table)}`;
export const anchorMissing = "Anker fehlte bei einem Start von Hearth";
export const rowsMoved = (first: string, last: string): string =>
  `Zeilen ${first} bis ${last} in ein Segment verschoben`;
export const faultTitles: Readonly<Record<AuditFault, string>> = {
  changed: "Zeilen wurden geändert",
  missing: "Zeilen fehlen",
  forked: "Zeilen stehen in falscher Reihenfolge",
  truncated: "Zeilen am Ende fehlen",
  rewritten: "Das Log wurde durch ein anderes ersetzt",
  anchor: "Der Anker bestätigt das Ende des Logs nicht",
};

export const hearth = "Hearth";
export const withKey = "mit einem API-Schlüssel";
export const withLogin = "in einer Browsersitzung";
export const onMachine = "auf dem Rechner des Hauses";
export const byRight = (right: string): string => `durch das Recht „${right}“`;
export const namedId = (name: string, id: string): string => `${name} (${id})`;
export const factTitles = {
  account: "Konto",
  activation: "Lauf",
  after: "Nach",
  agent: "Agent",
  approval: "Freigabe",
  attempts: "Versuche",
  audit_key: "Audit-Schlüssel",
  before: "Vorher",
  blob: "Gespeicherte Datei",
  body: "Text",
  bound: "Feste Werte",
  by: "Von",
  caption: "Bildunterschrift",
  cause: "Ursache",
  change: "Änderung",
  channel: "Kanal",
  config: "Konfiguration",
  content: "Inhalt",
  conversation: "Unterhaltung",
  cost: "Kosten",
  crashes: "Abstürze",
  decision: "Entscheidung",
  detail: "Details",
  display: "Gezeigter Aufruf",
  edited_by: "Bearbeitet von",
  effect: "Wirkungsklasse",
  endpoint: "Adresse des Geräts",
  error: "Fehler",
  event: "Ereignis",
  expires_at: "Läuft ab",
  external: "ID bei der Plattform",
  fence: "Nummer der Lease",
  final_size: "Endgültige Größe",
  halts: "Hält den Lauf an",
  handle: "Handle",
  hash: "Hash",
  host: "Host",
  house: "Haus",
  id: "ID",
  input_hash: "Hash der Eingabe",
  issuer: "Aussteller",
  key: "Schlüssel",
  kind: "Art",
  labels: "Labels",
  level: "Rolle",
  merged_into: "Zusammengeführt in",
  method: "Methode",
  model: "Modell",
  name: "Name",
  note: "Notiz",
  outcome: "Ergebnis",
  output: "Ergebnis des Aufrufs",
  output_blob: "Gespeichertes Ergebnis",
  owner: "Besitzer",
  parent: "Übergeordneter Lauf",
  path: "Pfad",
  person: "Person",
  pid: "Prozess-ID",
  port: "Port",
  provider: "Anbieter",
  public: "Öffentlicher Schlüssel",
  reason: "Grund",
  received_bytes: "Empfangene Bytes",
  refused_by: "Abgelehnt von",
  revoked_at: "Widerrufen",
  right: "Recht",
  rights: "Rechte",
  room: "Raum",
  rooms: "Räume",
  scope: "Umfang",
  secret: "Geheimnis",
  secrets: "Geheimnisse",
  sent_bytes: "Gesendete Bytes",
  session: "Sitzung",
  size: "Größe",
  skip: "Grund für das Überspringen",
  source: "Quelle",
  state: "Status",
  status: "HTTP-Status",
  step: "Schritt",
  subject: "Betreff",
  table: "Tabelle",
  target: "Ziel",
  terms: "Bedingungen",
  text: "Text",
  through: "Bis",
  tool: "Werkzeug",
  trigger: "Auslöser",
  type: "Art des Datensatzes",
  upload: "Upload",
  used_at: "Verwendet",
  used_by: "Verwendet von",
  version: "Version",
  via: "Anmeldung",
  why: "Anlass",
} as const;
export const hashOf = (fact: string): string => `${fact} (SHA-256)`;
export const bytesOf = (fact: string): string => `${fact} (Bytes)`;
export const requestOutcomes = { allowed: "erlaubt", refused: "verweigert", failed: "fehlgeschlagen" } as const;
export const deliveryStates = {
  queued: "in der Warteschlange",
  sending: "wird gesendet",
  sent: "gesendet",
  unknown: "Ergebnis unbekannt",
  refused: "von der Plattform abgelehnt",
} as const;
export const credentials = {
  key: "API-Schlüssel",
  login: "Sitzung im Browser",
  "run-token": "Rechner des Hauses",
} as const;
export const translated = (words: string, value: string): string => `${words} (${value})`;
