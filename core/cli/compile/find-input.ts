import { existsSync, statSync } from 'node:fs'
import { dirname, extname, join, resolve } from 'node:path'
import { SvcError } from '../../base/errors/svc-error.ts'
import type { CommandArgs, CommandIo } from '../command/command.ts'
import { loadProject, type Project } from '../project/load-project.ts'

export interface CompileInput {
  readonly project: Project
  /** Absolute path of the authored schema (`schema.ts` or `schema.json`). */
  readonly input: string
  /** Absolute path of the artifact (compiled schema) that `svc compile` writes. */
  readonly output: string
}

const DATABASE_KEYS = ['database.url']

/**
 * Finds the project and the schema that a command line means. The svc.toml of the project is that of `--config`,
 * otherwise that in the working directory, otherwise that in the folder of the argument INPUT. A schema without a
 * svc.toml is compiled with the default configuration.
 */
export async function findInput({ positionals: [given], flags }: CommandArgs, io: CommandIo): Promise<CompileInput> {
  const named = given === undefined ? undefined : resolve(io.cwd, given)
  const isProject = named !== undefined && (extname(named) === '.toml' || isFolder(named))
  const config = typeof flags.config === 'string' ? flags.config : isProject ? named : nearestConfig(io.cwd, named)
  const project = await loadProject(
    {
      input: config,
      flags,
      optional: named !== undefined && !isProject && flags.config === undefined,
      ignore: flags.offline === true ? DATABASE_KEYS : [],
    },
    io,
  )
  const input = named === undefined || isProject ? schemaOf(project) : named
  const output = typeof flags.output === 'string' ? resolve(io.cwd, flags.output) : project.artifact
  return { project, input, output }
}

/** Names of a module beside svc.toml that writes `schema.json`. */
const MODULES = ['schema.ts', 'schema.py']

/**
 * A configured module takes precedence. `schema.ts` or `schema.py` beside svc.toml takes precedence over a configured
 * `schema.json`, which it writes.
 */
function schemaOf({ baseDir, config }: Project): string {
  const configured = resolve(baseDir, config.svc.schema_file)
  if (extname(configured) !== '.json') return configured
  const [module, other] = MODULES.map((name) => join(baseDir, name)).filter((path) => existsSync(path))
  if (other === undefined) return module ?? configured
  const message = `${baseDir} has ${MODULES.join(' and ')}. Name the schema of the project in svc.toml: [svc] schema_file = "schema.py"`
  throw new SvcError('SVC_CONFIG_INVALID', message)
}

function nearestConfig(cwd: string, input: string | undefined): string {
  const here = join(cwd, 'svc.toml')
  return input === undefined || existsSync(here) ? here : join(dirname(input), 'svc.toml')
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory()
}
