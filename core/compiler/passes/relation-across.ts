import { DEFAULT_DATABASE } from '../../base/util/database-name.ts'
import type { AuthoredField } from '../../schema/authored.ts'
import { agreeAsKeys } from '../ground/column-type.ts'
import type { CompileContext } from '../ground/context.ts'
import { columnOf, shownName } from './describe-source.ts'
import type { FieldOwner } from './field-owner.ts'
import type { Pair, Side } from './relation-by-name.ts'

/** A relation between types in two databases, with the pairs of columns that join their rows. */
export interface AcrossRelation {
  readonly here: Side
  readonly there: Side
  readonly pairs: readonly Pair[]
  readonly list: boolean
}

/**
 * Checks a relation to rows of another database, which svc reads in a separate statement, matching the text of one key
 * column. Reports a fault if the relation needs more.
 * @param label name of the field, for messages
 * @returns `false` after a fault
 */
export function checkAcross(
  context: CompileContext,
  label: string,
  { here, there, pairs, list }: AcrossRelation,
  field: AuthoredField,
  owner: FieldOwner['named']['element'],
): boolean {
  const { catalog, report, typeSources } = context
  if (field.filterable === true) {
    report.fault(
      'across-databases',
      `${label}: ${there.type} is of ${shown(there)}, and rows of ${shown(here)} are not chosen by it. Drop \`filterable\`.`,
      field,
      owner,
    )
    return false
  }
  const [pair, ...others] = pairs
  if (pair === undefined || others.length > 0) {
    const names = pairs.map(({ to }) => to).join(', ')
    report.fault(
      'across-databases',
      `${label}: rows of ${shown(there)} are found by one column, and the relation has ${pairs.length} (${names}). Add a column to both views that holds the whole key, such as concat_ws(':', ${names}).`,
      field,
      owner,
    )
    return false
  }
  const from = columnOf(here.source, pair.from)?.type ?? null
  const to = columnOf(there.source, pair.to)?.type ?? null
  if (!agreeAsKeys(from, to)) {
    report.fault(
      'relation-type',
      `${label}: relation: ${shownName(context, here.source)}.${pair.from} of ${shown(here)} is ${from} and ${shownName(context, there.source)}.${pair.to} of ${shown(there)} is ${to}. Between databases keys are integers, decimals, texts or UUIDs, on both sides the same; a UUID may be a text.`,
      field,
      owner,
    )
    return false
  }
  const relation = catalog?.relations.get(typeSources.get(there.type)?.source ?? '')
  const column = relation?.columns.find(({ name }) => name === pair.to)
  if (!list && there.source.kind === 'table' && column?.unique === false) {
    report.fault(
      'relation-key',
      `${label}: there is to be one ${there.type} for a key, and nothing keeps two rows of the table ${shownName(context, there.source)} of ${shown(there)} from having the same ${pair.to}. Add a UNIQUE constraint, or make the field a list.`,
      field,
      owner,
    )
    return false
  }
  return true
}

function shown({ source: { database } }: Side): string {
  return database === undefined ? `the ${DEFAULT_DATABASE} database` : `the database "${database}"`
}
