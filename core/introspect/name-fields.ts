import { toSnakeCase } from '../base/util/naming.ts'
import { pluralNameOf, singularNameOf } from './name-types.ts'
import { NameTable } from './names/name-table.ts'
import { toCamelCase, upperFirst, wordsOf } from './names/words.ts'
import type { ProposeOptions, ReportEntry } from './proposal.ts'
import { overrideOf, qualified } from './qualified.ts'
import { isReservedField } from './reserved-names.ts'
import type { ColumnField, Link, Subject } from './subject.ts'

/** Gives out the names of the fields of one type. */
interface Naming {
  readonly subject: Subject
  readonly table: NameTable
  readonly entry: (kind: string, name: string, newName: string) => void
}

/**
 * Chooses unique names for the fields of all proposed types, and stores them in `names` of each subject. Columns come
 * first, so that they keep their own names, then relations to one row, then relations to lists, then lists through join
 * tables. A column that a relation replaces gets no name.
 * @param report receives the fields whose name had to be changed to be unique or valid
 */
export function nameFields(subjects: readonly Subject[], options: ProposeOptions, report: ReportEntry[]): void {
  const all = subjects.map(
    (subject): Naming => ({
      subject,
      table: new NameTable(isReservedField),
      entry: (kind, name, newName) =>
        report.push({ kind, name: `${qualified(subject.relation)}.${name}`, newName: `${subject.type}.${newName}` }),
    }),
  )
  for (const naming of all) {
    nameColumns(naming, options)
    nameLinks(naming, 'forward')
  }
  for (const naming of all) nameLinks(naming, 'reverse')
  for (const naming of all) nameLinks(naming, 'through')
}

function nameColumns({ subject, table, entry }: Naming, { names }: ProposeOptions): void {
  const { relation, links } = subject
  const replaced = new Set(links.flatMap((link) => link.replaces))
  const fields = subject.columns.filter(({ column }) => !replaced.has(column.name))
  for (const field of fields) {
    const name = overrideOf(names?.fields, relation, field.column.name)
    if (name === undefined) continue
    const claimed = table.claim(name)
    subject.names.set(field, claimed)
    if (claimed !== name) entry('column', field.column.name, claimed)
  }
  const usual = new Map(fields.map((field) => [field, fieldNameOf(subject, field)]))
  const isUsual = (field: ColumnField): boolean =>
    isConventional(usual.get(field)!, field.column.name, subject.relation.columns)
  // Columns that have the name by convention before those that come to it by losing a space or an accent.
  for (const field of [...fields.filter(isUsual), ...fields.filter((one) => !isUsual(one))]) {
    if (subject.names.has(field)) continue
    const wanted = usual.get(field)!
    const claimed = table.claim(wanted, `${wanted}Value`)
    subject.names.set(field, claimed)
    if (claimed !== wanted || !isPlain(field.column.name)) entry('column', field.column.name, claimed)
  }
}

function nameLinks({ subject, table, entry }: Naming, direction: Link['direction']): void {
  for (const link of subject.links) {
    if (link.direction !== direction) continue
    const [usual, ...others] = NAMES[direction](subject, link)
    const claimed = table.claim(usual, ...others)
    subject.names.set(link, claimed)
    if (claimed !== usual) entry('relation', link.key.name, claimed)
  }
}

const NAMES: Readonly<Record<Link['direction'], (subject: Subject, link: Link) => [string, ...string[]]>> = {
  forward: (_, link) => forwardNames(link),
  reverse: reverseNames,
  through: throughNames,
}

/**
 * Returns the field name that svc proposes for a column, before names are made unique. The key column `artist_id` of
 * the type `Artist` becomes `id`, because clients look up rows by `id`.
 */
