/** German texts of this folder. */
import type { StorageKind } from "@hearth/protocol";
import type { TargetFields, TargetKind } from "./target-address.ts";

// backups-page.tsx
export const backups = "Sicherungen";
export const backupsIntroduction =
  "Eine Sicherung enthält alles, auch die Schlüssel des Hauses. Bewahre sie auf einer anderen Festplatte oder einem anderen Rechner auf, und schütze sie.";
export const noBackupTargets =
  "Dieses Haus macht noch keine Sicherungen. Speichere unten einen Sicherungsordner, oder füge ein Ziel anderswo hinzu.";
export const localFolder = "Ordner";
export const place = "Ort";
export const state = "Status";
export const last = "Letzte Sicherung";
export const next = "Nächste Sicherung";
export const none = "Keine";
export const encrypted = "Verschlüsselt";
export const backupRunning = "Sicherung läuft";
export const backupNumber = (number: number): string => `Sicherung ${number}`;
export const noBackup = "Noch keine Sicherung";
export const upToDate = "Aktuell";
export const late = "Überfällig";
export const failed = "Die letzte Sicherung ist fehlgeschlagen";
export const backUpNow = "Jetzt sichern";
export const backUpTo = (name: string): string => `Jetzt sichern: ${name}`;
export const backupStarted = "Sicherung begonnen.";
export const test = "Testen";
export const testCount = (count: number): string => (count === 1 ? "1 Ziel testen" : `${count} Ziele testen`);
export const testResult = (name: string, result: string): string => `${name}: ${result}`;
export const change = "Ändern";
export const changeTarget = (name: string): string => `${name} ändern`;
export const remove = "Entfernen";
export const removeCount = (count: number): string => (count === 1 ? "1 Ziel entfernen" : `${count} Ziele entfernen`);
export const removeTargets = (count: number): string =>
  count === 1 ? "1 Ziel entfernen?" : `${count} Ziele entfernen?`;
export const removalEffect = "Das Haus macht dort keine Sicherungen mehr. Die vorhandenen Sicherungen bleiben dort.";
export const removedCount = (count: number): string => (count === 1 ? "1 Ziel entfernt." : `${count} Ziele entfernt.`);
export const testPassed = "Das Ziel funktioniert. Ein Testobjekt wurde geschrieben, gelesen und gelöscht.";

// add-target.tsx
export const targets = "Ziele anderswo";
export const newTarget = "Neues Ziel";
export const addTarget = "Ziel hinzufügen";
export const targetsIntroduction =
  "Ein Ziel bewahrt Sicherungen auf einem anderen Rechner auf, wo sie den Verlust von diesem überstehen. Melde dich zuerst mit einem Anmeldelink oder einem Passkey an. Du kannst die Ziele dann 15 Minuten lang ändern.";
export const targetName = "Name";
export const targetNameHint = "Kleinbuchstaben, Ziffern und Bindestriche, zum Beispiel extern.";
export const nameTaken = "Es gibt schon ein Ziel mit diesem Namen.";
export const targetKind = "Art";
export const targetKinds: Readonly<Record<TargetKind, string>> = {
  s3: "S3-kompatibler Speicher",
  sftp: "SSH-Server",
  file: "Eingehängter Ordner",
};

interface AddressField {
  readonly name: Exclude<keyof TargetFields, "kind">;
  readonly label: string;
  readonly hint?: string;
}
export const addressFields: Readonly<Record<TargetKind, readonly AddressField[]>> = {
  s3: [
    { name: "bucket", label: "Bucket" },
    { name: "folder", label: "Präfix", hint: "Ein Ordner im Bucket. Lass das Feld leer, wenn du keinen brauchst." },
    {
      name: "endpoint",
      label: "Adresse des Speichers",
      hint: "Zum Beispiel https://s3.example.com. Lass das Feld für AWS leer.",
    },
    { name: "region", label: "Region", hint: "Zum Beispiel eu-central-1." },
  ],
  sftp: [
    {
      name: "host",
      label: "Server",
      hint: "USER@HOST. Der Rechner des Hauses muss den Schlüssel dieses Hosts kennen.",
    },
    { name: "folder", label: "Ordner auf dem Server", hint: "Ein absoluter Pfad, zum Beispiel /srv/hearth." },
    {
      name: "identityFile",
      label: "Privater Schlüssel",
      hint: "Der Pfad der Datei auf dem Rechner des Hauses. Lass das Feld leer, damit ssh den Schlüssel wählt.",
    },
  ],
  file: [{ name: "folder", label: "Ordner", hint: "Ein absoluter Pfad, zum Beispiel /mnt/share/hearth." }],
};
export const accessKeyId = "Access-Key-ID";
export const keysHint =
  "Die Schlüssel werden im Verzeichnis des Hauses gespeichert. Bewahre anderswo eine Kopie auf: Eine Wiederherstellung auf einem neuen Rechner braucht sie.";
