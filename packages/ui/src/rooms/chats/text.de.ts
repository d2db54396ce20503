/** German texts of this folder. */
import type { Complete, Untranslated } from "../../language/translation.ts";

// chat-menu.tsx
export const optionsOf = (title: string): string => `Optionen von ${title}`;

// new-chat.tsx
export const newChat = "Neuer Chat";
export const newChatWith = "Neuer Chat mit einem Agenten";

export type Checked = Complete<Untranslated<typeof import("./text.ts"), typeof import("./text.de.ts")>>;
