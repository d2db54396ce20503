/** German texts of this folder. */
import type { PushRule, SpokenReplies } from "@hearth/protocol";
import type { PushProblem } from "../../house/push-browser.ts";

// this-device.tsx
export const thisDevice = "Dieses Gerät";
export const thisDeviceIntroduction =
  "Dieses Gerät zeigt Benachrichtigungen ohne Ton, auch wenn Hearth geschlossen ist. Der Push-Dienst des Browsers stellt sie verschlüsselt zu.";
export const notificationsOn = "Benachrichtigungen sind eingeschaltet.";
export const notificationsOff = "Benachrichtigungen sind ausgeschaltet.";
export const turnOn = "Benachrichtigungen einschalten";
export const turnOff = "Benachrichtigungen ausschalten";
export const turnedOn = "Benachrichtigungen sind für dieses Gerät eingeschaltet.";
export const turnedOff = "Benachrichtigungen sind für dieses Gerät ausgeschaltet.";
export const problems: Readonly<Record<PushProblem, string>> = {
  insecure: "Browser zeigen Benachrichtigungen nur für Seiten mit https. Öffne Hearth unter seiner https-Adresse.",
  unsupported: "Dieser Browser kennt solche Benachrichtigungen nicht.",
  "install-first":
    "Füge Hearth zuerst zum Home-Bildschirm hinzu: Öffne das Teilen-Menü, und wähle „Zum Home-Bildschirm“.",
  denied:
    "Dieser Browser blockiert Benachrichtigungen von Hearth. Erlaube sie in den Einstellungen des Browsers für diese Seite.",
};

// page-notifications.tsx
export const openPages = "Offene Seiten";
export const openPagesIntroduction =
  "Hearth benachrichtigt dich, während eine seiner Seiten im Hintergrund offen ist, ohne Push-Dienst und ohne Ton. Die Regeln und Ruhezeiten unten gelten auch dafür.";
export const pageNotificationsOn = "Offene Seiten benachrichtigen dich.";
export const pageNotificationsOff = "Offene Seiten benachrichtigen dich nicht.";
export const pushReplacesPageNotifications =
  "Dieses Gerät bekommt Push-Benachrichtigungen, deshalb zeigen offene Seiten keine.";
export const turnOnPageNotifications = "Für offene Seiten einschalten";
export const turnOffPageNotifications = "Für offene Seiten ausschalten";
export const pageNotificationsTurnedOn = "Offene Seiten benachrichtigen dich auf diesem Gerät.";
export const pageNotificationsTurnedOff = "Offene Seiten benachrichtigen dich auf diesem Gerät nicht.";

// room-notices.ts
export const hearth = "Hearth";
export const asksForApproval = (room: string): string => `Bittet um Freigabe in ${room}`;

// devices-section.tsx
export const devices = "Geräte";
export const devicesIntroduction = "Ein Gerät bekommt Benachrichtigungen, bis du es entfernst oder abmeldest.";
export const noDevices = "Keine Geräte";
export const removeDevice = (name: string): string => `${name} entfernen`;
export const remove = "Entfernen";
export const removed = (name: string): string => `${name} entfernt.`;
export const added = "Hinzugefügt: ";
export const lastSent = "Letzte Benachrichtigung: ";
export const thisDeviceBadge = "Dieses Gerät";
export const sendTest = "Testbenachrichtigung senden";
export const testSent = (sent: number, failed: number): string =>
  failed === 0 ? `An ${count(sent)} gesendet.` : `An ${count(sent)} gesendet. Nicht erreicht: ${failed}.`;
const count = (devicesCount: number): string => (devicesCount === 1 ? "1 Gerät" : `${devicesCount} Geräte`);

// rules-section.tsx
export const rules = "Regeln";
export const rulesIntroduction =
  "Gelten für alle deine Geräte. Im Menü eines Raums legst du die Regel dieses Raums fest.";
export const everyRoom = "Räume ohne Regel";
export const ruleTitles: Readonly<Record<PushRule, string>> = {
  all: "Alle Nachrichten und Freigaben",
  important: "Erwähnungen, Antworten und Freigaben",
  none: "Nichts",
};
export const ruleDetails: Readonly<Record<PushRule, string>> = {
  all: "Jede Nachricht, die du nicht selbst geschrieben hast.",
  important: "Auch jede Nachricht in Chats mit einem Agenten.",
  none: "Keine Benachrichtigungen.",
};
export const sameAsOtherRooms = "Wie in anderen Räumen";
export const showsText = "Anfang von Nachrichten anzeigen";
export const showsTextDetail = "Sonst nennt eine Benachrichtigung nur den Agenten und den Raum.";
export const ruleSaved = "Regeln gespeichert.";

// quiet-section.tsx
export const quietHours = "Ruhezeiten";
export const quietHoursIntroduction = "Keine Benachrichtigungen während dieser Zeit. Sie werden auch nicht nachgeholt.";
export const quietHoursToggle = "Ruhezeiten verwenden";
export const from = "Von";
export const to = "Bis";
export const timezone = "Zeitzone";
export const timezoneHint = "Zum Beispiel Europe/Berlin";
export const days = "Tage";
export const dayNames = ["Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"] as const;
export const saveQuietHours = "Ruhezeiten speichern";
export const quietHoursSaved = "Ruhezeiten gespeichert.";

// spoken-section.tsx
export const spokenReplies = "Gesprochene Antworten";
export const spokenIntroduction =
  "Antworten von Agenten auf deine Nachrichten in direkten Chats und in verbundenen Chats wie Telegram. Der geöffnete Chat spielt sie hier ab. Ein verbundener Chat bekommt nach dem Text eine Sprachnachricht.";
export const whichReplies = "Antworten, die gesprochen werden";
export const noSpeaker =
  "Dieses Haus hat keinen Anbieter für Sprachausgabe. Administratoren können ihn in Einstellungen → Modelle einrichten.";
export const spokenTitles: Readonly<Record<SpokenReplies, string>> = {
  never: "Nie",
  "voice-notes": "Wenn ich eine Sprachnachricht sende",
  always: "Immer",
};
export const spokenDetails: Readonly<Record<SpokenReplies, string>> = {
  never: "Einzelne Antworten kannst du weiterhin anhören.",
  "voice-notes": "Antworten auf deine Nachrichten mit einer Aufnahme.",
  always: "Jede Antwort auf eine deiner Nachrichten. Das Haus bezahlt das Audio.",
};
export const spokenSaved = "Gesprochene Antworten gespeichert.";

// room-rule.tsx
export const notificationsOf = (room: string): string => `Benachrichtigungen von ${room}`;
export const done = "Fertig";
export const notOnThisDevice = "Noch bekommt keines deiner Geräte Benachrichtigungen.";
export const settingsOfNotifications = "Einstellungen für Benachrichtigungen";
