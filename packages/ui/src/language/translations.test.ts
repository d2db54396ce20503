/** Compares the translations with the English texts. The compiler compares the names and types. */
import { expect, test } from "bun:test";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import * as adapterBrowserInGerman from "../adapter/browser/text.de.ts";
import * as adapterBrowser from "../adapter/browser/text.ts";
import * as appInGerman from "../app/text.de.ts";
import * as app from "../app/text.ts";
import * as approvalsInGerman from "../approvals/text.de.ts";
import * as approvals from "../approvals/text.ts";
import * as brainInGerman from "../brain/text.de.ts";
import * as brain from "../brain/text.ts";
import * as designInGerman from "../design/text.de.ts";
import * as design from "../design/text.ts";
import * as houseInGerman from "../house/text.de.ts";
import * as house from "../house/text.ts";
import * as inboxInGerman from "../inbox/text.de.ts";
import * as inbox from "../inbox/text.ts";
import * as jobsInGerman from "../jobs/text.de.ts";
import * as jobs from "../jobs/text.ts";
import * as languageToolsInGerman from "./tools/text.de.ts";
import * as languageTools from "./tools/text.ts";
import * as languageInGerman from "./text.de.ts";
import * as language from "./text.ts";
import * as listsInGerman from "../lists/text.de.ts";
import * as lists from "../lists/text.ts";
import * as loginInGerman from "../login/text.de.ts";
import * as login from "../login/text.ts";
import * as modelsInGerman from "../models/text.de.ts";
import * as models from "../models/text.ts";
import * as restoreInGerman from "../restore/text.de.ts";
import * as restore from "../restore/text.ts";
import * as roomsChatsMenuInGerman from "../rooms/chats/menu/text.de.ts";
import * as roomsChatsMenu from "../rooms/chats/menu/text.ts";
import * as roomsChatsInGerman from "../rooms/chats/text.de.ts";
import * as roomsChats from "../rooms/chats/text.ts";
import * as roomsComposerCommandsInGerman from "../rooms/composer/commands/text.de.ts";
import * as roomsComposerCommands from "../rooms/composer/commands/text.ts";
import * as roomsDialogsInGerman from "../rooms/dialogs/text.de.ts";
import * as roomsDialogs from "../rooms/dialogs/text.ts";
import * as roomsRunsDetailInGerman from "../rooms/runs/detail/text.de.ts";
import * as roomsRunsDetail from "../rooms/runs/detail/text.ts";
import * as roomsMessagesReactionsInGerman from "../rooms/messages/reactions/text.de.ts";
import * as roomsMessagesReactions from "../rooms/messages/reactions/text.ts";
import * as roomsInGerman from "../rooms/text.de.ts";
import * as rooms from "../rooms/text.ts";
import * as runsInGerman from "../runs/text.de.ts";
import * as runs from "../runs/text.ts";
import * as searchInGerman from "../search/text.de.ts";
import * as search from "../search/text.ts";
import * as settingsAccessInGerman from "../settings/access/text.de.ts";
import * as settingsAccess from "../settings/access/text.ts";
import * as settingsAccountInGerman from "../settings/account/text.de.ts";
import * as settingsAccount from "../settings/account/text.ts";
import * as settingsActivityInGerman from "../settings/activity/text.de.ts";
import * as settingsActivity from "../settings/activity/text.ts";
import * as settingsAgentsAccessInGerman from "../settings/agents/access/text.de.ts";
import * as settingsAgentsAccess from "../settings/agents/access/text.ts";
import * as settingsAgentsInGerman from "../settings/agents/text.de.ts";
import * as settingsAgents from "../settings/agents/text.ts";
import * as settingsAuditInGerman from "../settings/audit/text.de.ts";
import * as settingsAudit from "../settings/audit/text.ts";
import * as settingsBackupsInGerman from "../settings/backups/text.de.ts";
import * as settingsBackups from "../settings/backups/text.ts";
import * as settingsChannelsWizardInGerman from "../settings/channels/wizard/text.de.ts";
import * as settingsChannelsWizard from "../settings/channels/wizard/text.ts";
import * as settingsChannelsInGerman from "../settings/channels/text.de.ts";
import * as settingsChannels from "../settings/channels/text.ts";
import * as settingsFormInGerman from "../settings/form/text.de.ts";
import * as settingsForm from "../settings/form/text.ts";
import * as settingsHouseInGerman from "../settings/house/text.de.ts";
import * as settingsHouse from "../settings/house/text.ts";
import * as settingsImportsInGerman from "../settings/imports/text.de.ts";
import * as settingsImports from "../settings/imports/text.ts";
import * as settingsInvitesInGerman from "../settings/invites/text.de.ts";
import * as settingsInvites from "../settings/invites/text.ts";
import * as settingsKeysInGerman from "../settings/keys/text.de.ts";
import * as settingsKeys from "../settings/keys/text.ts";
import * as settingsValuesInGerman from "../settings/values/text.de.ts";
import * as settingsValues from "../settings/values/text.ts";
import * as settingsLogInGerman from "../settings/log/text.de.ts";
import * as settingsLog from "../settings/log/text.ts";
import * as settingsMediaInGerman from "../settings/media/text.de.ts";
import * as settingsMedia from "../settings/media/text.ts";
import * as settingsNotificationsInGerman from "../settings/notifications/text.de.ts";
import * as settingsNotifications from "../settings/notifications/text.ts";
import * as settingsObserversInGerman from "../settings/observers/text.de.ts";
import * as settingsObservers from "../settings/observers/text.ts";
import * as settingsRemoteInGerman from "../settings/remote/text.de.ts";
import * as settingsRemote from "../settings/remote/text.ts";
import * as settingsRoomsInGerman from "../settings/rooms/text.de.ts";
import * as settingsRooms from "../settings/rooms/text.ts";
import * as settingsInGerman from "../settings/text.de.ts";
import * as settings from "../settings/text.ts";
import * as settingsSandboxesInGerman from "../settings/sandboxes/text.de.ts";
import * as settingsSandboxes from "../settings/sandboxes/text.ts";
import * as settingsUsageInGerman from "../settings/usage/text.de.ts";
import * as settingsUsage from "../settings/usage/text.ts";
import * as settingsWebInGerman from "../settings/web/text.de.ts";
import * as settingsWeb from "../settings/web/text.ts";
import * as showcaseInGerman from "../showcase/text.de.ts";
import * as showcase from "../showcase/text.ts";
import * as textInGerman from "../text/text.de.ts";
import * as text from "../text/text.ts";
import * as welcomeInGerman from "../welcome/text.de.ts";
import * as welcome from "../welcome/text.ts";
import * as restorePageInGerman from "../restore/page/text.de.ts";
import * as restorePage from "../restore/page/text.ts";
import * as roomsFilesDocumentInGerman from "../rooms/files/document/text.de.ts";
import * as roomsFilesDocument from "../rooms/files/document/text.ts";
import * as roomsFilesDescriptionInGerman from "../rooms/files/description/text.de.ts";
import * as roomsFilesDescription from "../rooms/files/description/text.ts";
import * as roomsFilesVoiceInGerman from "../rooms/files/voice/text.de.ts";
import * as roomsFilesVoice from "../rooms/files/voice/text.ts";
import * as roomsComposerEditInGerman from "../rooms/composer/edit/text.de.ts";
import * as roomsComposerEdit from "../rooms/composer/edit/text.ts";
import * as roomsMessagesSpeechInGerman from "../rooms/messages/speech/text.de.ts";
import * as roomsMessagesSpeech from "../rooms/messages/speech/text.ts";
import * as adapterBrowserDevicesInGerman from "../adapter/browser/devices/text.de.ts";
import * as adapterBrowserDevices from "../adapter/browser/devices/text.ts";
import * as appNewRoomInGerman from "../app/new-room/text.de.ts";
import * as appNewRoom from "../app/new-room/text.ts";
import * as textDrawnInGerman from "../text/drawn/text.de.ts";
import * as textDrawn from "../text/drawn/text.ts";
import * as textDiffInGerman from "../text/diff/text.de.ts";
import * as textDiff from "../text/diff/text.ts";
import * as housePasskeyInGerman from "../house/passkey/text.de.ts";
import * as housePasskey from "../house/passkey/text.ts";

