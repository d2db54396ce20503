/**
 * User-facing texts of this folder, in the order of its files. `*-words.ts` holds texts that depend
 * on data.
 */

// app.tsx
export const couldNotLoad = "Hearth could not load";
export const tryAgain = "Try again";
export const logInToHearth = "Log in to Hearth";
export const welcomeToHearth = "Welcome to Hearth";
export const inbox = "Inbox";
export const brain = "Brain";
export const automations = "Automations";
export const design = "Design";
export const restoredHouse = "Restored house";
export const run = "Run";

// boundary.tsx
export const unexpectedError = "An unexpected error occurred. If something does not work, reload the page.";
export const pageCrashed = "This page crashed";
export const pageCrashedDetail =
  "Hearth has a bug, or it was updated while this page was open. Reload the page. Your drafts are kept in this browser.";
export const reload = "Reload";

// connection-words.ts
export const youAreOffline = "You are offline. Your messages are sent when you are online again.";
export const reconnecting = "Not connected. Reconnecting…";
export const hearthWasUpdated = "Hearth was updated. Reload to use the new version. Your drafts are kept.";

// connection.tsx
export const connectedAgain = "Connected again.";
export const tryNow = "Try now";

// connecting.tsx
export const noAnswer = "Hearth does not answer";
export const noAnswerDetail =
  "Hearth may be starting or stopped. This page retries automatically. If it stays like this, ask the person who runs the house to start Hearth.";
export const offline = "You are offline";
export const offlineDetail =
  "Hearth opens when this device has a network connection again. Drafts and unsent messages are kept in this browser.";
export const connecting = "Connecting";

// home-route.tsx
export const noAgentsYet = "No agents yet";
export const houseHasNoAgents = "Create an agent to start a conversation.";
export const createAgent = "Create agent";
export const noRoomsYet = "No rooms yet";
export const noRoomsDetail = "An admin of this house can give you access to a room. This page updates automatically.";

// loading.tsx
export const loading = "Loading";

// not-found.tsx
export const notFound = "Not found";
export const pageNotFound = "Page not found";
export const pageNotFoundDetail = "Check the address. The room or page may have been renamed or removed.";
export const goToStartPage = "Go to start page";

// room-route.tsx
export const noLongerInRoom = "You no longer have access to this room";
export const noLongerInRoomDetail =
  "The room was removed, or its members changed. An admin of this house can restore your access. This page updates automatically.";

// shell.tsx
export const skipToContent = "Skip to content";
export const menuWithNewMessages = "Chats and settings, new messages";
export const menu = "Chats and settings";
export const searchHouse = "Search house";
export const viewBackups = "View backups";
export const backupsNeedAttention = "A backup of this house is late or failed.";
export const resumeAll = "Resume all";
export const allAgentsAreStopped = "All agents are stopped. New messages wait until you resume.";

// side-bar.tsx
export const newRoom = "New room";
export const house = "House";
export const chats = "Chats";
export const pinned = "Pinned";
export const recent = "Recent";
export const groups = "Groups";
export const archived = (count: number): string => `Archived (${count})`;
export const pages = "Pages";
export const agents = "Agents";
/** The keys that open the search, with the control key and with the command key. */
export const searchKeys = { control: "Ctrl K", command: "⌘K" } as const;
export const settings = "Settings";
export const account = "Account";
export const logOut = "Log out";
export const newMessages = "New messages";
export const stopped = "Stopped";
export const themeButton = (theme: string, next: string): string => `Theme: ${theme}. Change to ${next}`;

// stop-everything.tsx
export const cancel = "Cancel";
export const allAgentsStopped = "All agents stopped.";
export const stopAllAgents = "Stop all agents";
export const stopAllAgentsTitle = "Stop all agents?";
export const stopAllAgentsEffect =
  "Current runs stop immediately, and no new runs start until you resume. Messages wait.";
