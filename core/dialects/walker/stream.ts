import type { Leaf, Member, ObjectShape, Rows } from '../../contract/plan/read-plan.ts'
import type { StreamPlan } from '../../contract/plan/stream-plan.ts'
import type { LeafRule, PreparedColumn, PreparedStream } from '../../contract/prepared-stream.ts'
import { leafRule, takesStrings } from '../../engine/json/leaf-rule.ts'
import { identifier, join, NULL, type SqlFragment, sql } from '../../engine/sql/fragment.ts'
import type { NamedType } from '../../schema/model.ts'
import type { Primitives } from '../primitives.ts'
import { createEmission, type Emission, openSourceRow, sqlValueOf, watched, watchNulls } from './emission.ts'
import { finishStatement } from './finish.ts'
import { rowsFrom } from './rows.ts'
import { projectEach, whenTrue, writeMember } from './shape.ts'

/**
 * Prepares the statement of a read whose rows are sent to the client one by one, as objects or as columns.
 * @param keep `true` if the plan is kept for further requests; the statement is then prepared by name
 */
export function writeStream(dialect: Primitives, { form, rows, weight }: StreamPlan, keep: boolean): PreparedStream {
  const emission = createEmission(dialect)
  if (form === 'rows') {
    const { value, from } = projectEach(emission, rows)
    const finished = finishStatement(emission, sql`SELECT ${dialect.asText(value)}${from}`, keep)
    return { form, ...finished, ...watched(emission), bytes: weight + finished.bytes }
  }
  if (rows.object.kind !== 'object') throw new Error('Rows of several types have no columns')
  const written = writeColumns(emission, rows, rows.object)
  const finished = finishStatement(emission, written.sql, keep)
  return { form, columns: written.columns, ...finished, ...watched(emission), bytes: weight + finished.bytes }
}

interface WrittenColumn extends PreparedColumn {
  readonly sql: SqlFragment
}

function writeColumns(
  emission: Emission,
  rows: Rows,
  { members }: ObjectShape,
): { readonly sql: SqlFragment; readonly columns: readonly PreparedColumn[] } {
  openSourceRow(emission, rows.row)
  const columns = members.map((member) => writeColumn(emission, member))
  // Whether the page must be a subquery is known once the columns are written, because they may read the document.
  const { from } = rowsFrom(emission, rows)
  // A row without selected columns still counts as a row.
  const list = columns.length === 0 ? [NULL] : columns.map(({ sql: value }, i) => sql`${value} AS ${columnName(i)}`)
  return { sql: sql`SELECT ${join(list, ', ')}${from}`, columns: columns.map(({ sql: _, ...column }) => column) }
}

/** Returns a generated column name. Response keys of clients may be too long for the database, or equal to a column of the source. */
function columnName(index: number): SqlFragment {
  return identifier(`svc:c${index}`)
}

function writeColumn(emission: Emission, { key, value: member }: Member): WrittenColumn {
  const { dialect } = emission
  if (member.kind === 'leaf') return writeLeaf(emission, key, member)
  if (member.kind === 'guarded') {
    const leaf = writeLeaf(emission, key, member.value)
    return { ...leaf, sql: whenTrue(emission, member.when, leaf.sql) }
  }
  const before = emission.unproven
  emission.unproven = false
  const { value, nested } = writeMember(emission, { key, value: member })
  const verify = emission.unproven
  emission.unproven = before || verify
  return nested
    ? { name: key, text: 'json', rule: null, verify, sql: dialect.asText(value) }
    : { name: key, text: 'plain', rule: null, verify: false, sql: value }
}

function writeLeaf(emission: Emission, name: string, { field, value: stored, masked }: Leaf): WrittenColumn {
  const { dialect } = emission
  const value = sqlValueOf(emission, stored)
  const { named, type } = field
  watchNulls(emission, name, type, value)
  const proven = dialect.proof(field, value) === 'proven'
  if (type.kind === 'list' || isWrittenAsJson(named)) {
    return { name, text: 'json', rule: null, verify: !proven, sql: dialect.leafText(field, value) }
  }
  const rule = proven ? null : leafRule(named)
  // A mask receives JSON for every type.
  if (masked === true) return { name, text: 'token', rule, verify: false, sql: dialect.leafText(field, value) }
  const plain = dialect.leafPlain(field, value)
  // Every text is valid for these types.
  if (plain !== null) return { name, text: 'plain', rule: isTextRule(rule) ? null : rule, verify: false, sql: plain }
  return { name, text: 'token', rule, verify: false, sql: dialect.leafText(field, value) }
}

function isTextRule(rule: LeafRule | null): boolean {
  return rule !== null && takesStrings(rule)
}

function isWrittenAsJson(named: NamedType): boolean {
  return named.kind === 'scalar' && (named.base === 'JSON' || named.codec?.serialize !== undefined)
}
