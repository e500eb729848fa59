import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { type AnyTool, tools } from '@svc-memory/core/tools';

/** What a client is offered, as written in an environment variable or in the query of the address. */
export interface ToolSelection {
  /** Names of the tools, separated by commas; default: all. */
  readonly tools?: string | undefined;
  /** `true`: tools are listed with the JSON Schemas of their answers, six times the size of all else; default `false`. */
  readonly outputSchemas?: string | undefined;
}

/**
 * The tools of a selection.
 *
 * @throws ProtocolError `InvalidParams` that names what is no tool, and the tools there are.
 */
export function selectTools({ tools: list = '' }: ToolSelection): readonly AnyTool[] {
  const names = list.split(',').flatMap((name) => name.trim() || []);
  if (names.length === 0) return tools;
  const unknown = names.filter((name) => !tools.some((tool) => tool.name === name));
  if (unknown.length > 0) {
    const known = tools.map(({ name }) => name).join(', ');
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `The choice of tools names ${JSON.stringify(unknown)}: it must be a list of names such as svc_boot,svc_recall, out of ${known}.`,
    );
  }
  return tools.filter(({ name }) => names.includes(name));
}

/** @throws ProtocolError `InvalidParams` for what is neither `true` nor `false` */
export function wantsOutputSchemas({ outputSchemas: written = '' }: ToolSelection): boolean {
  if (!['', 'true', 'false'].includes(written)) {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      'The choice of output schemas must be true or false.',
    );
  }
  return written === 'true';
}
