import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { SvcError } from '../../base/errors/svc-error.ts'
import type { Database } from '../../contract/database.ts'
import type { DatabaseModel } from '../../contract/database-model.ts'
import { filterModel } from '../../introspect/filter-model.ts'
import type { CompiledSchema } from '../../schema/compiled.ts'
import { linkSchema } from '../../schema/link/link.ts'
import type { SchemaModel } from '../../schema/model.ts'
import type { CommandArgs, CommandIo } from '../command/command.ts'
import { compileProject } from '../compile/compile-project.ts'
import { reporting } from '../compile/configured-dialect.ts'
import { findInput } from '../compile/find-input.ts'
import { readDatabaseUrl } from '../database/database-url.ts'
import { openUrl } from '../database/open-url.ts'
import { openProjectDatabase } from '../database/project-database.ts'
import { compileProposal } from '../introspect/compile-proposal.ts'
import { readProposal, readSelection } from '../introspect/read-proposal.ts'
import { Steps } from '../introspect/steps.ts'
import { loadAuthored } from '../project/load-authored.ts'
import type { Project } from '../project/load-project.ts'

/** What `svc advise` examines: an open database, its model, and the schema that svc serves over it. */
export interface Advised {
  readonly project: Project
  readonly database: Database
  readonly schema: SchemaModel
  readonly model: DatabaseModel
}

/**
 * Opens the project's database and compiles its schema in memory, runs `work`, and closes the database. Without a
 * project, `--database` names the database, and svc proposes the schema.
 * @throws SvcError SVC_SCHEMA_INVALID: the schema does not compile; SVC_USAGE: svc cannot read the whole catalog of
 * this kind of database; errors of the configuration and of the connection
 */
export async function withAdvised<T>(
  args: CommandArgs,
  io: CommandIo,
  work: (advised: Advised) => Promise<T>,
): Promise<T> {
  const { database: url, config } = args.flags
  const isProject = typeof config === 'string' || existsSync(join(io.cwd, 'svc.toml'))
  if (!isProject && typeof url === 'string') return withUrl(url, args, io, work)
  const { project, input } = await findInput(args, io)
  const { signals, log } = reporting(project, io)
  const progress = (line: string): void => io.stderr(`${line}\n`)
  const { database } = await openProjectDatabase(project, { purpose: 'check', signals, log, progress })
  try {
    if (database.introspect === undefined)
      throw new SvcError('SVC_USAGE', `svc cannot read the whole catalog of a database of the kind ${database.kind}.`)
    const steps = new Steps(io, 2)
    const { schemas, exclude } = project.config.introspect
    const flags = readSelection(args)
    const selection = {
      schemas: args.flags.schema === undefined ? schemas : flags.schemas,
      exclude: args.flags.exclude === undefined ? exclude : flags.exclude,
    }
    const model = filterModel(await steps.run('Reading the catalog', () => database.introspect!()), selection)
    const compiled = await steps.run('Compiling the schema', () => compile(project, input, database, io))
    return await work({ project, database, schema: linkSchema(compiled), model })
  } finally {
    await database.close()
  }
}

async function compile(project: Project, input: string, database: Database, io: CommandIo): Promise<CompiledSchema> {
  const { schema } = await loadAuthored(project, input, io)
  const { compiled, faults } = await compileProject(project, schema, { offline: false, check: true, database }, io)
  if (compiled !== null) return compiled
  const lines = faults.map(({ message, place }) =>
    place === null ? message : `${place.file}:${place.line}: ${message}`,
  )
  throw new SvcError('SVC_SCHEMA_INVALID', `${input} does not compile:\n${lines.join('\n')}`)
}

async function withUrl<T>(
  url: string,
  args: CommandArgs,
  io: CommandIo,
  work: (advised: Advised) => Promise<T>,
): Promise<T> {
  const steps = new Steps(io, 4)
  const { project, database } = await steps.run('Connecting', () => openUrl(readDatabaseUrl(url, io.cwd), io))
  try {
    const { model, ...proposal } = await readProposal(database, readSelection(args), { writes: false }, steps)
    const { compiled } = await steps.run('Compiling the schema', () => compileProposal(project, proposal, database, io))
    return await work({ project, database, schema: linkSchema(compiled), model })
  } finally {
    await database.close()
  }
}
