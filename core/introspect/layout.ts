import type { DatabaseModel, ModelColumn, ModelRelation } from '../contract/database-model.ts'
import { isIdType, scalarOfColumn } from './column-scalar.ts'
import { EnumNames } from './enum-names.ts'
import { addJoinLinks, findJoinTables, type JoinTable } from './join-tables.ts'
import { findLinks } from './links.ts'
import { nameFields } from './name-fields.ts'
import { nameTypes } from './name-types.ts'
import { looksLikeSecret } from './names/secret-names.ts'
import { wordsOf } from './names/words.ts'
import type { ProposeOptions, ReportEntry } from './proposal.ts'
import { qualified, sourceProblem } from './qualified.ts'
import type { ColumnField, Layout, Subject } from './subject.ts'

/**
 * Decides which tables and views become types and which columns become fields, and chooses the names of types and
 * fields. It is the first step of proposing a schema.
 * @param report receives what is left out or renamed
 */
export function layOut(model: DatabaseModel, options: ProposeOptions, report: ReportEntry[]): Layout {
  const relations = model.relations.filter((relation) => isWanted(relation, options, report))
  const types = nameTypes(relations, options, report)
  const enums = new EnumNames(model.enums, new Set(types.values()), report)
  const subjects: Subject[] = []
  for (const relation of relations) {
    const columns = fieldsOfColumns(relation, enums, report)
    if (columns.length === 0) {
      report.push({ kind: relation.kind, name: qualified(relation), reason: 'has no columns that svc can read' })
      continue
    }
    subjects.push({
      relation,
      type: types.get(relation)!,
      key: keyOf(relation),
      columns,
      links: [],
      names: new Map(),
    })
  }
  subjects.sort(compareSubjects)
  const byName = new Map(subjects.map((subject) => [qualified(subject.relation), subject]))
  const whole: Layout = {
    subjects,
    enums,
    options,
    report,
    subjectOf: (name) => byName.get(qualified(name)),
  }
  const joins = findJoinTables(whole)
  const layout = withoutFolded(whole, joins)
  findLinks(layout)
  addJoinLinks(joins)
  nameFields(layout.subjects, options, report)
  return layout
}

/** Leaves out the join tables that become no types, and reports them. */
function withoutFolded(whole: Layout, joins: readonly JoinTable[]): Layout {
  const folded = new Set(joins.flatMap((join) => (join.folded ? [join.subject] : [])))
  for (const { relation } of folded) {
    const reason = 'only relates two tables: the types on both sides have a list of each other'
    whole.report.push({ kind: relation.kind, name: qualified(relation), reason })
  }
  return {
    ...whole,
    subjects: whole.subjects.filter((subject) => !folded.has(subject)),
    subjectOf: (name) => {
      const found = whole.subjectOf(name)
      return found === undefined || folded.has(found) ? undefined : found
    },
  }
}

/** Sorts by schema, those of the search path first, then by the name of the type. */
function compareSubjects(a: Subject, b: Subject): number {
  const [x, y] = [sortKey(a), sortKey(b)]
  return x < y ? -1 : x > y ? 1 : a.type < b.type ? -1 : 1
}

function sortKey({ relation: { schema = '', visible }, type }: Subject): string {
  return `${visible ? '' : schema}\0${type.toLowerCase()}`
}

function isWanted(relation: ModelRelation, { schemas }: ProposeOptions, report: ReportEntry[]): boolean {
  if (schemas !== undefined && relation.schema !== undefined && !schemas.includes(relation.schema)) return false
  const reason = relation.privileges.select
    ? (sourceProblem(relation) ?? hiddenKey(relation))
    : 'cannot be read with the privileges of the role'
  if (reason !== null) report.push({ kind: relation.kind, name: qualified(relation), reason })
  return reason === null
}

/** Pages are sorted by the primary key, so the role must be able to read it. */
function hiddenKey({ primaryKey, columns }: ModelRelation): string | null {
  const hidden = columns.find(({ name, unreadable }) => unreadable === true && primaryKey.includes(name))
  return hidden === undefined ? null : `has a key with the column ${hidden.name}, which the role may not read`
}

function keyOf({ primaryKey, uniqueKeys, columns, kind }: ModelRelation): readonly string[] | null {
  if (primaryKey.length > 0) return primaryKey
  const isView = kind === 'view' || kind === 'materialized view'
  const isUsable = (name: string): boolean => {
    const column = columns.find((one) => one.name === name)
    return column !== undefined && column.unreadable !== true && (isView || column.notNull)
  }
  const usable = uniqueKeys.filter((key) => key.every(isUsable))
  return [...usable].sort((a, b) => a.length - b.length)[0] ?? null
}

/** Returns the columns that fields can read, and reports the others. */
function fieldsOfColumns(relation: ModelRelation, enums: EnumNames, report: ReportEntry[]): readonly ColumnField[] {
  const isReference = (name: string): boolean => relation.foreignKeys.some(({ columns }) => columns.includes(name))
  return relation.columns.flatMap((column) => {
    const type = typeOf(relation, column, enums)
    const reason =
      column.unreadable === true
        ? 'cannot be read with the privileges of the role'
        : looksLikeSecret(column) && !isReference(column.name)
          ? 'looks like a secret'
          : typeof type === 'string'
            ? null
            : type.reason
    if (reason === null) return [{ column, type: type as string }]
    report.push({ kind: 'column', name: `${qualified(relation)}.${column.name}`, reason })
    return []
  })
}

/** Returns the type of the field of a column. Items of a list may be null, because those of an array may. */
function typeOf(relation: ModelRelation, column: ModelColumn, enums: EnumNames): string | { readonly reason: string } {
  if (column.enum !== undefined && !column.sqlType.endsWith('[][]')) {
    const name = enums.use(column.enum)
    if (name !== null) return column.type.startsWith('_') ? `[${name}]` : name
  }
  const found = scalarOfColumn(column)
  if ('reason' in found) return found
  if (found.list) return `[${found.scalar}]`
  return isIdType(column.type) && isKeyLike(relation, column.name) ? 'ID' : found.scalar
}

/** Is the column a key, a reference, or named like one? A position in a composite key is a number. */
function isKeyLike({ primaryKey, foreignKeys }: ModelRelation, name: string): boolean {
  if (primaryKey.length === 1 && primaryKey[0] === name) return true
  if (foreignKeys.some(({ columns }) => columns.includes(name))) return true
  return wordsOf(name).at(-1) === 'id'
}
