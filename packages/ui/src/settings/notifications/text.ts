/** User-facing texts of this folder, in the order of its files. */
import type { PushRule, SpokenReplies } from "@hearth/protocol";
import type { PushProblem } from "../../house/push-browser.ts";

// this-device.tsx
export const thisDevice = "This device";
export const thisDeviceIntroduction =
  "This device shows notifications without a sound, even while Hearth is closed. The push service of the browser delivers them encrypted.";
export const notificationsOn = "Notifications are on.";
export const notificationsOff = "Notifications are off.";
export const turnOn = "Turn on notifications";
export const turnOff = "Turn off notifications";
export const turnedOn = "Notifications are on for this device.";
export const turnedOff = "Notifications are off for this device.";
export const problems: Readonly<Record<PushProblem, string>> = {
  insecure: "Browsers show notifications only for pages with https. Open Hearth at its https address.",
  unsupported: "This browser does not support push notifications.",
  "install-first": "Add Hearth to the home screen first: open the Share menu and choose Add to Home Screen.",
  denied: "This browser blocks notifications from Hearth. Allow them in the browser's settings for this page.",
};

// page-notifications.tsx
export const openPages = "Open pages";
export const openPagesIntroduction =
  "Hearth notifies you while one of its pages is open in the background, without a push service and without a sound. The rules and quiet hours below apply.";
export const pageNotificationsOn = "Open pages notify you.";
export const pageNotificationsOff = "Open pages do not notify you.";
export const pushReplacesPageNotifications = "This device gets push notifications, so open pages show none.";
export const turnOnPageNotifications = "Turn on for open pages";
export const turnOffPageNotifications = "Turn off for open pages";
export const pageNotificationsTurnedOn = "Open pages notify you on this device.";
export const pageNotificationsTurnedOff = "Open pages do not notify you on this device.";

// room-notices.ts
export const hearth = "Hearth";
export const asksForApproval = (room: string): string => `Asks for approval in ${room}`;

// devices-section.tsx
export const devices = "Devices";
export const devicesIntroduction = "A device gets notifications until you remove it or log it out.";
export const noDevices = "No devices";
export const removeDevice = (name: string): string => `Remove ${name}`;
export const remove = "Remove";
export const removed = (name: string): string => `Removed ${name}.`;
export const added = "Added ";
export const lastSent = "Last notification ";
export const thisDeviceBadge = "This device";
export const sendTest = "Send test notification";
export const testSent = (sent: number, failed: number): string =>
  failed === 0 ? `Sent to ${count(sent)}.` : `Sent to ${count(sent)}. ${count(failed)} could not be reached.`;
const count = (devicesCount: number): string => (devicesCount === 1 ? "1 device" : `${devicesCount} devices`);

// rules-section.tsx
export const rules = "Rules";
export const rulesIntroduction = "Apply to all your devices. A room's menu sets the rule of that room.";
export const everyRoom = "Rooms without a rule";
export const ruleTitles: Readonly<Record<PushRule, string>> = {
  all: "All messages and approvals",
  important: "Mentions, replies and approvals",
  none: "Nothing",
};
export const ruleDetails: Readonly<Record<PushRule, string>> = {
  all: "Each message that you did not write.",
  important: "Also each message in chats with one agent.",
  none: "No notifications.",
};
export const sameAsOtherRooms = "Same as other rooms";
export const showsText = "Show the beginning of messages";
export const showsTextDetail = "Otherwise a notification names the agent and the room only.";
export const ruleSaved = "Rules saved.";

// quiet-section.tsx
export const quietHours = "Quiet hours";
export const quietHoursIntroduction = "No notifications during this time. They are not sent later.";
export const quietHoursToggle = "Use quiet hours";
export const from = "From";
export const to = "To";
export const timezone = "Time zone";
export const timezoneHint = "For example Europe/Berlin";
export const days = "Days";
export const dayNames = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] as const;
export const saveQuietHours = "Save quiet hours";
export const quietHoursSaved = "Quiet hours saved.";

// spoken-section.tsx
export const spokenReplies = "Spoken replies";
export const spokenIntroduction =
  "Agents' replies to your messages in direct chats and in linked chats such as Telegram. The open chat plays them here. A linked chat gets a voice message after the text.";
export const whichReplies = "Replies that are spoken";
export const noSpeaker = "This house has no provider of speech. An administrator can set one in Settings → Models.";
export const spokenTitles: Readonly<Record<SpokenReplies, string>> = {
  never: "Never",
  "voice-notes": "When I send a voice note",
  always: "Always",
};
export const spokenDetails: Readonly<Record<SpokenReplies, string>> = {
  never: "You can still listen to single replies.",
  "voice-notes": "Replies to your messages with a recording.",
  always: "Each reply to a message of yours. The house pays for the audio.",
};
export const spokenSaved = "Spoken replies saved.";

// room-rule.tsx
export const notificationsOf = (room: string): string => `Notifications of ${room}`;
export const done = "Done";
export const notOnThisDevice = "No device of yours gets notifications yet.";
export const settingsOfNotifications = "Notification settings";
