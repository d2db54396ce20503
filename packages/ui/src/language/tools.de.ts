/** The German texts of tools. The English ones are in the declarations of the protocol. */
import type { CallWords, SettingWords, WordTable } from "@hearth/protocol/tool-words";
import type { ToolName } from "@hearth/protocol/tools";

type GermanCall = Pick<CallWords, "doing" | "done">;
type GermanSetting = Pick<SettingWords, "title" | "summary">;
type GermanWords = GermanCall & GermanSetting;

/** The subject of `doing` and `done` is the agent. */
const tools: { readonly [Name in ToolName]: GermanWords } = {
  read: {
    doing: "Liest",
    done: "Las",
    title: "Dateien lesen",
    summary: "Liest Textdateien und Dokumente im Arbeitsbereich.",
  },
  write: {
    doing: "Schreibt",
    done: "Schrieb",
    title: "Dateien schreiben",
    summary: "Erstellt und ersetzt Dateien im Arbeitsbereich.",
  },
  edit: {
    doing: "Ändert",
    done: "Änderte",
    title: "Dateien bearbeiten",
    summary: "Ersetzt Text in Dateien im Arbeitsbereich.",
  },
  apply_patch: {
    doing: "Ändert Dateien",
    done: "Änderte Dateien",
    title: "Patches anwenden",
    summary: "Ändert mehrere Dateien im Arbeitsbereich auf einmal.",
  },
  list: {
    doing: "Listet Dateien auf",
    done: "Listete Dateien auf",
    title: "Ordner auflisten",
    summary: "Listet Ordner im Arbeitsbereich auf.",
  },
  glob: {
    doing: "Sucht Dateien",
    done: "Suchte Dateien",
    title: "Dateien finden",
    summary: "Findet Dateien im Arbeitsbereich nach ihrem Namen.",
  },
  grep: {
    doing: "Sucht nach",
    done: "Suchte nach",
    title: "In Dateien suchen",
    summary: "Durchsucht den Text von Dateien im Arbeitsbereich.",
  },
  shell: {
    doing: "Führt einen Befehl aus",
    done: "Führte einen Befehl aus",
    title: "Befehle ausführen",
    summary: "Führt Befehle in der Sandbox aus, die die Hosts unten erreichen.",
  },
  processes: {
    doing: "Prüft Befehle",
    done: "Prüfte Befehle",
    title: "Befehle beobachten",
    summary: "Listet Befehle auf, die noch laufen, und stoppt sie.",
  },
  git: {
    doing: "Führt git aus",
    done: "Führte git aus",
    title: "git verwenden",
    summary: "Führt git im Arbeitsbereich aus.",
  },
  image: {
    doing: "Betrachtet",
    done: "Betrachtete",
    title: "Bilder ansehen",
    summary: "Sieht Bilddateien im Arbeitsbereich an.",
  },
  image_generate: {
    doing: "Erstellt ein Bild",
    done: "Erstellte ein Bild",
    title: "Bilder erstellen",
    summary: "Sendet einen Prompt an den Bildanbieter dieses Hauses.",
  },
  image_edit: {
    doing: "Ändert das Bild",
    done: "Änderte das Bild",
    title: "Bilder ändern",
    summary: "Sendet ein Bild und einen Prompt an den Bildanbieter dieses Hauses.",
  },
  hardware_info: {
    doing: "Prüft die Hardware",
    done: "Prüfte die Hardware",
    title: "Hardware lesen",
    summary: "Liest, auf welcher Hardware die Befehle laufen.",
  },
  time: {
    doing: "Prüft die Uhrzeit",
    done: "Prüfte die Uhrzeit",
    title: "Uhrzeit lesen",
    summary: "Liest Datum und Uhrzeit.",
  },
  house_query: {
    doing: "Sucht Angaben zu",
    done: "Suchte Angaben zu",
    title: "Einstellungen lesen",
    summary: "Liest die eigenen Einstellungen, Räume, Läufe, Hosts und das Budget.",
  },
  http_fetch: {
    doing: "Liest",
    done: "Las",
    title: "Webseiten lesen",
    summary: "Liest eine Seite eines Hosts, den der Agent erreichen darf.",
  },
  web_search: {
    doing: "Sucht im Web nach",
    done: "Suchte im Web nach",
    title: "Im Web suchen",
    summary: "Sendet eine Suchanfrage an die Suchmaschine dieses Hauses.",
  },
  ask_source: {
    doing: "Fragt",
    done: "Fragte",
    title: "Seite befragen",
    summary: "Erfährt eine Tatsache von einer Seite oder einem Werkzeug, ohne deren Text zu lesen.",
  },
  send_message: {
    doing: "Sendet eine Nachricht",
    done: "Sendete eine Nachricht",
    title: "In anderen Räumen schreiben",
    summary: "Sendet Nachrichten in Räume, in denen der Agent Mitglied ist.",
  },
  attach: {
    doing: "Teilt",
    done: "Teilte",
    title: "Dateien anhängen",
    summary: "Sendet Dateien aus dem Arbeitsbereich mit der Antwort.",
  },
  chart: {
    doing: "Zeichnet ein Diagramm",
    done: "Zeichnete ein Diagramm",
    title: "Diagramme zeichnen",
    summary: "Sendet ein Diagramm mit der Antwort.",
  },
  send_to_agent: {
    doing: "Sendet eine Nachricht",
    done: "Sendete eine Nachricht",
    title: "Notizen hinterlassen",
    summary: "Hinterlässt eine Notiz, die ein anderer Agent später liest.",
  },
  ask_agent: {
    doing: "Fragt",
    done: "Fragte",
    title: "Agenten fragen",
    summary: "Fragt einen anderen Agenten und wartet auf die Antwort.",
  },
  delegate: {
    doing: "Delegiert Arbeit",
    done: "Delegierte Arbeit",
    title: "Delegieren",
    summary: "Lässt Arbeit in einem eigenen Lauf erledigen, der auch Token kostet.",
  },
  read_brain: {
    doing: "Sieht nach in",
    done: "Sah nach in",
    title: "Gehirn lesen",
    summary: "Liest die eigenen Notizen und Anweisungen.",
  },
  write_brain: {
    doing: "Speichert",
    done: "Speicherte",
    title: "Gehirn ändern",
    summary: "Ändert die eigenen Notizen.",
  },
  remember: { doing: "Speichert", done: "Speicherte", title: "Merken", summary: "Bewahrt Tatsachen für später auf." },
  recall: {
    doing: "Sucht im Gedächtnis nach",
    done: "Suchte im Gedächtnis nach",
    title: "Gedächtnis durchsuchen",
    summary: "Durchsucht, was sich der Agent gemerkt hat.",
  },
  forget: {
    doing: "Vergisst",
    done: "Vergaß",
    title: "Vergessen",
    summary: "Löscht eine Nachricht, Datei oder Notiz aus dem Gedächtnis.",
  },
  schedule_task: {
    doing: "Plant",
    done: "Plante",
    title: "Aufgaben planen",
    summary: "Legt eigene Erinnerungen und regelmäßige Aufgaben an.",
  },
  list_tasks: {
    doing: "Listet geplante Aufgaben auf",
    done: "Listete geplante Aufgaben auf",
    title: "Aufgaben auflisten",
    summary: "Listet die eigenen geplanten Aufgaben auf.",
  },
  pause_task: {
    doing: "Pausiert",
    done: "Pausierte",
    title: "Aufgaben pausieren",
    summary: "Pausiert die eigenen geplanten Aufgaben.",
  },
  resume_task: {
    doing: "Reaktiviert",
    done: "Reaktivierte",
    title: "Aufgaben fortsetzen",
    summary: "Setzt die eigenen geplanten Aufgaben fort.",
  },
  cancel_task: {
    doing: "Storniert",
    done: "Stornierte",
    title: "Aufgaben stornieren",
    summary: "Storniert die eigenen geplanten Aufgaben.",
  },
  find_tools: {
    doing: "Sucht ein Werkzeug",
    done: "Suchte ein Werkzeug",
    title: "Werkzeuge finden",
    summary: "Findet selten gebrauchte Werkzeuge. Ohne dieses Werkzeug listet jeder Lauf alle auf und kostet mehr.",
  },
};

/** A macro: the build of the UI evaluates it, so that a page loads only these words. */
export const germanCallWords = (): WordTable<GermanCall> => mapWords(({ doing, done }) => ({ doing, done }));

/** A macro, like `germanCallWords`. */
export const germanSettingWords = (): WordTable<GermanSetting> =>
  mapWords(({ title, summary }) => ({ title, summary }));

const mapWords = <Words>(map: (row: GermanWords) => Words): WordTable<Words> =>
  Object.fromEntries(Object.entries<GermanWords>(tools).map(([name, row]) => [name, map(row)]));