/** The type of a text without its wording. */
type Wordless<Text> = Text extends string
  ? string
  : Text extends (...values: infer Values) => infer Result
    ? (...values: Values) => Wordless<Result>
    : Text extends object
      ? { readonly [Key in keyof Text]: Wordless<Text[Key]> }
      : Text;

/** The names of texts that the translation lacks, has in addition, or has with another type. */
type Untranslated<English, Other> =
  | Exclude<keyof English, keyof Other>
  | Exclude<keyof Other, keyof English>
  | {
      [Name in keyof English & keyof Other]: Wordless<Other[Name]> extends Wordless<English[Name]> ? never : Name;
    }[keyof English & keyof Other];

/** A text that is missing or wrong is a type error, which names the text. */
type Checked<English, Other> = Readonly<Record<Untranslated<English, Other>, "not translated">>;

interface Translation {
  readonly folder: string;
  readonly english: object;
  readonly other: object;
}

const translation = <English extends object, Other extends object>(
  folder: string,
  english: English,
  other: Other & Checked<English, Other>,
): Translation => ({ folder, english, other });

const GERMAN: readonly Translation[] = [
  translation("adapter/browser", adapterBrowser, adapterBrowserInGerman),
  translation("app", app, appInGerman),
  translation("approvals", approvals, approvalsInGerman),
  translation("brain", brain, brainInGerman),
  translation("design", design, designInGerman),
  translation("house", house, houseInGerman),
  translation("inbox", inbox, inboxInGerman),
  translation("jobs", jobs, jobsInGerman),
  translation("language/tools", languageTools, languageToolsInGerman),
  translation("language", language, languageInGerman),
  translation("lists", lists, listsInGerman),
  translation("login", login, loginInGerman),
  translation("models", models, modelsInGerman),
  translation("restore", restore, restoreInGerman),
  translation("rooms/chats/menu", roomsChatsMenu, roomsChatsMenuInGerman),
  translation("rooms/chats", roomsChats, roomsChatsInGerman),
  translation("rooms/composer/commands", roomsComposerCommands, roomsComposerCommandsInGerman),
  translation("rooms/dialogs", roomsDialogs, roomsDialogsInGerman),
  translation("rooms/messages/reactions", roomsMessagesReactions, roomsMessagesReactionsInGerman),
  translation("rooms/runs/detail", roomsRunsDetail, roomsRunsDetailInGerman),
  translation("rooms", rooms, roomsInGerman),
  translation("runs", runs, runsInGerman),
  translation("search", search, searchInGerman),
  translation("settings/access", settingsAccess, settingsAccessInGerman),
  translation("settings/account", settingsAccount, settingsAccountInGerman),
  translation("settings/activity", settingsActivity, settingsActivityInGerman),
  translation("settings/agents/access", settingsAgentsAccess, settingsAgentsAccessInGerman),
  translation("settings/agents", settingsAgents, settingsAgentsInGerman),
  translation("settings/audit", settingsAudit, settingsAuditInGerman),
  translation("settings/backups", settingsBackups, settingsBackupsInGerman),
  translation("settings/channels/wizard", settingsChannelsWizard, settingsChannelsWizardInGerman),
  translation("settings/channels", settingsChannels, settingsChannelsInGerman),
  translation("settings/form", settingsForm, settingsFormInGerman),
  translation("settings/house", settingsHouse, settingsHouseInGerman),
  translation("settings/imports", settingsImports, settingsImportsInGerman),
  translation("settings/invites", settingsInvites, settingsInvitesInGerman),
  translation("settings/keys", settingsKeys, settingsKeysInGerman),
  translation("settings/values", settingsValues, settingsValuesInGerman),
  translation("settings/log", settingsLog, settingsLogInGerman),
  translation("settings/media", settingsMedia, settingsMediaInGerman),
  translation("settings/notifications", settingsNotifications, settingsNotificationsInGerman),
  translation("settings/observers", settingsObservers, settingsObserversInGerman),
  translation("settings/remote", settingsRemote, settingsRemoteInGerman),
  translation("settings/rooms", settingsRooms, settingsRoomsInGerman),
  translation("settings", settings, settingsInGerman),
  translation("settings/sandboxes", settingsSandboxes, settingsSandboxesInGerman),
  translation("settings/usage", settingsUsage, settingsUsageInGerman),
  translation("settings/web", settingsWeb, settingsWebInGerman),
  translation("showcase", showcase, showcaseInGerman),
  translation("text", text, textInGerman),
  translation("welcome", welcome, welcomeInGerman),
  translation("restore/page", restorePage, restorePageInGerman),
  translation("rooms/files/document", roomsFilesDocument, roomsFilesDocumentInGerman),
  translation("rooms/files/description", roomsFilesDescription, roomsFilesDescriptionInGerman),
  translation("rooms/files/voice", roomsFilesVoice, roomsFilesVoiceInGerman),
  translation("rooms/composer/edit", roomsComposerEdit, roomsComposerEditInGerman),
  translation("rooms/messages/speech", roomsMessagesSpeech, roomsMessagesSpeechInGerman),
  translation("adapter/browser/devices", adapterBrowserDevices, adapterBrowserDevicesInGerman),
  translation("app/new-room", appNewRoom, appNewRoomInGerman),
  translation("text/drawn", textDrawn, textDrawnInGerman),
  translation("text/diff", textDiff, textDiffInGerman),
  translation("house/passkey", housePasskey, housePasskeyInGerman),
];

