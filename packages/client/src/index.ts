export * from "./client.ts";
export * from "./follow.ts";
