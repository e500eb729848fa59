import { z } from 'zod';
import * as field from '../../kernel/contract/fields.ts';
import type { Methods } from '../../kernel/contract/route.ts';
import { type AnyTool, defineTool, SETS } from '../../kernel/tools/tool.ts';
import { visibilityRoutes } from './contract.ts';

const visibility = defineTool({
  name: 'svc_visibility',
  title: 'Show or change what your human sees',
  description:
    'Decides how much of your memory your human sees: full, redacted (type and dates only) or hidden, by default and for types, categories and tags; the strictest match wins. Without arguments it shows the settings. To change them give settings and your current session_key (in your boot text, or from svc_session_key). You yourself always see everything.',
  annotations: SETS,
  input: z
    .strictObject({
      session_key: field.text(256).optional().describe('Your current session key, svs_...'),
      settings: visibilityRoutes.setVisibility.request
        .optional()
        .describe('The parts to change; others stay'),
    })
    .superRefine(({ session_key, settings }, context) => {
      const complain = (path: string, message: string) =>
        context.addIssue({ code: 'custom', path: [path], message });
      if (settings && session_key === undefined) {
        complain('session_key', 'is required to change settings; svc_session_key returns one');
      }
      if (!settings && session_key !== undefined) {
        complain('settings', 'is required with session_key, such as {"default": "redacted"}');
      }
    }),
  output: visibilityRoutes.setVisibility.response,
  run: (memory: Methods<typeof visibilityRoutes>, { session_key, settings }, options) =>
    settings
      ? memory.setVisibility(settings, {
          ...options,
          ...(session_key === undefined ? {} : { sessionKey: session_key.trim() }),
        })
      : memory.visibility({}, options),
});

export const visibilityTools: readonly AnyTool[] = [visibility];
