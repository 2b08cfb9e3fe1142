import { SvcError } from '../../base/errors/svc-error.ts'
import type { Database } from '../../contract/database.ts'
import type { DatabaseModel } from '../../contract/database-model.ts'
import { type CrudOptions, type CrudProposal, proposeCrud } from '../../introspect/crud/propose-crud.ts'
import { filterModel, type ModelSelection } from '../../introspect/filter-model.ts'
import type { Proposal, ProposeOptions } from '../../introspect/proposal.ts'
import { proposeSchema } from '../../introspect/propose-schema.ts'
import type { CommandArgs, CommandOption } from '../command/command.ts'
import type { Steps } from './steps.ts'

/** The flag `--crud`: svc also generates functions and mutations that write the tables. */
export const CRUD_FLAG: CommandOption = {
  name: 'crud',
  type: 'boolean',
  description: 'Generate functions that create, update, delete and upsert rows, and their mutations.',
}

/** The flags `--schema` and `--exclude`, which select the objects of a database. */
export const SELECTION_FLAGS: readonly CommandOption[] = [
  {
    name: 'schema',
    type: 'string',
    value: 'NAME',
    multiple: true,
    description: 'Only objects of this database schema; may be repeated. Default: all.',
  },
  {
    name: 'exclude',
    type: 'string',
    value: 'PATTERN',
    multiple: true,
    description: 'Leave out tables, views and functions that match, such as "audit.*" or "*_old"; may be repeated.',
  },
]

/** Reads from the flags `--schema` and `--exclude` which objects of the database are included. */
export function readSelection({ flags }: CommandArgs): ModelSelection {
  return { schemas: listOf(flags.schema), exclude: listOf(flags.exclude) }
}

function listOf(value: string | boolean | undefined): readonly string[] {
  return typeof value === 'string'
    ? value
        .split(',')
        .map((each) => each.trim())
        .filter((each) => each !== '')
    : []
}

/** A schema that svc proposes for a database, with the model of the selected database objects. */
export interface ModelProposal extends Proposal {
  readonly model: DatabaseModel
  /** The whole database, as the driver has described it. */
  readonly whole: DatabaseModel
  /**
   * The generated functions and mutations that write the tables. They are not part of `schema`, because it must compile
   * before the functions exist. `null`: none were requested.
   */
  readonly crud: CrudProposal | null
}

export interface ReadOptions extends ProposeOptions {
  /** Set to generate functions and mutations that write the tables. */
  readonly crud?: Omit<CrudOptions, 'dialect'>
}

/**
 * Reads the catalog of a database, and proposes a schema for its selected objects.
 * @param steps shows the progress to the user
 * @throws SvcError SVC_DATABASE_EMPTY: there is nothing to serve; SVC_USAGE: the selection matches nothing
 */
export async function readProposal(
  database: Database,
  selection: ModelSelection,
  { crud, ...options }: ReadOptions,
  steps: Steps,
): Promise<ModelProposal> {
  if (database.introspect === undefined)
    throw new SvcError('SVC_USAGE', `svc cannot read the whole catalog of a database of the kind ${database.kind}.`)
  const { name, readOnly } = database.dialect
  if (crud !== undefined && readOnly === true)
    throw new SvcError('SVC_USAGE', `With the dialect "${name}" svc only reads. Leave --crud out.`)
  const whole = await steps.run('Reading the catalog', () => database.introspect!())
  const model = filterModel(whole, selection)
  const dialect = name === 'sqlite' || name === 'mysql' ? name : 'postgres'
  const { schema, report, generated } = await steps.run(`Proposing a schema for ${describeModel(model)}`, async () => {
    if (crud !== undefined) {
      const proposed = proposeCrud(model, { ...options, ...crud, dialect })
      return { schema: proposed.base, report: proposed.report, generated: proposed }
    }
    // Functions that were generated before write as other functions of the database do.
    const proposed = options.writes === true ? proposeCrud(model, { ...options, dialect, existing: true }) : null
    return { ...(proposed ?? proposeSchema(model, options)), generated: null }
  })
  if ((schema.types?.length ?? 0) === 0) throw nothingToServe(model, report)
  return { model, whole, schema, report, crud: generated }
}

/** Summarizes a database for messages: `12 tables, 3 views, 4 functions`. */
export function describeModel({ relations, functions }: DatabaseModel): string {
  const views = relations.filter(({ kind }) => kind.endsWith('view')).length
  const counts = [count(relations.length - views, 'table'), count(views, 'view'), count(functions.length, 'function')]
  return counts.filter((text) => !text.startsWith('0 ')).join(', ') || 'no tables'
}

function count(amount: number, word: string): string {
  return `${amount} ${word}${amount === 1 ? '' : 's'}`
}

function nothingToServe({ relations }: DatabaseModel, report: Proposal['report']): SvcError {
  if (relations.length === 0 && report.length === 0) {
    const message =
      'The database is empty: it has no tables or views. Create some, or name another database in the URL. For a project with tables of its own: svc init NAME'
    return new SvcError('SVC_DATABASE_EMPTY', message)
  }
  const reasons = report
    .slice(0, 5)
    .flatMap((entry) => ('reason' in entry ? [`  ${entry.kind} ${entry.name}: ${entry.reason}`] : []))
  const more = report.length > 5 ? `\n  and ${report.length - 5} more` : ''
  return new SvcError(
    'SVC_DATABASE_EMPTY',
    `The database has no table or view that can be served:\n${reasons.join('\n')}${more}`,
  )
}