export function fieldNameOf({ relation, type, key, columns }: Subject, { column }: ColumnField): string {
  const { name } = column
  if (key?.length === 1 && key[0] === name && !columns.some((other) => other.column.name === 'id')) {
    const entities = [type, relation.name].map((of) => wordsOf(of).join(''))
    const own = wordsOf(name).join('')
    if (entities.some((entity) => [`${entity}id`, `pk${entity}`, 'pk'].includes(own))) return 'id'
  }
  return camelName(name)
}

/** Converts the name of a column to the name of a field: `created_at` → `createdAt`. */
export function camelName(column: string): string {
  const camel = toCamelCase(wordsOf(column)) || 'column'
  return /^_[a-z]/i.test(column) ? `_${camel}` : camel
}

/** Returns names for a reference: `author_id` → `author`, `reports_to` → `reportsTo`. */
function forwardNames({ from, to, target }: Pick<Link, 'from' | 'to' | 'target'>): [string, ...string[]] {
  const other = singularNameOf(target.type)
  const by = `${other}By${from.map((name) => upperFirst(camelName(name))).join('And')}`
  const own = from.flatMap((name, i) => (from.length > 1 && to[i] === name ? [] : [{ name, to: to[i] ?? '' }]))
  const [only] = own
  const base = own.length === 1 && only !== undefined ? referenceName(only.name, only.to) : ''
  const first = base === '' ? other : base
  return from.length > 1 ? [first, by] : [first, other, `${first}Ref`]
}

const SUFFIXES: ReadonlySet<string> = new Set(['id', 'fk', 'uuid', 'guid'])

/**
 * Removes the part of a column's name that says that it is a reference.
 * @returns the empty string when nothing else is left
 */
function referenceName(column: string, to: string): string {
  const all = wordsOf(column)
  const words = all[0] === 'fk' ? all.slice(1) : all
  const target = wordsOf(to)
  const tail = words.slice(-target.length)
  if (words.length > target.length && tail.join('_') === target.join('_'))
    return toCamelCase(words.slice(0, -target.length))
  return toCamelCase(SUFFIXES.has(words.at(-1) ?? '') ? words.slice(0, -1) : words)
}

/** Returns names for the rows that refer to this one: `posts`; with several keys of one table, `postsByAuthor`. */
function reverseNames(subject: Subject, { target, list, counterpart }: Link): [string, ...string[]] {
  const rivals = subject.links.filter((other) => other.direction === 'reverse' && other.target === target)
  const base = list ? pluralNameOf(target.type) : singularNameOf(target.type)
  const reference = counterpart === null ? undefined : target.names.get(counterpart)
  const by = `${base}By${upperFirst(reference ?? '')}`
  return rivals.length > 1 ? [by] : [base, by]
}

/**
 * Returns names for the rows on the other side of a join table: `actors`; beside another list of the same type, `actorsByFilmActor`. Of a
 * type that is on both sides, `usersByFollower` are those whose follower is this one.
 */
function throughNames(subject: Subject, { target, through, key }: Link): [string, ...string[]] {
  const base = pluralNameOf(target.type)
  const lists = subject.links.filter((other) => other.list && other.target === target)
  const joins = new Set(lists.flatMap((other) => other.through?.join ?? []))
  const isTwice = lists.filter((other) => other.through?.join === through?.join).length > 1
  const [reference] = forwardNames({ from: key.columns, to: key.references.columns, target: subject })
  const of = isTwice && joins.size === 1 ? '' : (through?.join.type ?? '')
  const by = `${base}By${of}${isTwice ? upperFirst(reference) : ''}`
  return lists.length > 1 ? [by] : [base, by]
}

/**
 * Tests whether svc finds the column by the field's name alone, so that the field needs no option `column`
 * (docs/reference/schema-json.md#where-values-come-from).
 * @param all all columns of the table
 */
export function isConventional(name: string, column: string, all: readonly { readonly name: string }[]): boolean {
  const snake = toSnakeCase(name)
  return snake === column || (name === column && !all.some((other) => other.name === snake))
}

function isPlain(column: string): boolean {
  return /^(?!__)[A-Za-z_][A-Za-z0-9_]*$/.test(column)
}
