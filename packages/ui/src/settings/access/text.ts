/**
 * User-facing texts of this folder, in the order of its files. `*-words.ts` holds texts that depend
 * on data.
 */

// give-level.tsx
export const personOrAgent = "Person or agent";
export const chooseAMember = "Choose a member";
export const role = "Role";
export const newRole = "New role";
export const hasRole = (name: string, role: string): string => `${name} now has the role ${role}.`;
export const grantAccess = "Grant access";

// level-words.ts
export const levelTitles = { r: "Viewer", w: "Member", x: "Admin" } as const;
export const levelDetails = {
  r: "Reads messages and sees what agents do.",
  w: "Reads and writes messages, uses agents and creates rooms.",
  x: "Also changes rooms, agents, people and roles.",
} as const;
export const rightTitles = {
  providers: "Model providers",
  secrets: "Secrets",
  audit: "Audit log",
  approve: "Approvals",
} as const;
export const rightDetails = {
  providers: "Adds and removes known vendors of models with their keys. Chooses the account that pays.",
  secrets: "Stores, replaces and removes secrets. Cannot read them or send them to new hosts.",
  audit: "Reads, verifies and exports the audit log.",
  approve: "Allows or denies single calls of agents in rooms that the person can read.",
} as const;
export const ownRoles = {
  r: "You are a viewer: you can read here.",
  w: "You are a member: you can read and write here.",
  x: "You are an admin.",
} as const;
export const onlyAdmin = (name: string): string => `${name} is the only admin of this house.`;
export const onlyAdminHint = "A house needs an admin. Make another person an admin first.";
export const roleTooHigh = "You cannot grant a role higher than your own.";
export const roleTooHighHint = "Ask an admin to grant it.";

// levels-of.ts
export const memberOfAnotherHouse = "Member of another house";

// members-page.tsx
export const addPersonOrAgent = "Add person or agent";
export const yourRole = (name: string): string => `Your role in ${name}`;
export const noRole = "You have no role in this house. You have access to single rooms only.";
export const roleHint = "An admin of this house can change your role.";
export const adminOf = "You are an admin of";

// place-levels.tsx
export const agent = "Agent";
export const saved = "Saved.";
export const person = "Person";
export const youSuffix = " (you)";
export const tryAgain = "Try again";
export const access = "Access";
export const openRoomAccess = "House roles apply here too. You can grant a higher role for this room only.";
export const closedRoomAccess =
  "Members of this room can write here. Other members of the house have no access, except admins.";
export const giveUpRoleTitle = "Give up your admin role?";
export const giveUpRoleEffect =
  "You will no longer be able to change anything here. Only another admin can restore your role.";
export const giveUpRole = "Give up role";
export const roleOf = (name: string): string => `Role of ${name}`;
export const rightsOf = (name: string): string => `${name} also manages`;
export const yourRights = (rights: readonly string[]): string => `You also manage: ${rights.join(", ").toLowerCase()}.`;
export const removeAccess = "Remove access";
export const inheritedRole = (kind: string): string => `${kind} · inherited from the house`;
export const roomMemberRole = (kind: string): string => `${kind} · member of this room`;
export const roomRole = (kind: string): string => `${kind} · set for this room`;
export const roomAndHouseRole = (kind: string, houseRole: string): string =>
  `${kind} · set for this room; house role: ${houseRole}`;

// place-levels.tsx, table
export const membersList = "Members";
export const name = "Name";
export const kind = "Kind";
export const allKinds = "People and agents";
export const people = "People";
export const agents = "Agents";
export const allRoles = "All roles";
export const noMembers = "No members";
export const makeRole = (role: string): string => `Make ${role.toLowerCase()}`;
export const makeRoleCount = (count: number, role: string): string => `Make ${count} ${role.toLowerCase()}`;
export const changedCount = (count: number): string =>
  count === 1 ? "1 member changed." : `${count} members changed.`;
export const removeAccessCount = (count: number): string => `Remove access of ${count}`;
export const removeAccessTitle = (count: number): string =>
  count === 1 ? "Remove the access of 1 member?" : `Remove the access of ${count} members?`;
export const removeAccessEffect = "They can no longer open this place. An admin can grant access again.";
export const noRights = "No other rights";
export const rightsButton = (rights: string, name: string): string => `${rights}: change the rights of ${name}`;