export const secretAccessKey = "Secret Access Key";
export const targetAdded = (name: string): string => `${name} hinzugefügt.`;

// target-schedule.tsx
export const targetEveryHint = "Zum Beispiel 12h oder 1d. Lass das Feld leer für die Werte des Sicherungsordners.";

// change-target.tsx
export const saveTarget = (name: string): string => `${name} speichern`;
export const targetSaved = (name: string): string => `${name} gespeichert.`;
/** An interval in the form of the config, such as "12h". */
export const interval = (ms: number): string => {
  const minutes = Math.round(ms / 60_000);
  if (minutes % 1440 === 0) return `${minutes / 1440}d`;
  return minutes % 60 === 0 ? `${minutes / 60}h` : `${minutes}m`;
};

// schedule-section.tsx
export const schedule = "Sicherungsordner";
export const scheduleIntroduction =
  "Melde dich zuerst mit einem Anmeldelink oder einem Passkey an, um diese Einstellungen zu ändern. Du kannst sie dann 15 Minuten lang ändern.";
export const folderPath = "Pfad auf diesem Rechner";
export const folderPathHint =
  "Ein absoluter Pfad, am besten auf einer anderen Festplatte. Lass das Feld leer für keine Sicherungen in einen Ordner.";
export const backupInterval = "Abstand";
export const backupIntervalHint = "Zum Beispiel 12h oder 1d.";
export const backupsToKeep = "Aufbewahrte Sicherungen";
export const backupsToKeepHint = "Ältere Sicherungen werden entfernt.";
export const saveSchedule = "Sicherungsordner speichern";
export const scheduleSaved = "Sicherungsordner gespeichert.";

// restore-section.tsx
export const restore = "Wiederherstellen";
export const restoreIntroduction =
  "Eine Wiederherstellung ersetzt alles in diesem Haus durch eine Sicherung. Melde dich zuerst mit einem Anmeldelink oder einem Passkey an. Du kannst dann 15 Minuten lang wiederherstellen.";
export const restoreFrom = "Ort";
export const showCopies = "Sicherungen auflisten";
export const noCopies = "An diesem Ort gibt es keine Sicherungen.";
export const copy = "Sicherung";
export const made = "Erstellt";
export const complete = "Vollständig";
export const damaged = "Beschädigt";
export const restoreBackup = (number: number): string => `Sicherung ${number} wiederherstellen`;
export const restoreTitle = (number: number): string => `Sicherung ${number} wiederherstellen?`;
export const restoreConsequences =
  "Nachrichten, Agenten, Schlüssel und Einstellungen werden die der Sicherung. Das Haus startet danach angehalten. Es arbeitet erst, wenn du auf dieser Seite wählst, wie es weitergeht. Die bisherigen Dateien bleiben bis zur nächsten Wiederherstellung im Ordner „replaced“.";
export const restoreLogin =
  "Vielleicht musst du dich neu anmelden. Auch Passwörter, Passkeys und Sitzungen sind die der Sicherung.";
export const privateKey = "Identität";
export const privateKeyHint = "Der private Schlüssel dieser Sicherung, von age-keygen. Er wird nicht gespeichert.";
export const preparingRestore = (number: number): string =>
  `Sicherung ${number} wird geprüft und kopiert. Das Haus arbeitet bis dahin weiter.`;
export const restartingHouse = (number: number): string =>
  `Sicherung ${number} ist kopiert. Das Haus startet jetzt damit.`;
export const restoreFailed = (number: number): string =>
  `Sicherung ${number} wurde nicht wiederhergestellt. Das Haus ist unverändert.`;

// storage-section.tsx
export const storage = "Speicher";
export const storageIntroduction =
  "Belegter Speicher nach Art. Bei einem großen Haus dauert das Messen einige Sekunden.";
export const measure = "Speicher messen";
export const measureAgain = "Speicher erneut messen";
export const kind = "Art";
export const size = "Größe";
export const total = "Summe";
export const kinds: Readonly<Record<StorageKind, string>> = {
  messages: "Nachrichten und Zusammenfassungen",
  turns: "Details der Läufe",
  audit: "Audit-Log",
  events: "Ereignisse von Agenten und Häusern",
  streams: "Byte-Streams",
  versions: "Versionen der Gehirn-Dateien",
  channels: "Kanäle",
  jobs: "Bisherige Läufe von Automatisierungen",
  settings: "Einträge und Einstellungen",
  free: "Freier Platz in der Datenbank",
  log: "Write-Ahead-Log der Datenbank",
  blobs: "Dateien und lange Texte",
  brains: "Gehirn-Dateien",
  work: "Sandboxes",
  index: "Suchindex",
  cache: "Caches",
  copies: "Kopien der Datenbank",
  logs: "Logs",
};
