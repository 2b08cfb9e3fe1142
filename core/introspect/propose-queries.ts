import type { AuthoredArgument, AuthoredQuery } from '../schema/authored.ts'
import { camelName, isConventional } from './name-fields.ts'
import { pluralNameOf, singularNameOf } from './name-types.ts'
import { NameTable } from './names/name-table.ts'
import { upperFirst } from './names/words.ts'
import { qualified } from './qualified.ts'
import type { ColumnField, Layout, Subject } from './subject.ts'

/**
 * Returns the queries that svc proposes for each type: a list, one row by its key, and one row by each further unique
 * key.
 */
export function proposeQueries(layout: Layout): readonly AuthoredQuery[] {
  const table = new NameTable((name) => name === 'node' || name.startsWith('__'))
  const names = layout.subjects.map((subject) => namesOf(layout, subject, table))
  return layout.subjects.flatMap((subject, i) => [
    {
      name: names[i]!.list,
      type: `[${subject.type}!]!`,
      auto_params: { total_count: true },
    },
    ...singleQueries(layout, subject, names[i]!.single, table),
  ])
}

/**
 * Takes the names of the list and of the row by its key. A noun with one form has the list under its own name: `news`,
 * `newsById`.
 */
function namesOf(
  { report }: Layout,
  { type, relation, key }: Subject,
  table: NameTable,
): { readonly list: string; readonly single: string | null } {
  const plural = pluralNameOf(type)
  const singular = singularNameOf(type)
  const list = table.claim(plural, `${singular}List`)
  if (list !== plural) report.push({ kind: 'query', name: qualified(relation), newName: list })
  if (key === null) return { list, single: null }
  const usual = singular === plural ? `${singular}ByKey` : singular
  const single = table.claim(usual, `${singular}ByKey`)
  if (single !== singular) report.push({ kind: 'query', name: qualified(relation), newName: single })
  return { list, single }
}

function singleQueries(
  layout: Layout,
  subject: Subject,
  single: string | null,
  table: NameTable,
): readonly AuthoredQuery[] {
  const { relation, type, key } = subject
  const keys = [relation.primaryKey, ...relation.uniqueKeys].filter((one) => one.length > 0 && !isSame(one, key))
  const queries: AuthoredQuery[] = []
  if (key !== null && single !== null) {
    const args = argumentsOf(subject, key)
    if (args !== null) queries.push({ name: single, type, arguments: args })
    else report(layout, subject, key)
  }
  for (const unique of keys) {
    const args = argumentsOf(subject, unique)
    if (args === null) {
      report(layout, subject, unique)
      continue
    }
    const by = args.map(({ name }) => upperFirst(name.replace(/^_+/, ''))).join('And')
    queries.push({ name: table.claim(`${singularNameOf(type)}By${by}`), type, arguments: args })
  }
  return queries
}

function report({ report }: Layout, { relation }: Subject, key: readonly string[]): void {
  const name = `${qualified(relation)} (${key.join(', ')})`
  report.push({ kind: 'key', name, reason: 'has a column that no argument can be compared with' })
}

/**
 * Returns an argument for each column of a key, for a query that selects one row. `null`: a column cannot be an
 * argument, for example because it has no field.
 */
export function argumentsOf(subject: Subject, key: readonly string[]): readonly AuthoredArgument[] | null {
  const args = key.map((name) => argumentOf(subject, name))
  return args.includes(null) ? null : (args as readonly AuthoredArgument[])
}

const INCOMPARABLE = /^\[|^(?:JSON|GeoJSON|Vector|HalfVector|SparseVector|BitVector)$/

function argumentOf(subject: Subject, column: string): AuthoredArgument | null {
  const field: ColumnField | undefined = subject.columns.find((one) => one.column.name === column)
  if (field === undefined || INCOMPARABLE.test(field.type)) return null
  const type = `${field.type}!`
  const name = subject.names.get(field)
  if (name !== undefined) return { name, type }
  // A reference stands for the column. The argument finds the column by its own name, which no other column's field may have.
  const own = camelName(column)
  const isTaken = subject.columns.some((other) => subject.names.get(other) === own)
  return isTaken || !isConventional(own, column, subject.relation.columns) ? null : { name: own, type }
}

function isSame(one: readonly string[], other: readonly string[] | null): boolean {
  return other !== null && one.length === other.length && one.every((name) => other.includes(name))
}
