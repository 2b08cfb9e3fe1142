import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type AdviceWarning, adviseOnCompile } from '../../advise/compile-advice.ts'
import { SvcError } from '../../base/errors/svc-error.ts'
import { replaceFile } from '../../base/util/replace-file.ts'
import type { CompileResult } from '../../compiler/compile.ts'
import { isUpToDate, writeCompiledSchema } from '../../compiler/emit.ts'
import { jsonBeside } from '../../compiler/json-beside.ts'
import { writeSchemaJson } from '../../compiler/write-schema-json.ts'
import type { Database } from '../../contract/database.ts'
import type { CompiledSchema } from '../../schema/compiled.ts'
import { type CommandArgs, type CommandIo, defineCommand, EXIT, type ExitCode } from '../command/command.ts'
import { JSON_FLAG } from '../command/json-output.ts'
import { printError } from '../command/print-error.ts'
import { loadAuthored } from '../project/load-authored.ts'
import { PROJECT_FLAGS } from '../project/load-project.ts'
import { compileProject } from './compile-project.ts'
import { findInput } from './find-input.ts'
import { lackOf, lookAfter } from './look-after.ts'
import { printOutcome } from './print-outcome.ts'
import { printSdl } from './print-sdl.ts'
import { type SourceWatch, watchSources } from './watch-sources.ts'

/** The command `svc compile`, which compiles the schema of a project to the file that the service loads. */
export const compileCommand = defineCommand({
  name: 'compile',
  summary: 'Check the schema and write the compiled schema.',
  description:
    'Reads the schema from TypeScript, JavaScript, Python or JSON, compares it with the catalog of the configured database, and\n' +
    'writes the artifact that `svc run` serves; from a module, schema.json beside it as well. Exit codes: 0 compiled,\n' +
    '1 faults in the schema, 2 configuration, 3 the database cannot be reached. An embedded database that is not there is\n' +
    'created from the scripts of its init_dir, and `svc run` opens it; --check leaves no traces.',
  arguments: [
    {
      name: 'INPUT',
      description:
        'The schema (.ts, .js, .py, .json). Default: schema.ts or schema.py beside svc.toml, else svc.schema_file',
    },
  ],
  options: [
    { name: 'config', short: 'c', type: 'string', value: 'FILE', description: 'svc.toml or its folder.' },
    { name: 'output', short: 'o', type: 'string', value: 'FILE', description: 'Where to write (svc.output_file).' },
    {
      name: 'offline',
      type: 'boolean',
      description: 'Read no database; fewer checks. database.url says what it speaks, else PostgreSQL.',
    },
    {
      name: 'sdl',
      type: 'boolean',
      description: 'Also write the GraphQL schema as SDL: schema.graphql beside the artifact.',
    },
    { name: 'check', type: 'boolean', description: 'Write nothing; exit 1 when the artifact is not up to date.' },
    { name: 'watch', short: 'w', type: 'boolean', description: 'Compile again when a source changes.' },
    PROJECT_FLAGS.database!.option,
    JSON_FLAG,
  ],
  examples: [
    'svc compile',
    'svc compile --sdl',
    'svc compile schema.ts -o build/schema.compiled.json',
    'svc compile schema.py',
    'svc compile --check',
  ],
  run,
})

async function run(args: CommandArgs, io: CommandIo): Promise<ExitCode> {
  if (args.flags.watch !== true) return compileOnce(args, io)
  if (args.flags.json === true) {
    const message = '--json prints one document, and --watch compiles without end: take one of them.'
    throw new SvcError('SVC_USAGE', `${message}\nSee: svc compile --help`)
  }
  const stop = io.stopSignal()
  let watch: SourceWatch | null = null
  let files: readonly string[] = []
  const onSources = (found: readonly string[]): void => {
    files = found
    watch?.follow(files)
  }
  await compileSafely(args, io, onSources)
  watch = await watchSources(args, io, () => compileSafely(args, io, onSources))
  watch.follow(files)
  if (!stop.aborted) await new Promise((resolve) => stop.addEventListener('abort', resolve, { once: true }))
  watch.stop()
  return EXIT.ok
}

/** Compiles while watching: a failure keeps the last artifact, and the next change compiles again. */
async function compileSafely(
  args: CommandArgs,
  io: CommandIo,
  onSources: (files: readonly string[]) => void,
): Promise<void> {
  try {
    await compileOnce(args, io, { onSources })
  } catch (error) {
    io.stderr(printError(error, false))
  }
}

export interface CompileOnceOptions {
  /** Database whose catalog is read. Absent: opens the database of the project. */
  readonly database?: Database | undefined
  /** Receives the result, faults included, before it is printed. */
  readonly onResult?: (result: CompileResult) => void
  /** Receives absolute paths of the known source files, also when the schema cannot be loaded. */
  readonly onSources?: (files: readonly string[]) => void
}

/**
 * Runs `svc compile` once: loads the schema, compiles it, writes the files (or with `--check` compares them), and
 * prints the result.
 */
export async function compileOnce(
  args: CommandArgs,
  io: CommandIo,
  { database, onResult = () => {}, onSources = () => {} }: CompileOnceOptions = {},
): Promise<ExitCode> {
  const { project, input, output } = await findInput(args, io)
  const loaded = await loadAuthored(project, input, io).catch((error: unknown) => {
    onSources(filesOfFailure(error))
    throw error
  })
  onSources(loaded.files)
  const offline = args.flags.offline === true || project.config.database.url === undefined
  const advised: AdviceWarning[] = []
  const { advise, introspect, database: configured } = project.config
  const switchesRole = configured.role_claim !== undefined
  const examine = async (open: Database, compiled: CompiledSchema): Promise<void> => {
    const advice = { ignore: advise.ignore, selection: introspect, switchesRole }
    advised.push(...(await adviseOnCompile(open, compiled, advice)))
  }
  const options = { offline, check: args.flags.check === true, database, examine }
  const result = await compileProject(project, loaded.schema, options, io)
  onResult(result)
  const { compiled } = result
  if (compiled === null) return printOutcome({ result, output, advised, looked: [], stale: null, sdl: null }, args, io)
  const looked = [...lackOf(project, compiled), ...(await lookAfter(project, compiled, io))]
  const sdl = args.flags.sdl === true ? { path: sdlBeside(output), text: await printSdl(project, compiled, io) } : null
  const outcome = { result, output, advised, looked, sdl: sdl?.path ?? null }
  if (args.flags.check === true) {
    const stale = [
      ...((await isUpToDate(output, compiled)) ? [] : [output]),
      ...(sdl === null || (await readFile(sdl.path, 'utf8').catch(() => null)) === sdl.text ? [] : [sdl.path]),
    ]
    return printOutcome({ ...outcome, stale }, args, io)
  }
  if (loaded.module !== null) await writeSchemaJson(loaded.schema, jsonBeside(loaded.module))
  await writeCompiledSchema(output, compiled)
  if (sdl !== null) await replaceFile(sdl.path, sdl.text)
  return printOutcome({ ...outcome, stale: null }, args, io)
}

/** Returns the source files that a failed load reports: the module with the error may be in another folder. */
function filesOfFailure(error: unknown): readonly string[] {
  const files = error instanceof SvcError ? error.details?.files : undefined
  return Array.isArray(files) ? files : []
}

function sdlBeside(output: string): string {
  return join(dirname(output), 'schema.graphql')
}
