/** User-facing texts of this folder, in the order of its files. */

export const spokenMessage = "Spoken message";
export const preparingSpeech = "Preparing the audio";
