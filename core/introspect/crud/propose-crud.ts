import { toSnakeCase } from '../../base/util/naming.ts'
import type { DatabaseModel, ModelFunction } from '../../contract/database-model.ts'
import type { AuthoredSchema } from '../../schema/authored.ts'
import { layOut } from '../layout.ts'
import type { Proposal, ProposeOptions } from '../proposal.ts'
import { proposeMutations } from '../propose-mutations.ts'
import { type ProposedWrites, schemaOf } from '../propose-schema.ts'
import { qualified } from '../qualified.ts'
import type { Layout, Subject } from '../subject.ts'
import { crudOperations, type NamedWrites } from './crud-operations.ts'
import { FunctionNaming, namesWhere } from './function-names.ts'
import { generatedScript } from './generated-script.ts'
import { mysqlProblem, mysqlProcedures } from './mysql-procedures.ts'
import { planWrites } from './plan-writes.ts'
import { GENERATED, postgresFunctions } from './postgres-functions.ts'
import { sqliteProblem, sqliteScripts } from './sqlite-scripts.ts'

/** Options of {@link proposeCrud}, which also generates functions that write the tables. */
export interface CrudOptions extends ProposeOptions {
  /** SQL dialect of the generated scripts. */
  readonly dialect: 'postgres' | 'sqlite' | 'mysql'
  /** Folder for generated scripts, relative to the project. Default `db/functions`. */
  readonly folder?: string
  /**
   * Names of scripts in `folder` that a person wrote, without ending (SQLite). svc generates no scripts with these
   * names.
   */
  readonly scripts?: readonly string[]
  /**
   * `true`: proposes only mutations whose functions already exist, generates no scripts, and does not report missing
   * writes.
   */
  readonly existing?: boolean
}

/** A generated SQL script with functions that write one table. */
export interface CrudFile {
  /** Path relative to the project, with `/` as separator. */
  readonly path: string
  readonly text: string
  /** Name of the schema type whose rows the script's functions write. */
  readonly type: string
}

/** A proposed schema with mutations that write the tables, and the SQL scripts of the functions that they call. */
export interface CrudProposal extends Proposal {
  readonly files: readonly CrudFile[]
  /** The proposed schema without the generated mutations, which compiles before the scripts have run. */
  readonly base: AuthoredSchema
}

/**
 * Adds the mutations of a proposal to a schema. A mutation of a type that the schema lacks is left out, with its script.
 * @param reduced the `base` of the proposal, from which the caller may have removed types
 */
export function addWrites(reduced: AuthoredSchema, proposal: CrudProposal): Pick<CrudProposal, 'schema' | 'files'> {
  const types = new Set((reduced.types ?? []).map(({ name }) => name))
  const known = new Set((proposal.base.mutations ?? []).map(({ name }) => name))
  const added = (proposal.schema.mutations ?? []).filter(({ name, type }) => !known.has(name) && types.has(type))
  const used = new Set(added.flatMap(({ arguments: args = [] }) => args.map(({ type }) => type.replace(/!$/, ''))))
  const inputs = (proposal.schema.input_types ?? []).filter(({ name }) => used.has(name))
  const { queries = [], mutations = [], ...rest } = reduced
  const own = inputs.length === 0 ? {} : { input_types: inputs }
  return {
    schema: { ...rest, ...own, queries, mutations: [...mutations, ...added] },
    files: proposal.files.filter(({ type }) => types.has(type)),
  }
}

/**
 * Proposes a schema as `proposeSchema` does, with mutations that create, update, delete and upsert rows of each table,
 * and the SQL scripts of their functions. The schema compiles once the scripts have run. Functions that svc generated
 * earlier are replaced; other functions are kept, and their names are not reused.
 */
export function proposeCrud(model: DatabaseModel, options: CrudOptions): CrudProposal {
  const layout = layOut(model, { ...options, joinTypes: true }, [...model.skipped])
  const files: CrudFile[] = []
  let own: ProposedWrites['mutations'] = []
  const proposal = schemaOf(layout, () => {
    own = proposeMutations(
      layout,
      model.functions.filter((fn) => !isGenerated(fn)),
      options,
    )
    const tables = namedWrites(layout, model, options)
    if (options.existing !== true) for (const table of tables) files.push(...filesOf(options, table))
    return crudOperations(layout, own, tables)
  })
  const { input_types: _, ...rest } = proposal.schema
  return { ...proposal, files, base: { ...rest, mutations: own } }
}

/** Why the scripts of a dialect cannot write a column. */
const PROBLEMS = { postgres: () => null, sqlite: sqliteProblem, mysql: mysqlProblem }

function namedWrites(
  layout: Layout,
  model: DatabaseModel,
  { dialect, scripts = [], existing = false }: CrudOptions,
): readonly NamedWrites[] {
  const naming = new FunctionNaming([...model.functions.filter((fn) => !isGenerated(fn)).map(qualified), ...scripts])
  const generated = new Set(model.functions.filter(isGenerated).map(qualified))
  const report = existing ? [] : layout.report
  const problemOf = PROBLEMS[dialect]
  return layout.subjects.flatMap((subject) => {
    const broken = dialect === 'sqlite' && hasBrokenKey(model, subject)
    if (broken) {
      const reason = 'has a foreign key to a table that does not exist, so that SQLite refuses to write it'
      report.push({ kind: 'create, update and delete', name: qualified(subject.relation), reason })
    }
    const writes = broken ? null : planWrites({ ...layout, report }, subject, problemOf)
    if (writes === null) return []
    const refuse = (operation: string, name: string): void => {
      report.push({
        kind: operation,
        name: qualified(subject.relation),
        reason: `is left to the function ${name}`,
      })
    }
    const names = naming.namesFor(writes, refuse)
    const isThere = (name: string): boolean => generated.has(qualified({ ...subject.relation, name }))
    return [{ writes, names: existing ? namesWhere(names, isThere) : names }]
  })
}

function hasBrokenKey({ skipped }: DatabaseModel, { relation }: Subject): boolean {
  return skipped.some(({ kind, name }) => kind === 'foreign key' && name.startsWith(`${relation.name}.`))
}

function isGenerated({ comment }: ModelFunction): boolean {
  return comment === GENERATED
}

function filesOf(
  { dialect, folder = 'db/functions' }: CrudOptions,
  { writes, names }: NamedWrites,
): readonly CrudFile[] {
  if (dialect === 'sqlite') {
    return [...sqliteScripts(writes, names)].map(([name, script]) => ({
      path: `${folder}/${name}.sql`,
      text: generatedScript(script),
      type: writes.subject.type,
    }))
  }
  const text = dialect === 'mysql' ? mysqlProcedures(writes, names) : postgresFunctions(writes, names)
  if (text === '') return []
  return [
    {
      path: `${folder}/${toSnakeCase(writes.subject.type)}.sql`,
      text: generatedScript(text),
      type: writes.subject.type,
    },
  ]
}
