/** German texts of this folder. */

// give-level.tsx
export const personOrAgent = "Person oder Agent";
export const chooseAMember = "Mitglied wählen";
export const role = "Rolle";
export const newRole = "Neue Rolle";
export const hasRole = (name: string, role: string): string => `${name} hat jetzt die Rolle ${role}.`;
export const grantAccess = "Zugriff geben";

// level-words.ts
export const levelTitles = { r: "Betrachter", w: "Mitglied", x: "Admin" } as const;
export const levelDetails = {
  r: "Liest Nachrichten und sieht, was Agenten tun.",
  w: "Liest und schreibt Nachrichten, nutzt Agenten und erstellt Räume.",
  x: "Ändert auch Räume, Agenten, Personen und Rollen.",
} as const;
export const rightTitles = {
  providers: "Modellanbieter",
  secrets: "Geheimnisse",
  audit: "Audit-Log",
  approve: "Freigaben",
} as const;
export const rightDetails = {
  providers:
    "Fügt bekannte Anbieter von Modellen mit ihren Schlüsseln hinzu und entfernt sie. Wählt das Konto, das zahlt.",
  secrets: "Speichert, ersetzt und entfernt Geheimnisse. Kann sie nicht lesen und nicht an neue Hosts senden.",
  audit: "Liest, prüft und exportiert das Audit-Log.",
  approve: "Erlaubt oder verweigert einzelne Aufrufe von Agenten in Räumen, die die Person lesen kann.",
} as const;
export const ownRoles = {
  r: "Du bist Betrachter: Du kannst hier lesen.",
  w: "Du bist Mitglied: Du kannst hier lesen und schreiben.",
  x: "Du bist Admin.",
} as const;
export const onlyAdmin = (name: string): string => `${name} ist der einzige Admin dieses Hauses.`;
export const onlyAdminHint = "Ein Haus braucht einen Admin. Mache zuerst eine andere Person zum Admin.";
export const roleTooHigh = "Du kannst keine höhere Rolle als deine eigene vergeben.";
export const roleTooHighHint = "Bitte einen Admin, sie zu vergeben.";

// levels-of.ts
export const memberOfAnotherHouse = "Mitglied eines anderen Hauses";

// members-page.tsx
export const addPersonOrAgent = "Person oder Agent hinzufügen";
export const yourRole = (name: string): string => `Deine Rolle in ${name}`;
export const noRole = "Du hast in diesem Haus keine Rolle. Du hast nur Zugriff auf einzelne Räume.";
export const roleHint = "Ein Admin dieses Hauses kann deine Rolle ändern.";
export const adminOf = "Du bist Admin von";

// place-levels.tsx
export const agent = "Agent";
export const saved = "Gespeichert.";
export const person = "Person";
export const youSuffix = " (du)";
export const tryAgain = "Erneut versuchen";
export const access = "Zugriff";
export const openRoomAccess =
  "Die Rollen des Hauses gelten auch hier. Du kannst nur für diesen Raum eine höhere Rolle vergeben.";
export const closedRoomAccess =
  "Mitglieder dieses Raums können hier schreiben. Andere Mitglieder des Hauses haben keinen Zugriff, außer Admins.";
export const giveUpRoleTitle = "Deine Admin-Rolle abgeben?";
export const giveUpRoleEffect =
  "Du kannst hier dann nichts mehr ändern. Nur ein anderer Admin kann dir die Rolle wiedergeben.";
export const giveUpRole = "Rolle abgeben";
export const roleOf = (name: string): string => `Rolle von ${name}`;
export const rightsOf = (name: string): string => `${name} verwaltet außerdem`;
export const yourRights = (rights: readonly string[]): string => `Du verwaltest außerdem: ${rights.join(", ")}.`;
export const removeAccess = "Zugriff entfernen";
export const inheritedRole = (kind: string): string => `${kind} · vom Haus geerbt`;
export const roomMemberRole = (kind: string): string => `${kind} · Mitglied dieses Raums`;
export const roomRole = (kind: string): string => `${kind} · für diesen Raum festgelegt`;
export const roomAndHouseRole = (kind: string, houseRole: string): string =>
  `${kind} · für diesen Raum festgelegt; Rolle im Haus: ${houseRole}`;

// place-levels.tsx, table
export const membersList = "Mitglieder";
export const name = "Name";
export const kind = "Art";
export const allKinds = "Personen und Agenten";
export const people = "Personen";
export const agents = "Agenten";
export const allRoles = "Alle Rollen";
export const noMembers = "Keine Mitglieder";
export const makeRole = (role: string): string => `Rolle ${role} geben`;
export const makeRoleCount = (count: number, role: string): string => `${count} die Rolle ${role} geben`;
export const changedCount = (count: number): string =>
  count === 1 ? "1 Mitglied geändert." : `${count} Mitglieder geändert.`;
export const removeAccessCount = (count: number): string => `Zugriff von ${count} entfernen`;
export const removeAccessTitle = (count: number): string =>
  count === 1 ? "Den Zugriff von 1 Mitglied entfernen?" : `Den Zugriff von ${count} Mitgliedern entfernen?`;
export const removeAccessEffect =
  "Sie können diesen Ort nicht mehr öffnen. Ein Admin kann den Zugriff wieder erteilen.";
export const noRights = "Keine weiteren Rechte";
export const rightsButton = (rights: string, name: string): string => `${rights}: Rechte von ${name} ändern`;
