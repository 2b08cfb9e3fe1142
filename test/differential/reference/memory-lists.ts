import type { FieldModel } from '../../../core/doors/plugin.ts'
import type { Parsed } from '../json-text.ts'
import type { Member, OrderTerm, Quantified, Test, Where } from '../request.ts'
import type { Caller } from '../world/callers.ts'
import { rulesOfType } from '../world/rules.ts'
import { tiesOf } from './answer.ts'
import type { Equality, ListOf, Lists } from './lists.ts'
import { applyOperator, type Truth } from './memory-operators.ts'
import { type Row, type Source, type Sources, storedOf } from './rows.ts'
import { type Comparable, comparableOf, comparableOfText, compare, operandOf } from './values.ts'

type Holder = Row | Parsed

/**
 * Lists by loops over rows that were read whole. A condition is true, false, or unknown (`null`) where a null decides;
 * an object exists or it does not.
 */
export class MemoryLists implements Lists {
  log: string[] | null = null
  readonly #sources: Sources
  readonly #caller: Caller
  readonly #inMicroseconds: boolean

  /** @param inMicroseconds does the database round operands? */
  constructor(sources: Sources, caller: Caller, inMicroseconds: boolean) {
    this.#sources = sources
    this.#inMicroseconds = inMicroseconds
    this.#caller = caller
  }

