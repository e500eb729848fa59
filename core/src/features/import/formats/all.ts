import type { FormatName } from '../contract.ts';
import { chatgpt } from './chatgpt.ts';
import { claude } from './claude.ts';
import { markdown, plainText } from './documents.ts';
import type { Format } from './format.ts';
import { genericJson, genericJsonLines } from './generic-json.ts';
import { letta } from './letta.ts';
import { mcp } from './mcp.ts';
import { mem0 } from './mem0.ts';
import { supermemory } from './supermemory.ts';
import { svc } from './svc.ts';
import { zep } from './zep.ts';

/** Every format, in the order in which a file is tried: those of one service before those of nobody. */
export const FORMATS: { readonly [Name in FormatName]: Format<Name> } = {
  svc,
  chatgpt,
  claude,
  letta,
  mcp,
  mem0,
  supermemory,
  zep,
  jsonl: genericJsonLines,
  json: genericJson,
  markdown,
  text: plainText,
};