const SOURCE = join(import.meta.dir, "..");

/**
 * Names, terms and field names that are the same in German, the commands of the offline helper, and words that
 * complete errors of the house, which are English.
 */
const SAME_IN_GERMAN: ReadonlySet<string> = new Set([
  ".claude",
  ".hermes",
  ".openclaw",
  "7 (Esc)",
  "7 (SHA-256)",
  "7K3M-Q9TX",
  "Admin",
  "Agent",
  "Audit",
  "Brave Search",
  "Bucket",
  "Budget",
  "CPU",
  "Caches",
  "Chats",
  "Claude Code",
  "Code",
  "Code, 7",
  "Cron",
  "Deepgram",
  "Design",
  "Details",
  "Deutsch",
  "English",
  "Google Gemini",
  "HTTP 7",
  "Handle",
  "Hash",
  "Header",
  "Heartbeat",
  "Heartbeats",
  "Hearth",
  "Hermes Agent",
  "Host",
  "Hosts",
  "In",
  "In 7",
  "Debug",
  "Index",
  "Info",
  "Isolation: 7",
  "Job",
  "Jobs",
  "Labels",
  "Limit",
  "Limits",
  "Logs",
  "Name",
  "Name (optional)",
  "Ollama",
  "OpenClaw",
  "OpenTelemetry",
  "Passkey",
  "Passkeys",
  "Person",
  "Port",
  "Prometheus",
  "Prompt",
  "Region",
  "Sandbox",
  "Sandboxes",
  "SearXNG",
  "Server",
  "Skills",
  "Status",
  "System",
  "Text",
  "Tokens",
  "Tunnel",
  "Upload",
  "Uploads",
  "Version",
  "Web",
  "Webhook",
  "Webhooks",
  "bucket",
  "endpoint",
  "folder",
  "help",
  "host",
  "http://127.0.0.1:8080/v1",
  "identityFile",
  "list files",
  "ngrok",
  "region",
  "remember that ",
  "this machine",
  "what do you remember?",
]);

