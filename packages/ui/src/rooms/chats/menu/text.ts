/** User-facing texts of this folder, in the order of its files. The first load does not contain them. */

// chat-dialogs.tsx
export const renameChat = "Rename chat";
export const title = "Title";
export const titleHint = "Everyone in this chat sees it. Without a title, the chat has the name of its agent.";
export const cancel = "Cancel";
export const save = "Save";
export const deleteTitle = (title: string): string => `Delete ${title}?`;
export const deleteEffect =
  "The chat and its messages disappear for everyone in it. What the agent remembers from it stays in its memory.";
export const deleted = (title: string): string => `${title} is deleted.`;
export const couldNotChange = (title: string): string => `Could not change ${title}`;
export const date = "Date";
export const dateHint = "Opens the room at the first message of this day or later.";
export const go = "Go";

// chat-menu-items.tsx
export const goToDate = "Go to date";
export const rename = "Rename";
export const pin = "Pin";
export const unpin = "Unpin";
export const archive = "Archive";
export const unarchive = "Unarchive";
export const notifications = "Notifications";
export const roomSettings = "Room settings";
export const brainOf = (agent: string): string => `Brain of ${agent}`;
export const deleteChat = "Delete";
export const pinned = (title: string): string => `${title} is pinned.`;
export const unpinned = (title: string): string => `${title} is no longer pinned.`;
export const archived = (title: string): string => `${title} is archived. You can still find it with the search.`;
export const unarchived = (title: string): string => `${title} is back in the list.`;

// files-dialog.tsx
export const filesOf = (title: string): string => `Files of ${title}`;
export const senders = "Sent by";
export const allFiles = "Everyone";
export const agentFiles = "Agents";
export const files = "Files";
export const noFiles = "No files.";
export const onlyNewest = (count: string): string => `Older files are not listed: these are the newest ${count}.`;
export const downloadFile = (name: string): string => `Download ${name}`;
export const factsOfFile = (author: string, size: string): string => `${author}, ${size}`;
export const showMessage = "Show message";
export const showMessageOf = (name: string): string => `Show message of ${name}`;

// new-chat-failure.tsx
export const couldNotBegin = "Could not start a chat";
