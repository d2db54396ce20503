/** Shared by journeys that break the connection of a page. */

export const env = { TEST_KEY: "key" };

/** Console messages that Chromium logs for every broken connection. */
export const CUT = /ERR_CONNECTION|ERR_INTERNET_DISCONNECTED|ERR_NETWORK|ERR_EMPTY_RESPONSE|WebSocket connection to/;
