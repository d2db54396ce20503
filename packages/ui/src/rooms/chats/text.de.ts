/** German texts of this folder. */

// chat-menu.tsx
export const optionsOf = (title: string): string => `Optionen von ${title}`;

// new-chat.tsx
export const newChat = "Neuer Chat";
export const newChatWith = "Neuer Chat mit einem Agenten";
