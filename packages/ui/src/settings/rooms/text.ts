/**
 * User-facing texts of this folder, in the order of its files. `*-words.ts` holds texts that depend
 * on data.
 */

// new-room-page.tsx
export const description = "Description (optional)";
export const enterAName = "Enter a name.";
export const roomCreated = (name: string): string => `${name} created.`;
export const rooms = "Rooms";
export const settingsOf = (name: string): string => `Settings of ${name}`;
export const newRoom = "New room";
export const newRoomAccess = "The room is open to the whole house until you change that.";
export const roomDescriptionHint = "Visible to people and agents.";
export const createRoom = "Create room";

// room-admission.tsx
export const saved = "Saved.";
export const cancel = "Cancel";
export const aFormerMember = "former member";
export const wakeRules = "Wake rules";
export const changeWakeRules = "Change wake rules";
export const saveWakeRules = "Save wake rules";
export const membersWhoCanWakeAgents = "Members who can wake agents";
export const everyoneWithWriteAccess = "Everyone with write access";
export const selectedMembers = "Selected members";
export const selectedMembersDetail = "If you select none, no message wakes agents";
export const allowed = "Allowed";
export const blocked = "Blocked";
export const requireAMention = "Require a mention";
export const requireAMentionDetail = "Agents only respond when mentioned with @";
export const membersWhoseEveryMessageWakes = "Members whose messages always wake all agents";

// admission-words.ts
export const everyoneCanWake = "Everyone with write access can wake agents.";
export const noMemberCanWake = "No member can wake agents here.";
export const onlyTheseCanWake = (names: string): string => `Only these members can wake agents here: ${names}.`;
export const blockedMembers = (names: string): string => `Blocked: ${names}.`;
export const onlyWhenMentioned = "Agents only respond when mentioned with @.";
export const onlyInDirectRooms = "Agents only respond in direct rooms.";
export const membersWhoAlwaysWake = (names: string): string =>
  `Every message of these members wakes all agents here: ${names}.`;

// room-at.tsx
export const loading = "Loading";

// room-members.tsx
export const formerMember = "Former member";
export const participants = "Participants";
export const theWholeHouse = "The whole house";
export const visibleTo = "Visible to";
export const theWholeHouseDetail = "Everyone with access to the house, including future members";
export const andAdmins = "And the admins of the house";
export const members = "Members";
export const saveMembers = "Save members";

// room-settings.tsx
export const activity = "Activity";
export const roomForm = "room";
export const openRoom = "Open room";
export const roomActivityDetail = "Runs in this room, with outcome and reason.";
export const roomRemovalEffect = "All members lose access to the room.";
export const roomRemovalConsequences =
  "Messages become inaccessible, and agents stop working here. You cannot undo this here.";

// rooms-page.tsx
export const noRooms = "No rooms";
export const directRoom = "Direct room";
export const openToTheWholeHouse = "Open to the whole house";
export const oneParticipant = "1 participant";
export const participantCount = (length: number): string => `${length} participants`;

// rooms-page.tsx, table
export const name = "Name";
export const kind = "Kind";
export const allKinds = "All kinds";
export const groupRooms = "Group rooms";
export const directRooms = "Direct rooms";
export const state = "Status";
export const allStates = "All states";
export const currentRooms = "Current";
export const archivedRooms = "Archived";
export const archived = "archived";
export const yourRole = "Your role";
export const lastMessage = "Last message";
export const noMessages = "None";
export const removeCount = (count: number): string => (count === 1 ? "Remove 1 room" : `Remove ${count} rooms`);
export const removedCount = (count: number): string => (count === 1 ? "1 room removed." : `${count} rooms removed.`);
export const removeSelected = (count: number): string => (count === 1 ? "Remove 1 room?" : `Remove ${count} rooms?`);
export const removeSelectedEffect = "They can no longer be opened. You cannot undo this.";
export const removeOne = "Remove";
