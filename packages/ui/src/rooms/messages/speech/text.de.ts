/** German texts of this folder. */

export const spokenMessage = "Vorgelesene Nachricht";
export const preparingSpeech = "Audio wird vorbereitet";
