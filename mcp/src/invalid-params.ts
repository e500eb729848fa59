import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';

/** What the library writes of parameters that do not fit their schema: the issues as JSON, in one case after a few words. */
const ISSUES = /^(?:Invalid \S+ request: )?(\[\s*\{[\s\S]*\}\s*\])$/;

interface Issue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/**
 * The library's server, but for parameters that do not fit: it answers them with the issues as JSON, and most as an internal
 * error, which clients take for a fault of the server and try again.
 */
export class PlainServer extends Server {
  protected override _wrapHandler(...[method, handler]: Parameters<Server['_wrapHandler']>) {
    const wrapped = super._wrapHandler(method, handler);
    const answer: typeof wrapped = async (request, context) => {
      try {
        return await wrapped(request, context);
      } catch (error) {
        throw inPlainWords(error);
      }
    };
    return answer;
  }
}

/** One sentence that names the fields, where the error is of the library about parameters; any other error as it is. */
function inPlainWords(error: unknown): unknown {
  if (!(error instanceof Error) || !(error instanceof ProtocolError || error.name === 'Error')) return error;
  const issues = issuesOf(ISSUES.exec(error.message)?.[1] ?? '[]');
  if (issues.length === 0) return error;
  const text = `Invalid params: ${issues.map(sentenceOf).join('; ')}`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, text);
}

function issuesOf(json: string): Issue[] {
  try {
    const values: unknown[] = JSON.parse(json);
    return values.every(isIssue) ? values : [];
  } catch {
    return [];
  }
}

function isIssue(value: unknown): value is Issue {
  const { path, message } = Object(value);
  return Array.isArray(path) && typeof message === 'string';
}

function sentenceOf({ path, message }: Issue): string {
  const names = path[0] === 'params' ? path.slice(1) : path;
  const field = names.length === 0 ? 'params' : names.join('.');
  if (message.endsWith('received undefined')) return `${field} is required`;
  const said = message
    .replace(/^Invalid input$/, 'has none of the forms that it may have')
    .replace(/^Invalid (?:input|option): /, '')
    .replace('expected record', 'expected object');
  return `${field}: ${said}`;
}
