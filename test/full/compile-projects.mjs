// node compile-projects.mjs FOLDER...: compiles each folder by its tsconfig.json, as `tsc -p` does with the TypeScript that is
// installed there, and prints a JSON list of what it says of each. To check every declaration file of a framework takes ten
// seconds, so one that passed in a folder is not checked again in those after it; what is our own is, wherever it is used.
import { createRequire } from 'node:module';
import { join } from 'node:path';

const folders = process.argv.slice(2);
const ts = createRequire(join(folders[0] ?? '', 'package.json'))('typescript');
const FOREIGN = /\/node_modules\/(?!@svc-memory\/|svc-memory\/)/;
const passed = new Set();

process.stdout.write(JSON.stringify(folders.map(compile)));

function compile(folder) {
  const config = ts.getParsedCommandLineOfConfigFile(join(folder, 'tsconfig.json'), undefined, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: fail,
  });
  const program = ts.createProgram({ rootNames: config.fileNames, options: config.options });
  const found = [
    ...config.errors,
    ...program.getOptionsDiagnostics(),
    ...program.getSyntacticDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...program.getSourceFiles().flatMap((file) => check(program, file)),
    ...program.emit().diagnostics,
  ];
  return ts.formatDiagnostics(found, {
    getCurrentDirectory: () => folder,
    getCanonicalFileName: (name) => name,
    getNewLine: () => '\n',
  });
}

function check(program, file) {
  const isForeign = FOREIGN.test(file.fileName);
  if (isForeign && passed.has(file.fileName)) return [];
  const found = program.getSemanticDiagnostics(file);
  if (isForeign && found.length === 0) passed.add(file.fileName);
  return found;
}

function fail({ messageText }) {
  throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
}
