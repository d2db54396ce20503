/** German texts of this folder. */

// place.ts
export const agentTabs = {
  overview: "Übersicht",
  instructions: "Anweisungen",
  tools: "Werkzeuge & Zugriff",
  memory: "Gedächtnis & Dateien",
  automations: "Automatisierungen",
  budget: "Budget",
  activity: "Aktivität",
  advanced: "Erweitert",
} as const;
export const tabOfAgent = (tab: string, name: string): string => `${tab} · ${name}`;
export const agents = "Agenten";
export const system = "System";
export const contextOf = (agentName: string): string => `Kontext von ${agentName}`;
export const rooms = "Räume";
export const newRoom = "Neuer Raum";
export const tabTitle = (page: string): string => `${page} · Einstellungen`;
export const newAgent = "Neuer Agent";
export const importAgent = "Agent importieren";
export const activityIn = (room: string): string => `Aktivität in ${room}`;
export const notFound = "Seite nicht gefunden";
export const members = "Mitglieder";
export const general = "Allgemein";
export const account = "Konto";
export const notifications = "Benachrichtigungen";
export const models = "Modelle";
export const web = "Web & Geheimnisse";
export const sandboxes = "Sandboxes";
export const newChannel = "Neuer Kanal";
export const channels = "Kanäle";
export const limits = "Nutzung & Limits";
export const backups = "Sicherung & Speicher";
export const audit = "Audit";
export const apiKeys = "API-Schlüssel";

// settings-page.tsx
export const loading = "Wird geladen";
export const settings = "Einstellungen";
export const pageNotFound = "Seite nicht gefunden.";
export const viewAgents = "Agenten anzeigen";
export const onlyAdmins = "Nur Admins dieses Hauses können diese Seite öffnen. Bitte einen Admin um Zugriff.";
