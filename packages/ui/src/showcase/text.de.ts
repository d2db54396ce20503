/** German texts of this folder. */

// button-examples.tsx
export const announce = "Ansagen";
export const announced = "Gespeichert.";
export const openDialog = "Dialog öffnen";
export const dialogText = "Ein Dialog behält den Fokus, bis er geschlossen wird.";
export const openConfirmation = "Bestätigung öffnen";
export const openWarning = "Warnung öffnen";
export const question = "Fortfahren?";
export const effect = "Nichts wird geändert.";
export const confirm = "Fortfahren";
export const remove = "Entfernen";
export const close = "Schließen";
export const primary = "Primär";
export const plain = "Einfach";
export const quiet = "Dezent";
export const danger = "Gefahr";
export const small = "Klein";
export const withIcon = "Mit Symbol";
export const busy = "Beschäftigt";
export const disabled = "Deaktiviert";
export const settings = "Einstellungen";
export const more = "Mehr";
export const newItem = "Neu";
export const rename = "Umbenennen";

// field-examples.tsx
export const name = "Name";
export const nameHint = "Höchstens 64 Zeichen.";
export const nameError = "Gib einen Namen ein.";
export const empty = "Leer";
export const filled = "Ausgefüllt";
export const readOnly = "Schreibgeschützt";
export const invalid = "Ungültig";
export const notes = "Notizen";
export const sampleNotes = "Die erste Zeile.\nDie zweite Zeile.";
export const choice = "Auswahl";
export const one = "Eins";
export const two = "Zwei";
export const oneDetail = "Die erste Möglichkeit.";
export const twoDetail = "Die zweite Möglichkeit.";
export const recommended = "Empfohlen";
export const unchecked = "Nicht angekreuzt";
export const checked = "Angekreuzt";
export const checkDetail = "Beschreibt, was das Kästchen ändert.";
export const filters = "Beispielfilter";
export const state = "Status";
export const all = "Alle";

// sign-examples.tsx
export const onlyForReaders = "Nur Screenreader lesen diesen Text.";
export const hiddenText = "Verborgener Text";
export const info = "Hinweis";
export const success = "Erfolg";
export const failure = "Fehler";
export const noticeDetail = "Ein Satz, der sagt, was zu tun ist.";
export const houseError = "Die Festplatte ist voll.";
export const houseHint = "Schaffe Platz, und versuche es dann erneut.";
export const loading = "Beispiel wird geladen";
export const qrLabel = "Beispielcode";
export const table = "Beispieltabelle";
export const agent = "Agent";
export const details = "Details der Zeile.";
export const plainTable = "Beispieltabelle ohne Auswahl";

// showcase-page.tsx
export const design = "Design";
export const introduction = "Jede Komponente der Oberfläche in jedem Zustand. Hier wird nichts am Haus geändert.";
export const nothingYet = "Noch nichts";
export const atTheTop = "Der Titel dieser Seite.";
export const exampleTabs = "Beispiel-Reiter";
export const suggestions = "Mit Vorschlägen";
export const openPopover = "Feld öffnen";
export const described = "Mit einem Hinweis";
