import type { Methods } from '../../kernel/contract/route.ts';
import { ADDS, type AnyTool, defineTool, SETS } from '../../kernel/tools/tool.ts';
import { bootRoutes } from './contract.ts';

const boot = defineTool({
  name: 'svc_boot',
  title: 'Boot: restore who you are',
  description:
    'Returns who you are, what you are working on and what you know, as one text within your token budget. Call it first in every session, and again whenever you notice that your context was lost or compacted, before you answer anything. Give context_hint (the topic at hand) to have fitting memories included. It issues a new session key; with preview: true nothing changes and the key is redacted.',
  annotations: ADDS,
  input: bootRoutes.boot.request,
  output: bootRoutes.boot.response,
  run: (memory: Methods<typeof bootRoutes>, input, options) => memory.boot(input, options),
  text: ({ injection }) => injection,
});

const bootConfig = defineTool({
  name: 'svc_boot_config',
  title: 'Show or change the boot settings',
  description:
    'Sets how large your boot text may be: token_budget (tokens in all), episodic_limit (recent episodes), truncate_at (characters of one entry). Only the size can be set: there is one type of boot text. Without arguments it shows the settings. Use it when a boot left out what you need, or takes too much of your context.',
  annotations: SETS,
  input: bootRoutes.setBootConfig.request,
  output: bootRoutes.setBootConfig.response,
  run: (memory: Methods<typeof bootRoutes>, input, options) =>
    Object.values(input).every((value) => value === undefined)
      ? memory.bootConfig({}, options)
      : memory.setBootConfig(input, options),
});

export const bootTools: readonly AnyTool[] = [boot, bootConfig];
