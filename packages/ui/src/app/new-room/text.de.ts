/** German texts of this folder. */

export const newRoom = "Neuer Raum";
export const cancel = "Abbrechen";
export const createRoom = "Raum erstellen";
export const name = "Name";
export const participants = "Teilnehmer";
export const youAreIncluded = "Du gehörst dazu.";
export const youAndAgentsAreIncluded = (agent: string): string =>
  `Du gehörst dazu. Agenten beantworten Nachrichten, die sie erwähnen, zum Beispiel mit @${agent}.`;
export const nameIsTaken = "Dieser Name ist vergeben. Wähle einen anderen.";
