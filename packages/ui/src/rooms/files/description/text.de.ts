/** German texts of this folder. */

export const describedBy = (source: string): string => `Beschrieben von ${source} für Modelle, die nicht sehen`;
export const notDescribed = (reason: string): string => `Nicht beschrieben. ${reason}`;
export const describeAgain = "Beschreiben";
