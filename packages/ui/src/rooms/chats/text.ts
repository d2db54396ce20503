/** User-facing texts of this folder, in the order of its files. */

// chat-menu.tsx
export const optionsOf = (title: string): string => `Options of ${title}`;

// new-chat.tsx
export const newChat = "New chat";
export const newChatWith = "New chat with an agent";