  async rows(list: ListOf): Promise<readonly Row[]> {
    const { source, after, before, limit, offset, last } = list
    let rows = this.#matching(list)
    const end = (row: Row): Comparable[] => last.map((column) => cellOf(source, row, column))
    const bound = (texts: readonly string[]): Comparable[] =>
      texts.map((text, index) => sortedText(text, source.types.get(last[index]!) ?? null))
    if (after !== null) rows = rows.filter((row) => compareAll(end(row), bound(after)) > 0)
    if (before !== null) rows = rows.filter((row) => compareAll(end(row), bound(before)) < 0)
    const sorted = [...rows].sort((a, b) => this.#order(list, a, b))
    const from = offset ?? 0
    this.log?.push(`${source.name}: ${sorted.length} of ${source.rows.length} rows`)
    return sorted.slice(from, limit === null ? undefined : from + limit)
  }

  async count(list: ListOf): Promise<string> {
    return String(this.#matching(list).length)
  }

  #matching({ source, rules, where, equals }: ListOf): readonly Row[] {
    return source.rows.filter(
      (row) =>
        rules.every((rule) => rule.holds(row.cells, this.#caller)) &&
        equals.every((equality) => this.#equals(equality, row, source)) &&
        (where === null || this.#where(where, row, source) === true),
    )
  }

  #equals(equality: Equality, row: Row, source: Source): boolean {
    if (equality.kind === 'column') {
      const text = row.cells.get(equality.column)
      return text !== null && text !== undefined && text === equality.text
    }
    if (equality.kind === 'through') {
      const { join, rules, own, ends } = equality
      return join.rows.some(
        ({ cells }) =>
          rules.every((rule) => rule.holds(cells, this.#caller)) &&
          own.every(({ column, text }) => cells.get(column) === text) &&
          ends.every(({ from, to }) => cells.get(from) !== null && cells.get(from) === row.cells.get(to)),
      )
    }
    if (equality.kind === 'words') throw new Error('Words are searched by PostgreSQL alone')
    const { field, values, whole } = equality
    const value = comparableOf(field, storedOf(row, field, source))
    const operands = values.map((each) => operandOf(field, each, source))
    if (value === null) return false
    if (whole) return isItems(value) && value.length === operands.length && compareAll(value, operands) === 0
    if (isItems(value)) return operands.every((operand) => value.some((item) => compare(item, operand) === 0))
    return operands.some((operand) => compare(value, operand) === 0)
  }

  #order({ source, orderBy, last, descending }: ListOf, a: Row, b: Row): number {
    for (const term of orderBy) {
      const difference = inDirection(term, valueAt(term.field, a, source), valueAt(term.field, b, source))
      if (difference !== 0) return difference
    }
    const difference = compareAll(
      last.map((column) => cellOf(source, a, column)),
      last.map((column) => cellOf(source, b, column)),
    )
    return descending ? -difference : difference
  }

  #where({ members }: Where, holder: Holder, source: Source | null): Truth {
    return and(members.map((member) => this.#member(member, holder, source)))
  }

  #member(member: Member, holder: Holder, source: Source | null): Truth {
    switch (member.kind) {
      case 'and':
        return and(member.parts.map((part) => this.#where(part, holder, source)))
      case 'or':
        return not(and(member.parts.map((part) => not(this.#where(part, holder, source)))))
      case 'not':
        return not(this.#where(member.part, holder, source))
      case 'nothing':
        return true
      case 'tests':
        return and(member.tests.map((test) => this.#test(member.field, test, holder, source)))
      case 'one':
        return this.#related(member.field, holder).some(([row, own]) => this.#where(member.part, row, own) === true)
      case 'many':
        return and(member.quantifiers.map((quantified) => this.#quantified(member.field, quantified, holder)))
    }
  }

  #quantified(field: FieldModel, { quantifier, part }: Quantified, holder: Holder): boolean {
    const truths = this.#related(field, holder).map(([row, own]) => this.#where(part, row, own))
    if (quantifier === 'every') return truths.every((truth) => truth === true)
    const found = truths.includes(true)
    return quantifier === 'some' ? found : !found
  }

  /** Rows of another source, or objects in the document. */
  #related(field: FieldModel, holder: Holder): (readonly [Holder, Source | null])[] {
    const { read } = field
    if (read?.from === 'relation') {
      const source = this.#sources.get(read.target)!
      const ties = tiesOf(holder, read, this.#sources)
      if (ties === null) return []
      const rules = rulesOfType(field.named.name)
      return source.rows
        .filter((row) => {
          if (!rules.every((rule) => rule.holds(row.cells, this.#caller))) return false
          return ties.every((tie) => this.#equals(tie, row, source))
        })
        .map((row) => [row, source])
    }
    const stored = storedOf(holder, field, null)
    if (stored?.from !== 'document') return []
    const objects = field.list ? (stored.value.kind === 'list' ? stored.value.items : []) : [stored.value]
    return objects.filter(({ kind }) => kind === 'object').map((object) => [object, null])
  }

  #test(field: FieldModel, test: Test, holder: Holder, source: Source | null): Truth {
    return applyOperator(
      field,
      test.operator,
      storedOf(holder, field, source),
      test.operand,
      source,
      this.#inMicroseconds,
    )
  }
}

function isItems(value: Comparable | readonly Comparable[] | null): value is readonly Comparable[] {
  return Array.isArray(value)
}

function and(truths: readonly Truth[]): Truth {
  return truths.includes(false) ? false : truths.includes(null) ? null : true
}

function not(truth: Truth): Truth {
  return truth === null ? null : !truth
}

/** UUIDs are sorted as they stand in the file. */
function valueAt(field: FieldModel, row: Holder, source: Source): Comparable | null {
  const stored = storedOf(row, field, source)
  if (stored?.from === 'column' && stored.type === 'uuid') return { kind: 'text', text: stored.text }
  const value = comparableOf(field, stored)
  if (isItems(value)) throw new Error(`Nothing is sorted by the list ${field.name}`)
  return value
}

/** Nulls stand last, and first where the direction is DESC, unless it says where. */
function inDirection({ direction }: OrderTerm, a: Comparable | null, b: Comparable | null): number {
  const [way, , end] = direction.split('_')
  const nullsFirst = (end ?? (way === 'ASC' ? 'LAST' : 'FIRST')) === 'FIRST'
  if (a === null || b === null) return a === b ? 0 : (a === null) === nullsFirst ? -1 : 1
  return way === 'ASC' ? compare(a, b) : -compare(a, b)
}

function cellOf(source: Source, row: Row, column: string): Comparable {
  return sortedText(row.cells.get(column) ?? '', source.types.get(column) ?? null)
}

function sortedText(text: string, type: string | null): Comparable {
  return comparableOfText(text, type === 'uuid' ? 'text' : type)
}

function compareAll(a: readonly Comparable[], b: readonly Comparable[]): number {
  for (const [index, value] of a.entries()) {
    const difference = compare(value, b[index]!)
    if (difference !== 0) return difference
  }
  return 0
}
