/** User-facing texts of this folder. The first load does not contain them. */

// slash-commands.ts
export const attach = "Attach files to the message";
export const chat = (agent: string): string => `Start a new chat with ${agent}`;
export const model = (agent: string): string => `Choose the model of ${agent}`;
export const newSession = "Start a new session: agents no longer see earlier messages";
export const rename = "Rename this chat";
export const search = "Search the house";
export const settings = "Open the settings of this room";
export const stop = "Stop all active and queued runs in this room";
