export { answerHttp, type HttpMessage } from './answer-http.ts';
export type { ToolSelection } from './tool-selection.ts';