/** Returns all texts of a value by name. A function is called with its parameters' positions as text. */
const textsOf = (name: string, value: unknown): readonly (readonly [string, string])[] => {
  if (typeof value === "string") return [[name, value]];
  if (typeof value === "function") return textsOf(name, call(value as (...values: unknown[]) => unknown));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textsOf(`${name}.${key}`, inner));
};

/** Calls a text with samples. Each parameter is a text or a number, and some are lists or records. */
const call = (text: (...values: unknown[]) => unknown): unknown => {
  for (const sample of ["7", 7, ["seven"], {}]) {
    try {
      return text(...Array.from({ length: text.length }, () => sample));
    } catch {
      // The parameter has another type.
    }
  }
  return undefined;
};

const readTexts = (module: object): ReadonlyMap<string, string> =>
  new Map(Object.entries(module).flatMap(([name, value]) => textsOf(name, value)));

test("every module of texts is compared with its German translation", async () => {
  const modules = (await readdir(SOURCE, { recursive: true })).filter((path) => /(^|\/)text\.ts$/.test(path));
  expect(GERMAN.map(({ folder }) => `${folder}/text.ts`).toSorted()).toEqual(modules.toSorted());
});

test("no German text is the same as in English, except names and terms", () => {
  const same = GERMAN.flatMap(({ english, other }) => {
    const german = readTexts(other);
    return [...readTexts(english)].flatMap(([name, text]) =>
      german.get(name) === text && /\p{L}{2}/u.test(text) ? [text] : [],
    );
  });
  expect([...new Set(same)].toSorted()).toEqual([...SAME_IN_GERMAN].toSorted());
});

test("German texts contain the same values as the English ones", () => {
  for (const { folder, english, other } of GERMAN) {
    const german = readTexts(other);
    const without = [...readTexts(english)].filter(
      ([name, text]) => text.includes("7") && german.get(name)?.includes("7") === false,
    );
    expect([folder, without]).toEqual([folder, []]);
  }
});

test("the documents of both languages differ only in their texts", async () => {
  const [english, german] = await Promise.all(
    ["index.html", "index.de.html"].map((name) => readFile(join(SOURCE, name), "utf8")),
  );
  const bare = (document = ""): string =>
    document
      .replace(/lang="\w+"/, "")
      .replace(/app(\.\w+)?\.webmanifest/, "")
      .replace(/<noscript[^]*<\/noscript/, "");
  expect(bare(german)).toBe(bare(english));
  expect(german).toContain('<html lang="de">');
});
