import type { oas31 } from 'zod-openapi';
import type { ApiDocument } from './document.ts';

type Schema = oas31.SchemaObject | oas31.ReferenceObject;
const METHODS = ['get', 'post', 'patch', 'delete'] as const;

/** Style of the page; served beside it, since its policy allows nothing inline. */
export const PAGE_STYLE = `:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
code,pre{font:14px/1.4 ui-monospace,monospace}
details{border:1px solid #8884;border-radius:6px;margin:.5rem 0;padding:.5rem .75rem}
summary{cursor:pointer}.method{display:inline-block;min-width:4.5rem;font-weight:700}
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.25rem .75rem .25rem 0}
.description{white-space:pre-line}`;

/**
 * Renders the API document as a page that needs no script and loads nothing from elsewhere.
 *
 * @param base Path of the page's own folder, where `docs.css` and `openapi.json` are.
 */
export function renderDocsPage(document: ApiDocument, base: string): string {
  const entries = operations(document);
  const tags = new Set(entries.map(tagOf));
  const sections = [...tags].map((tag) => {
    const own = entries.filter((entry) => tagOf(entry) === tag);
    return `<h2>${escapeHtml(tag)}</h2>${own.map((entry) => renderOperation(document, entry)).join('')}`;
  });
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(document.info.title)}</title>
<meta name="viewport" content="width=device-width,initial-scale=1"><link rel="stylesheet" href="${base}/docs.css"></head>
<body><h1>${escapeHtml(document.info.title)} ${escapeHtml(document.info.version)}</h1>
<p class="description">${escapeHtml(document.info.description ?? '')}</p>
<p>Send <code>Authorization: Bearer &lt;API key&gt;</code>. Machine-readable: <a href="${base}/openapi.json">openapi.json</a>.</p>
${sections.join('\n')}</body></html>`;
}

interface Entry {
  readonly method: string;
  readonly path: string;
  readonly operation: oas31.OperationObject;
}

function tagOf({ operation }: Entry): string {
  return operation.tags?.[0] ?? 'other';
}

function operations({ paths = {} }: ApiDocument): Entry[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation ? [{ method: method.toUpperCase(), path: `/api/v1${path}`, operation }] : [];
    }),
  );
}

function renderOperation(document: ApiDocument, { method, path, operation }: Entry): string {
  const parameters = (operation.parameters ?? []).flatMap((parameter) =>
    'name' in parameter
      ? [fieldRow(parameter.name, schemaOf(parameter), parameter.required === true, parameter.in)]
      : [],
  );
  const body =
    operation.requestBody && 'content' in operation.requestBody ? operation.requestBody : undefined;
  const fields = body ? schemaRows(document, body.content['application/json']?.schema ?? {}, 'body') : [];
  const rows = [...parameters, ...fields].join('');
  const answers = Object.entries<oas31.ResponseObject | oas31.ReferenceObject>(operation.responses ?? {}).map(
    ([status, answer]) =>
      `<tr><td><code>${escapeHtml(status)}</code></td><td class="description">${answerText(document, answer)}</td></tr>`,
  );
  return `<details id="${escapeHtml(operation.operationId ?? '')}"><summary><code><span class="method">${method}</span>${escapeHtml(path)}</code>
${escapeHtml(operation.summary ?? '')}</summary><p>${escapeHtml(operation.description ?? '')}</p>
${rows ? `<table><tr><th>Field</th><th>In</th><th>Type</th><th></th></tr>${rows}</table>` : ''}
<table><tr><th>Status</th><th>Answer</th></tr>${answers.join('')}</table></details>`;
}

/** What a parameter holds, also as JSON. */
function schemaOf({ schema, content }: oas31.ParameterObject): Schema {
  return schema ?? content?.['application/json']?.schema ?? {};
}

function answerText(document: ApiDocument, answer: oas31.ResponseObject | oas31.ReferenceObject): string {
  if (!('description' in answer) || !('content' in answer)) return '';
  const schema = answer.content?.['application/json']?.schema;
  const properties = schema ? resolve(document, schema).properties : undefined;
  const fields =
    properties && !('error' in properties) ? ` Fields: ${Object.keys(properties).join(', ')}` : '';
  return escapeHtml(`${answer.description ?? ''}${fields}`);
}

function schemaRows(document: ApiDocument, schema: Schema, place: string): string[] {
  const { properties = {}, required = [] } = resolve(document, schema);
  return Object.entries<Schema>(properties).map(([name, field]) =>
    fieldRow(name, field, required.includes(name), place),
  );
}

function fieldRow(name: string, schema: Schema, required: boolean, place: string): string {
  const notes = 'description' in schema && schema.description ? schema.description : '';
  return `<tr><td><code>${escapeHtml(name)}</code>${required ? ' *' : ''}</td><td>${escapeHtml(place)}</td>
<td><code>${escapeHtml(typeText(schema))}</code></td><td>${escapeHtml(notes)}</td></tr>`;
}

function typeText(schema: Schema): string {
  if ('$ref' in schema && schema.$ref) return schema.$ref.split('/').at(-1) ?? '';
  const { minimum, maximum, minLength, maxLength, default: standard } = schema as oas31.SchemaObject;
  const range = minimum !== undefined || maximum !== undefined ? ` ${minimum ?? ''}..${maximum ?? ''}` : '';
  const length = maxLength === undefined ? '' : ` ${minLength ?? 0}..${maxLength} characters`;
  return `${typeName(schema as oas31.SchemaObject)}${range}${length}${standard === undefined ? '' : ` = ${JSON.stringify(standard)}`}`;
}

function typeName({ enum: choices, anyOf, items, type, format }: oas31.SchemaObject): string {
  if (choices) return choices.join(' | ');
  if (anyOf) return anyOf.map(typeText).join(' | ');
  if (items) return `list of ${typeText(items)}`;
  return `${type ?? 'any'}${format ? ` (${format})` : ''}`;
}

function resolve(document: ApiDocument, schema: Schema): oas31.SchemaObject {
  if (!('$ref' in schema) || !schema.$ref) return schema as oas31.SchemaObject;
  return (document.components?.schemas?.[schema.$ref.split('/').at(-1) ?? ''] ?? {}) as oas31.SchemaObject;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
