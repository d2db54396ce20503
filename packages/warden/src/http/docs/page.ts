/** Renders the OpenAPI document as a page without scripts. */
import type { Content, JsonSchema, OpenApiDocument, OperationObject } from "./open-api.ts";
import { escapeHtml, type Page, renderProse, renderPage } from "./layout.ts";

export const renderDocs = (document: OpenApiDocument, hash: (text: string) => string): Page => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const groups = document.tags.map(({ name }) => {
    const groupOperations = operations.filter(({ operation }) => operation.tags.includes(name));
    const rendered = groupOperations.map((entry) => renderOperation(entry)).join("");
    return `<h2 id="${toAnchor(name)}">${escapeHtml(name)}</h2>${rendered}`;
  });
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) =>
      `<h3 id="schema-${toAnchor(name)}">${escapeHtml(name)}</h3><pre>${renderType(schema, "")}</pre>`,
  );
  const links = [...document.tags.map(({ name }) => name), "Schemas"].map(
    (name) => `<a href="#${toAnchor(name)}">${escapeHtml(name)}</a>`,
  );
  const body = [
    `<h1>${escapeHtml(document.info.title)}</h1><p>${renderProse(document.info.description)}</p>`,
    `<p>Send <code>Authorization: Bearer KEY</code>. The same in a form for programs: <a href="/openapi.json">openapi.json</a>.</p>`,
    `<nav>${links.join("")}</nav>`,
    ...groups,
    `<h2 id="schemas">Schemas</h2>`,
    ...schemas,
  ];
  return renderPage(hash, `${document.info.title} API`, body.join("\n"));
};

const renderOperation = ({
  path,
  method,
  operation,
}: {
  path: string;
  method: string;
  operation: OperationObject;
}): string => {
  const rows = operation.parameters.map(
    ({ name, in: place, required, description, schema }) =>
      `<tr><td><code>${escapeHtml(name)}</code></td><td class="dim">${place}${required ? "" : ", optional"}</td>` +
      `<td><code>${renderType(schema, "")}</code>${description === undefined ? "" : ` ${renderProse(description)}`}</td></tr>`,
  );
  const answers = Object.entries(operation.responses).map(
    ([status, { description, content }]) =>
      `<tr><td><code>${status}</code></td><td>${renderProse(description)}</td><td>${status.startsWith("2") ? renderContent(content) : ""}</td></tr>`,
  );
  return [
    `<details id="${toAnchor(operation.operationId)}"><summary><b>${method.toUpperCase()}</b> <code>${escapeHtml(path)}</code> `,
    `<span class="dim">${renderProse(operation.summary)}</span></summary>`,
    operation.description === undefined ? "" : `<p>${renderProse(operation.description)}</p>`,
    `<p class="dim">${escapeHtml(describeNeeds(operation["x-needs"]))}${operation["x-fresh-login"] === true ? " Needs a fresh login." : ""}</p>`,
    rows.length === 0 ? "" : `<table>${rows.join("")}</table>`,
    operation.requestBody === undefined ? "" : `<p>Takes ${renderContent(operation.requestBody.content)}</p>`,
    `<table>${answers.join("")}</table></details>`,
  ].join("");
};

const describeNeeds = (needs: string): string => {
  switch (needs) {
    case "nothing":
      return "Open to all.";
    case "credential":
      return "For any key or login, within what its agent sees.";
    default:
      return `Needs ${needs}.`;
  }
};

const renderContent = (content: Content | undefined): string =>
  Object.entries(content ?? {})
    .map(([type, { schema }]) => `<span class="dim">${escapeHtml(type)}</span> <code>${renderType(schema, "")}</code>`)
    .join(" ");

/** Renders a JSON Schema in TypeScript notation. */
const renderType = (schema: JsonSchema, indent: string): string => {
  const { $ref: ref, const: constant, enum: choices, anyOf, oneOf, allOf, type, items, properties, pattern } = schema;
  if (typeof ref === "string") {
    const name = ref.slice(ref.lastIndexOf("/") + 1);
    return `<a href="#schema-${toAnchor(name)}">${escapeHtml(name)}</a>`;
  }
  if (constant !== undefined) return toEscapedJson(constant);
  if (Array.isArray(choices)) return choices.map(toEscapedJson).join(" | ");
  const alternatives = anyOf ?? oneOf;
  if (Array.isArray(alternatives))
    return alternatives.map((option: JsonSchema) => renderType(option, indent)).join(" | ");
  if (Array.isArray(allOf)) return allOf.map((part: JsonSchema) => renderType(part, indent)).join(" &amp; ");
  if (type === "array") return `(${renderType((items ?? {}) as JsonSchema, indent)})[]`;
  if (properties !== undefined)
    return renderProperties(schema, properties as { readonly [name: string]: JsonSchema }, indent);
  if (type === "object")
    return `{ [name]: ${renderType((schema["additionalProperties"] ?? {}) as JsonSchema, indent)} }`;
  const text = typeof type === "string" ? type : "unknown";
  return typeof pattern === "string" ? `${text} <span class="dim">${escapeHtml(pattern)}</span>` : text;
};

const renderProperties = (
  schema: JsonSchema,
  properties: { readonly [name: string]: JsonSchema },
  indent: string,
): string => {
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const innerIndent = `${indent}  `;
  const lines = Object.entries(properties).map(([name, property]) => {
    const description = property["description"];
    const comment = typeof description === "string" ? ` <span class="dim">// ${escapeHtml(description)}</span>` : "";
    const optional = required.includes(name) ? "" : "?";
    return `${innerIndent}${escapeHtml(name)}${optional}: ${renderType(property, innerIndent)}${comment}`;
  });
  return `{\n${lines.join("\n")}\n${indent}}`;
};

const toEscapedJson = (value: unknown): string => escapeHtml(JSON.stringify(value));

const toAnchor = (name: string): string => encodeURIComponent(name.toLowerCase());
