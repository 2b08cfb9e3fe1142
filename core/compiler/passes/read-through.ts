import { listNames } from '../../base/util/nearest.ts'
import type { AuthoredRelation } from '../../schema/authored.ts'
import type { CompiledRead } from '../../schema/compiled.ts'
import type { CompileContext } from '../ground/context.ts'
import { type JoinedTypes, joinRules } from './join-rules.ts'
import { readPair } from './read-pair.ts'
import { pairsOf, type Side } from './relation-by-name.ts'
import { requireSource } from './resolve-sources.ts'

/** A many-to-many relation as declared: the two types, the join table, and the columns. */
export interface ThroughRelation extends Pick<AuthoredRelation, 'from' | 'to'> {
  readonly here: Side
  readonly there: Side
  readonly list: boolean
  readonly through: JoinedTypes['through']
}

/**
 * Finds the columns of a many-to-many relation through a join table.
 * @returns the join to the table and the join from it to the related rows; `null` after a reported fault
 */
export function readThrough(
  context: CompileContext,
  label: string,
  { here, there, list, from, to, through }: ThroughRelation,
  ...at: Parameters<CompileContext['report']['fault']>[2][]
): CompiledRead | null {
  const { report } = context
  const within = `${label}: relation.through`
  if (!list) {
    report.fault(
      'relation-through',
      `${within}: rows that a join table relates are a list. Declare the field as [${there.type}!]!, or drop through.`,
      ...at,
    )
    return null
  }
  if (here.source.database !== there.source.database) {
    report.fault(
      'across-databases',
      `${within}: ${there.type} is of another database than ${here.type}, and a join table relates rows of one. Drop the field, or give ${there.type} a view in the database of ${here.type}.`,
      ...at,
    )
    return null
  }
  const source = requireSource(context, through.sql_source, within, ...at)
  if (source === null) return null
  if (source.database !== here.source.database) {
    report.fault(
      'across-databases',
      `${within}: ${through.sql_source} is of another database than ${here.type}, and a join table relates rows of one. Name the table without its database.`,
      ...at,
    )
    return null
  }
  const problem =
    columnsProblem(['from', from], ['through.from', through.from]) ??
    columnsProblem(['to', to], ['through.to', through.to]) ??
    sameColumns(through)
  if (problem !== null) {
    report.fault('relation-columns', `${label}: relation: ${problem}`, ...at)
    return null
  }
  const between: Side = { type: through.sql_source, source, document: null, fields: [] }
  const starts = pairsOf({ from, to: through.from }).map((pair) =>
    readPair(context, label, { here, there: between, pair, across: false }, ...at),
  )
  const ends = pairsOf({ from: through.to, to }).map((pair) =>
    readPair(context, label, { here: between, there, pair, across: false }, ...at),
  )
  const rules = joinRules(context, { through, ends: [here.type, there.type] }, within, ...at)
  const [first, ...also] = starts.filter((pair) => pair !== null)
  const pairs = ends.filter((pair) => pair !== null)
  if (rules === null || first === undefined || also.length + 1 < starts.length || pairs.length < ends.length)
    return null
  return {
    from: 'relation',
    target: context.typeSources.get(there.type)?.source ?? '',
    cardinality: 'many',
    ...first,
    ...(also.length === 0 ? {} : { also }),
    through: { source: through.sql_source, pairs, ...rules },
  }
}

type Named = readonly [name: string, columns: string | readonly string[]]

/** Has each column exactly one partner? @returns the problem; `null`: there is none */
function columnsProblem([name, columns]: Named, [otherName, others]: Named): string | null {
  const [one, other] = [[columns].flat(), [others].flat()]
  for (const [of, names] of [
    [name, one],
    [otherName, other],
  ] as const) {
    const twice = names.find((column, i) => names.indexOf(column) !== i)
    if (twice !== undefined) return `"${twice}" stands twice in ${of}. Name each column once.`
  }
  if (one.length === other.length) return null
  return `${name} has ${one.length} ${one.length === 1 ? 'column' : 'columns'} (${listNames(one)}) and ${otherName} has ${other.length} (${listNames(other)}). Give each its partner, in the same order.`
}

function sameColumns({ from, to }: JoinedTypes['through']): string | null {
  const [one, other] = [[from].flat(), [to].flat()]
  if (one.length !== other.length || !one.every((name) => other.includes(name))) return null
  return `through.from and through.to name the same columns (${listNames(one)}), so that a row relates only to itself. Name in through.to the columns that refer to the other row.`
}
