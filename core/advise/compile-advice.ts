import type { Database } from '../contract/database.ts'
import { filterModel, type ModelSelection } from '../introspect/filter-model.ts'
import type { CompiledSchema } from '../schema/compiled.ts'
import { linkSchema } from '../schema/link/link.ts'
import { type Advice, adviceId } from './advice.ts'
import { MANY_ROWS } from './advise-indexes.ts'
import { findAdvice } from './find-advice.ts'
import { splitIgnored } from './ignored-advice.ts'

/** Maximum number of warnings of one compilation. The last one names the number of the others. */
const MOST_WARNINGS = 5

/** Maximum number of tables and views in a database whose whole catalog svc reads for these warnings. */
const MOST_RELATIONS = 1000

/** Tells in one query whether the whole catalog is worth reading: tables with many rows, or with row-level security. */
const WORTH = `
SELECT pg_catalog.count(*) <= ${MOST_RELATIONS}
  AND pg_catalog.bool_or(c.relkind IN ('r', 'p', 'm') AND (c.reltuples >= ${MANY_ROWS} OR c.relrowsecurity))
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'm', 'v', 'f') AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'`

/** A warning of `svc compile` about the database. */
export interface AdviceWarning {
  /** Id of the advice, for `[advise] ignore`; `null`: the warning that counts the advice left out. */
  readonly id: string | null
  readonly message: string
}

/** Configuration that decides which warnings a compilation gives. */
export interface CompileAdviceOptions {
  /** Ids that the user silenced: `[advise] ignore`. */
  readonly ignore: readonly string[]
  /**
   * `true`: each request runs as a database role of its own (`database.role_claim`), so the role of the connection is
   * not checked.
   */
  readonly switchesRole: boolean
  /** Tables and views that the section `[introspect]` of svc.toml selects. Others get no advice. */
  readonly selection: ModelSelection
}

/**
 * Compares a compiled schema with the tables of a PostgreSQL server, for the warnings of `svc compile`: row-level
 * security that does not apply, and reads that scan tables of 10,000 rows and more. Nothing is changed, and no plan is
 * costed. Embedded databases are skipped, because their rows and their role are those of a developer's machine.
 * @returns the warnings; none if the comparison fails, for example because the role may not read a system table
 */
export async function adviseOnCompile(
  database: Database,
  compiled: CompiledSchema,
  { ignore, switchesRole, selection }: CompileAdviceOptions,
): Promise<readonly AdviceWarning[]> {
  if (database.kind !== 'postgres' || database.introspect === undefined) return []
  try {
    const { rows } = await database.query({ name: null, text: WORTH, readOnly: true }, [], null)
    if (rows[0]?.[0] !== 't') return []
    const model = filterModel(await database.introspect(), selection)
    const options = { all: false, orphans: false, costs: false, switchesRole }
    return toWarnings(splitIgnored(await findAdvice(database, linkSchema(compiled), model, options), ignore).advice)
  } catch {
    return []
  }
}

/** Returns the urgent advice as warnings, of which the last one counts those that were left out. */
function toWarnings(advice: readonly Advice[]): readonly AdviceWarning[] {
  const urgent = advice.filter(isUrgent)
  const shown = urgent.slice(0, MOST_WARNINGS).map((one) => ({ id: adviceId(one), message: describeAdvice(one) }))
  const rest = urgent.length - shown.length
  if (rest === 0) return shown
  return [...shown, { id: null, message: `${rest} more warnings about the database. Run \`svc advise\` for all.` }]
}

/** The weight of advice on an index is the number of rows of its table, and more. */
function isUrgent({ rule, level, weight }: Advice): boolean {
  if (level !== 'warning') return false
  return rule === 'row-security-bypassed' || (rule.startsWith('index-') && weight >= MANY_ROWS)
}

function describeAdvice(advice: Advice): string {
  const { subject, message, statements, usedBy } = advice
  const users = usedBy.length === 0 ? '' : ` Used by ${usedBy.join(', ')}.`
  const remedy = statements.length === 0 ? '' : ` Run: ${statements.join(' ')}`
  const silence = ` To silence this warning, add "${adviceId(advice)}" to [advise] ignore in svc.toml.`
  return `Database: ${subject}: ${message.replace(/\.$/, '')}.${users}${remedy}${silence}`
}
