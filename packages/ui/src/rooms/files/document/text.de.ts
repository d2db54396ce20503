/** German texts of this folder. */

export const document = "Dokument";
export const previousPart = "Zurück";
export const nextPart = "Weiter";
export const textOfDocument = "Text des Dokuments";
export const noDocumentText = (why: string): string => `Kein Text. ${why}`;
export const noTextHere = "Dieser Teil hat keinen Text.";
export const textIsCut = "Nur der Anfang wird angezeigt. Lade die Datei herunter, um den Rest zu lesen.";
/** Formats the name of a part, such as "page 12", as a heading. */
export const titleOf = (place: string): string => {
  const [kind = "", ...rest] = place.split(" ");
  return [partNames[kind] ?? kind, ...rest].join(" ");
};
const partNames: Readonly<Record<string, string>> = {
  attachment: "Anhang",
  chapter: "Kapitel",
  member: "Datei",
  notes: "Notizen",
  page: "Seite",
  sheet: "Tabellenblatt",
  slide: "Folie",
};
