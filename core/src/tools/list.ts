import type { Operation } from '../engine/context.ts';
import { describeTools } from './describe.ts';

/** The tools of the MCP server. Design 5, GET /tools. */
export const listTools: Operation<'tools'> = async () => ({ tools: [...describeTools()] });
