/** User-facing texts of this folder, in the order of its files. */

export const newRoom = "New room";
export const cancel = "Cancel";
export const createRoom = "Create room";
export const name = "Name";
export const participants = "Participants";
export const youAreIncluded = "You are included.";
export const youAndAgentsAreIncluded = (agent: string): string =>
  `You are included. Agents answer messages that mention them, such as @${agent}.`;
export const nameIsTaken = "This name is taken. Choose another.";
