/** What the journeys of a person who comes back share. */

export const env = { TEST_KEY: "key" };

/** Chromium logs broken connections to the console, whatever the page does. */
export const CUT = /ERR_CONNECTION|ERR_INTERNET_DISCONNECTED|ERR_NETWORK|ERR_EMPTY_RESPONSE|WebSocket connection to/;
