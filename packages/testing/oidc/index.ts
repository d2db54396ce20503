/** OpenID Connect providers for tests: a real one, and one that lies. */
export { type Forger, startForger } from "./forger.ts";
export { CLIENT, type CookieJar, logInAt, type Person, startProvider, type TestProvider } from "./provider.ts";
