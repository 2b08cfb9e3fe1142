import { mkdir, readFile } from 'node:fs/promises'
import { dirname, relative, resolve } from 'node:path'
import { SvcError } from '../../base/errors/svc-error.ts'
import { replaceFile } from '../../base/util/replace-file.ts'
import { type CommandArgs, type CommandIo, defineCommand, EXIT, type ExitCode } from '../command/command.ts'
import { JSON_FLAG, printJson } from '../command/json-output.ts'
import { PROJECT_FLAGS } from '../project/load-project.ts'
import { type ClientDocument, findDocuments } from './documents/find-documents.ts'
import { type ApiSchema, readApiSchema } from './schema/read-api-schema.ts'

/** Writers by language. Each is loaded when it is used. */
const CLIENTS: Readonly<Record<string, (api: ApiSchema, documents: readonly ClientDocument[]) => Promise<string>>> = {
  typescript: async (api, documents) =>
    (await import('./typescript/write-client.ts')).writeTypeScriptClient(api, documents),
  python: async (api) => (await import('./python/write-client.ts')).writePythonClient(api),
}

/** The command `svc generate`, which writes a typed client in TypeScript or Python for the API of a schema. */
export const generateCommand = defineCommand({
  name: 'generate',
  summary: 'Write a typed client for the API.',
  description:
    'Writes one module without dependencies: the types of the schema, and a function per query and mutation. INPUT is a compiled\n' +
    'schema, a source or the folder of a project; sources are compiled in memory. --schema-sdl and --introspection take the schema\n' +
    'from a file of another tool. Equal schemas give equal modules. Exit code 1: a document is not valid, or --check found a\n' +
    'module that is not up to date.',
  arguments: [{ name: 'INPUT', description: 'The schema. Default: the project in the current folder.' }],
  options: [
    { name: 'client', type: 'string', value: 'LANGUAGE', description: `${Object.keys(CLIENTS).join(' or ')}.` },
    { name: 'output', short: 'o', type: 'string', value: 'FILE', description: 'File to write. Default: print it.' },
    {
      name: 'documents',
      type: 'string',
      value: 'GLOB',
      description: 'Type the documents in .graphql files and gql and graphql templates (typescript).',
    },
    { name: 'check', type: 'boolean', description: 'Write nothing; exit 1 when --output is not up to date.' },
    { name: 'config', short: 'c', type: 'string', value: 'FILE', description: 'svc.toml or its folder.' },
    { name: 'schema-sdl', type: 'string', value: 'FILE', description: 'Take the schema from SDL.' },
    { name: 'introspection', type: 'string', value: 'FILE', description: 'Take the schema from introspection JSON.' },
    { name: 'offline', type: 'boolean', description: 'Compile a source without a database.' },
    PROJECT_FLAGS.database!.option,
    JSON_FLAG,
  ],
  examples: [
    'svc generate --client typescript -o src/svc-client.ts',
    "svc generate schema.compiled.json --client typescript --documents 'src/**/*.{ts,tsx,graphql}' -o src/svc-client.ts",
    'svc generate --client python -o svc_client.py',
  ],
  run,
})

async function run(args: CommandArgs, io: CommandIo): Promise<ExitCode> {
  const { flags } = args
  const client = typeof flags.client === 'string' ? flags.client : ''
  const write = Object.hasOwn(CLIENTS, client) ? CLIENTS[client]! : null
  if (write === null) throw usage(`--client is one of: ${Object.keys(CLIENTS).join(', ')}.`)
  if (typeof flags.documents === 'string' && client !== 'typescript')
    throw usage('--documents needs --client typescript.')
  const output = typeof flags.output === 'string' ? resolve(io.cwd, flags.output) : null
  if (output === null && flags.check === true) throw usage('--check compares a file: name it with --output.')
  const api = await readApiSchema(args, io)
  const documents = typeof flags.documents === 'string' ? await findDocuments(flags.documents, api.schema, io.cwd) : []
  const text = await write(api, documents)
  const facts = { client, documents: documents.length, ...(output === null ? {} : { output }) }
  if (output === null) {
    if (flags.json === true) printJson(io, { ok: true, ...facts, text })
    else io.stdout(text)
    return EXIT.ok
  }
  const isCurrent = (await readFile(output, 'utf8').catch(() => null)) === text
  const shown = relative(io.cwd, output) || output
  if (flags.check === true) {
    if (flags.json === true) printJson(io, { ok: isCurrent, ...facts, written: false })
    else if (isCurrent) io.stdout(`${shown} is up to date\n`)
    else io.stderr(`${shown} is not what the schema gives. Run svc generate without --check.\n`)
    return isCurrent ? EXIT.ok : EXIT.invalid
  }
  await mkdir(dirname(output), { recursive: true })
  // A watcher of the file is not woken by the same content.
  if (!isCurrent) await replaceFile(output, text)
  if (flags.json === true) printJson(io, { ok: true, ...facts, written: !isCurrent })
  else io.stdout(`${shown}: ${api.schema.getQueryType() === undefined ? 'no queries' : describe(api, documents)}\n`)
  return EXIT.ok
}

function describe({ schema }: ApiSchema, documents: readonly ClientDocument[]): string {
  const count = (type: ReturnType<typeof schema.getQueryType>): number =>
    type == null ? 0 : Object.keys(type.getFields()).length
  const counts = [`${count(schema.getQueryType())} queries`, `${count(schema.getMutationType())} mutations`]
  return [...counts, ...(documents.length === 0 ? [] : [`${documents.length} documents`])].join(', ')
}

function usage(message: string): SvcError {
  return new SvcError('SVC_USAGE', `${message}\nSee: svc generate --help`)
}
