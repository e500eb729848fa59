import { ToolMessage } from '@langchain/core/messages';
import {
  type StructuredToolInterface,
  ToolInputParsingException,
  type ToolRunnableConfig,
  tool,
} from '@langchain/core/tools';

interface ToolDescription {
  readonly name: string;
  readonly description: string;
  readonly input_schema: Readonly<Record<string, unknown>>;
}

type Run = (args: unknown, config: ToolRunnableConfig) => Promise<string | ToolMessage>;

/**
 * A tool whose `run` checks the arguments and names the wrong one. LangChain checks them by the schema before that, and tells the
 * model no more than that they do not fit it: where it refuses them, `run` gives the answer.
 */
export function checkedTool(described: ToolDescription, run: Run): StructuredToolInterface {
  const { name, description, input_schema: schema } = described;
  const made = tool(run, { name, description, schema });
  const invoke: StructuredToolInterface['invoke'] = made.invoke.bind(made);
  const checked: StructuredToolInterface['invoke'] = async (input, config) => {
    try {
      return await invoke(input, config);
    } catch (error) {
      if (!(error instanceof ToolInputParsingException)) throw error;
      const call = toolCallOf(input);
      if (!call) return run(input, { ...config });
      const answer = await run(call.args, { ...config, toolCall: call });
      return typeof answer === 'string'
        ? new ToolMessage({ content: answer, name, tool_call_id: call.id ?? '' })
        : answer;
    }
  };
  return Object.assign(made, { invoke: checked });
}

type Input = Parameters<StructuredToolInterface['invoke']>[0];
type ToolCall = Extract<Input, { readonly type?: 'tool_call' }>;

function toolCallOf(input: Input): ToolCall | undefined {
  return typeof input === 'object' && 'type' in input && input.type === 'tool_call'
    ? (input as ToolCall)
    : undefined;
}
