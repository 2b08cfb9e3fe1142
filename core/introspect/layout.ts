import type { DatabaseModel, ModelRelation } from '../contract/database-model.ts'
import { type ColumnField, fieldsOfColumns } from './column-fields.ts'
import { EnumNames } from './enum-names.ts'
import { findLinks, type Link } from './links.ts'
import { nameFields } from './name-fields.ts'
import { nameTypes } from './name-types.ts'
import type { ProposeOptions, ReportEntry } from './proposal.ts'
import { qualified, sourceProblem } from './qualified.ts'

/** A relation of the database that becomes a type. */
export interface Subject {
  readonly relation: ModelRelation
  /** Name of the type. */
  readonly type: string
  /** Columns that identify a row; `null`: none are known. */
  readonly key: readonly string[] | null
  /** Columns that a field can read, in the order of the relation. */
  readonly columns: readonly ColumnField[]
  /** Relations to other subjects, in the order of their fields. */
  readonly links: Link[]
  /** Names of fields, by column and link. */
  readonly names: Map<ColumnField | Link, string>
}

/** The types of a proposal before they are written as a schema. */
export interface Layout {
  readonly subjects: readonly Subject[]
  readonly enums: EnumNames
  readonly options: ProposeOptions
  readonly report: ReportEntry[]
  /** Finds the subject of a relation. */
  subjectOf(name: { readonly schema?: string; readonly name: string }): Subject | undefined
}

/** Decides which relations become types, which columns become fields, and all their names. */
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
  const layout: Layout = {
    subjects,
    enums,
    options,
    report,
    subjectOf: (name) => byName.get(qualified(name)),
  }
  findLinks(layout)
  nameFields(subjects, options, report)
  return layout
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
