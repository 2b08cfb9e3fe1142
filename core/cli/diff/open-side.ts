import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join, resolve } from 'node:path'
import { SvcError } from '../../base/errors/svc-error.ts'
import type { CompiledSchema } from '../../schema/compiled.ts'
import { checkArtifact } from '../../schema/link/link.ts'
import { readCompiledSchema } from '../../schema/read-compiled.ts'
import type { CommandArgs, CommandIo } from '../command/command.ts'
import { compileProject } from '../compile/compile-project.ts'
import { findInput } from '../compile/find-input.ts'
import { loadAuthored } from '../project/load-authored.ts'
import { loadProject, type Project } from '../project/load-project.ts'

/**
 * One of the two versions that `svc diff` compares: a compiled schema, and the project that configures how it is
 * served.
 */
export interface SchemaSide {
  readonly compiled: CompiledSchema
  readonly project: Project
  /**
   * `true` if there is a svc.toml, which names the enabled plugins. Without one, svc compares for every group of
   * clients.
   */
  readonly configured: boolean
}

/**
 * Opens a schema for comparison: a compiled one, a source (`schema.ts`, `schema.json`), or the folder or svc.toml of a
 * project. Sources are compiled in memory; no file is written.
 * @param input path on the command line
 * @throws SvcError SVC_SCHEMA_NOT_FOUND: there is no such file; SVC_SCHEMA_FORMAT: it is no compiled schema of this
 * version; SVC_SCHEMA_INVALID: the source does not compile; errors of the configuration and of the connection
 */
export async function openSide(input: string, { flags }: CommandArgs, io: CommandIo): Promise<SchemaSide> {
  const path = resolve(io.cwd, input)
  if (!existsSync(path)) throw new SvcError('SVC_SCHEMA_NOT_FOUND', `There is no schema or project at ${path}.`)
  const ofConfig = { ...(typeof flags.config === 'string' ? { config: flags.config } : {}), ...databaseOf(flags) }
  if (extname(path) === '.json' && (await isCompiled(path))) {
    const compiled = await readCompiledSchema(path)
    checkArtifact(compiled)
    return { compiled, ...(await projectOf(flags, io)) }
  }
  const offline = flags.offline === true ? { offline: true } : {}
  const args = { positionals: [input], flags: { ...ofConfig, ...offline } }
  const { project, input: source } = await findInput(args, io)
  const { schema } = await loadAuthored(project, source, io)
  const isOffline = flags.offline === true || project.config.database.url === undefined
  const { compiled, faults } = await compileProject(project, schema, { offline: isOffline, check: true }, io)
  if (compiled !== null) return { compiled, project, configured: existsSync(project.file) }
  const lines = faults.map(({ message, place }) =>
    place === null ? message : `${place.file}:${place.line}: ${message}`,
  )
  throw new SvcError('SVC_SCHEMA_INVALID', `${source} does not compile:\n${lines.join('\n')}`)
}

function databaseOf({ database }: CommandArgs['flags']): { readonly database?: string } {
  return typeof database === 'string' ? { database } : {}
}

async function isCompiled(path: string): Promise<boolean> {
  return (await readFile(path, 'utf8')).includes('"schema_format_version"')
}

/**
 * The project of `--config`, else of the working directory, else the preset `full`, so that all fronts are described.
 */
async function projectOf(
  { config }: CommandArgs['flags'],
  io: CommandIo,
): Promise<{ readonly project: Project; readonly configured: boolean }> {
  const configured = typeof config === 'string' || existsSync(join(io.cwd, 'svc.toml'))
  const input = typeof config === 'string' ? config : undefined
  const flags = configured ? {} : { preset: 'full' }
  const project = await loadProject({ input, flags, optional: !configured, ignore: ['database.url'] }, io)
  return { project, configured }
}
