import type { Framework } from '../framework.ts';
import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';
import { cursor } from './cursor.ts';
import { geminiCli } from './gemini-cli.ts';
import { generic } from './generic.ts';

/** Every host whose hooks are understood. */
export const frameworks: readonly Framework[] = [claudeCode, codex, geminiCli, cursor, generic];
