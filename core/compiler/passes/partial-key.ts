import { listNames } from '../../base/util/nearest.ts'
import type { AuthoredField } from '../../schema/authored.ts'
import type { CompileContext } from '../ground/context.ts'
import { columnOf, shownName } from './describe-source.ts'
import { declaration, type Pair, type Side } from './relation-by-name.ts'

/** A relation between two types, with the pairs of columns that join their rows. */
export interface KeyedRelation {
  readonly here: Side
  readonly there: Side
  readonly pairs: readonly Pair[]
  readonly list: boolean
}

/**
 * Reports a relation to a single row that uses only a part of a composite key, so that several rows could match. It is
 * a fault if svc found the columns by their names, and a warning if the author declared them.
 * @returns `false` after a fault
 */
export function checkPartialKey(
  context: CompileContext,
  { here, there, pairs, list }: KeyedRelation,
  field: AuthoredField,
): boolean {
  const isDeclared = field.relation !== undefined
  if (isDeclared && list) return true
  // A list that reverses a declared relation was checked with that relation.
  if (list && there.fields.some(({ relation }) => relation !== undefined && isSame(relation, pairs))) return true
  const keyed = list ? here : there
  const names = pairs.map((pair) => (list ? pair.from : pair.to))
  const key = keyOfMore(context, keyed, names)
  if (key === null) return true
  const label = `${here.type}.${field.name}`
  const element = context.index.get(here.type)
  const at = [field, element?.kind === 'object' ? element.element : undefined] as const
  const whole = wholeKey(context, { here, there, pairs, list }, key)
  const found =
    `${listNames(names)} of ${shownName(context, keyed.source)} ${names.length === 1 ? 'is' : 'are'} part of a key (${listNames(key)}): ` +
    `several rows may have the same.`
  if (isDeclared) {
    context.report.warn(
      'partial-key',
      `${label}: ${found} Which of them is shown is up to the database. Name the whole key, relation: ${whole}, or say key: '${names.join("', '")}' on ${keyed.type} if that does identify its rows.`,
      ...at,
    )
    return true
  }
  context.report.fault(
    'relation-partial-key',
    `${label}: ${found} By their names ${declaration(pairs)} would be the relation. Declare the whole key: relation: ${whole}.`,
    ...at,
  )
  return false
}

/** @returns a key that contains these columns and others; `null`: none, or the columns are known to identify a row */
function keyOfMore(
  { catalog, typeSources, index }: CompileContext,
  { type }: Side,
  names: readonly string[],
): readonly string[] | null {
  const named = index.get(type)
  const promised = named?.kind === 'object' && named.element.key !== undefined ? [named.element.key].flat() : []
  if (promised.length > 0 && promised.every((column) => names.includes(column))) return null
  const relation = catalog?.relations.get(typeSources.get(type)?.source ?? '')
  if (relation === undefined) return null
  const { columns, primaryKey, compositeKeys = [] } = relation
  if (columns.some(({ name, unique }) => unique && names.includes(name))) return null
  const keys = [promised, primaryKey, ...compositeKeys].filter(({ length }) => length > 1)
  if (keys.some((key) => key.every((column) => names.includes(column)))) return null
  return keys.find((key) => names.every((name) => key.includes(name))) ?? null
}

/**
 * Prints the declaration over the whole key: with columns of equal names, or placeholders for columns that the author
 * must find.
 */
function wholeKey(
  context: CompileContext,
  { here, there, pairs, list }: KeyedRelation,
  key: readonly string[],
): string {
  const other = list ? there : here
  const partners = key.map((column) => {
    const pair = pairs.find((one) => (list ? one.from : one.to) === column)
    if (pair !== undefined) return { column, partner: list ? pair.to : pair.from }
    const isTaken = pairs.some((one) => (list ? one.to : one.from) === column)
    const isThere = !isTaken && columnOf(other.source, column) !== null
    return { column, partner: isThere ? column : `<column of ${shownName(context, other.source)}>` }
  })
  return declaration(
    partners.map(({ column, partner }) => (list ? { from: column, to: partner } : { from: partner, to: column })),
  )
}

function isSame({ from, to, through }: NonNullable<AuthoredField['relation']>, pairs: readonly Pair[]): boolean {
  if (through !== undefined) return false
  const [froms, tos] = [[from].flat(), [to].flat()]
  return pairs.length === froms.length && pairs.every((pair, i) => pair.from === tos[i] && pair.to === froms[i])
}
