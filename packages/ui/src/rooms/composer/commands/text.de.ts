/** German texts of this folder. The first load does not contain them. */

// slash-commands.ts
export const attach = "Der Nachricht Dateien anhängen";
export const chat = (agent: string): string => `Neuen Chat mit ${agent} beginnen`;
export const model = (agent: string): string => `Modell von ${agent} wählen`;
export const newSession = "Neue Sitzung beginnen: Agenten sehen frühere Nachrichten nicht mehr";
export const rename = "Diesen Chat umbenennen";
export const search = "Das Haus durchsuchen";
export const settings = "Einstellungen dieses Raums öffnen";
export const stop = "Alle aktiven und wartenden Läufe in diesem Raum stoppen";
