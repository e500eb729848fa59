import { routes } from '../contract/index.ts';
import { defineTool, SETS } from './tool.ts';

export const bootConfig = defineTool({
  name: 'svc_boot_config',
  title: 'Show or change the boot settings',
  description:
    'Sets how large your boot text may be: token_budget (tokens in all), episodic_limit (recent episodes), truncate_at (characters of one entry). Without arguments it shows the settings. Use it when a boot left out what you need, or takes too much of your context.',
  annotations: SETS,
  input: routes.setBootConfig.request,
  output: routes.setBootConfig.response,
  run: (memory, input, options) =>
    Object.values(input).every((value) => value === undefined)
      ? memory.bootConfig({}, options)
      : memory.setBootConfig(input, options),
});
