import type { z } from 'zod';
import { type FieldIssue, invalid, SvcError } from './errors.ts';

const SHOWN_ISSUES = 20;

/**
 * Parses a request by its schema.
 *
 * @throws SvcError `VALIDATION_ERROR` whose details name every wrong field with its path and a fix.
 */
export function parseInput<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) {
    refusePrototypes(value);
    return result.data;
  }
  const known = 'shape' in schema ? Object.keys(schema.shape as object) : [];
  const { issues } = result.error;
  const ofWrongType = new Set(issues.filter(({ code }) => code === 'invalid_type').map(placeOf));
  const described = issues
    .filter((issue) => !(isOfLength(issue) && ofWrongType.has(placeOf(issue))))
    .flatMap((issue) => describe(issue, known));
  const details = [...new Map(described.map((one) => [`${one.path}\n${one.message}`, one])).values()].slice(
    0,
    SHOWN_ISSUES,
  );
  const message = details.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; ');
  throw new SvcError('VALIDATION_ERROR', message, { details });
}

function placeOf({ path }: z.core.$ZodIssue): string {
  return path.join('.');
}

/** zod measures the text that stands where a list belongs, too: beside its wrong type, its length is no issue. */
function isOfLength({ code }: z.core.$ZodIssue): boolean {
  return code === 'too_big' || code === 'too_small';
}

const DEEPEST = 8;

/**
 * Refuses objects that hold a field `__proto__`: records leave it out without a word, and what was asked would not be done.
 */
function refusePrototypes(value: unknown, path: readonly string[] = []): void {
  if (typeof value !== 'object' || value === null || path.length > DEEPEST) return;
  if (Object.hasOwn(value, '__proto__')) {
    throw invalid([...path, '__proto__'].join('.'), 'cannot be used as a name');
  }
  for (const [name, part] of Object.entries(value)) {
    if (typeof part === 'object') refusePrototypes(part, [...path, name]);
  }
}

function describe(issue: z.core.$ZodIssue, known: readonly string[]): FieldIssue[] {
  const path = issue.path.map(String).join('.');
  switch (issue.code) {
    case 'unrecognized_keys': {
      const hint = path === '' && known.length > 0 ? `; known fields: ${known.join(', ')}` : '';
      return issue.keys.map((key) => ({
        path: path === '' ? key : `${path}.${key}`,
        message: `is not a known field${hint}`,
      }));
    }
    case 'invalid_type':
      return [
        { path, message: issue.input === undefined ? 'is required' : `must be ${article(issue.expected)}` },
      ];
    case 'invalid_value':
      return [{ path, message: `must be one of ${issue.values.map(String).join(', ')}` }];
    case 'too_small':
      if (issue.origin === 'string') return [{ path, message: issue.message }];
      return [{ path, message: `${bound(issue.origin)} at least ${issue.minimum}` }];
    case 'too_big':
      if (issue.origin === 'string') return [{ path, message: issue.message }];
      return [{ path, message: `${bound(issue.origin)} at most ${issue.maximum}` }];
    case 'invalid_union':
      return describeUnion(issue, path);
    case 'invalid_format':
      return [{ path, message: issue.format === 'uuid' ? 'must be a UUID' : issue.message }];
    default:
      return [{ path, message: issue.message }];
  }
}

/** Of a field that takes several types: what is wrong within the one that was sent, or which it takes. */
function describeUnion(issue: z.core.$ZodIssueInvalidUnion, path: string): FieldIssue[] {
  const mismatches = issue.errors.map((issues) =>
    issues.find(({ code, path }) => code === 'invalid_type' && path.length === 0),
  );
  const [sent = [], another] = issue.errors.filter((_, place) => !mismatches[place]);
  if (another) return [{ path, message: issue.message }];
  if (sent.length > 0) {
    return sent.flatMap((inner) => describe({ ...inner, path: [...issue.path, ...inner.path] }, []));
  }
  const types = mismatches.flatMap((inner) =>
    inner?.code === 'invalid_type' ? [article(inner.expected)] : [],
  );
  const last = types.pop();
  return [{ path, message: `must be ${types.join(', ')} or ${last}` }];
}

function bound(origin: string): string {
  return origin === 'array' ? 'must be a list of' : 'must be';
}

function article(type: string): string {
  const name = { int: 'integer', record: 'object' }[type] ?? type;
  return `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`;
}
