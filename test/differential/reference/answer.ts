import type { FieldModel, ObjectType, QueryModel, SchemaModel } from '../../../core/doors/plugin.ts'
import type { CompiledPair, CompiledRead } from '../../../core/schema/compiled.ts'
import type { OutputComposite } from '../../../core/schema/type-model.ts'
import { memberOf, type Parsed } from '../json-text.ts'
import {
  type Item,
  isIncluded,
  type ListArguments,
  type NamedKey,
  type Numbers,
  type NumbersRoot,
  type PageInfoName,
  type QueryRoot,
  type Request,
  type Root,
  type RowType,
  type Selection,
} from '../request.ts'
import type { Caller } from '../world/callers.ts'
import { type Rule, rulesOfQuery, rulesOfType } from '../world/rules.ts'
import { wordQueryOf } from '../world/words.ts'
import type { Equality, ListOf, Lists } from './lists.ts'
import { NumbersReference } from './numbers.ts'
import { isRow, plainText, type Row, type Source, type Sources, sourceNameOf, storedOf } from './rows.ts'
import { wireText } from './wire.ts'

/** What the server has to answer. */
export type Answer =
  /** JSON text of a leaf. */
  | string
  | { readonly kind: 'json'; readonly text: string }
  /** The cursor of a row, whatever its text is. */
  | { readonly kind: 'cursor'; readonly query: QueryModel; readonly row: Row }
  /** A number in a text, whatever the zeros at its end. */
  | {
      readonly kind: 'number'
      readonly digits: bigint
      readonly scale: number
      readonly of: bigint
      /** A text, or a number of JSON. */
      readonly quoted: boolean
    }
  | readonly Answer[]
  | { readonly kind: 'object'; readonly members: readonly (readonly [string, Answer])[] }

interface Page {
  readonly rows: readonly Row[]
  readonly more: boolean
  readonly cursorOf: (row: Row) => Answer
}

const PAGE = 20

/** Answers requests the plain way: a statement per list, row by row. */
export class Reference {
  readonly #model: SchemaModel
  readonly #sources: Sources
  readonly #lists: Lists
  readonly #caller: Caller
  /** Rows by query and cursor. */
  readonly #cursors = new Map<string, Row>()
  readonly #leaves = new WeakMap<Row | Parsed, Map<FieldModel, Answer>>()
  readonly #items = new WeakMap<Selection, Map<ObjectType, Map<string, Item>>>()

  constructor(model: SchemaModel, sources: Sources, lists: Lists, caller: Caller) {
    this.#model = model
    this.#sources = sources
    this.#lists = lists
    this.#caller = caller
  }

  async answer({ roots }: Request): Promise<Answer> {
    const members: [string, Answer][] = []
    for (const root of roots) members.push([root.key, await this.#root(root)])
    return { kind: 'object', members }
  }

  async #root(root: Root): Promise<Answer> {
    if (root.kind === 'typename') return '"Query"'
    if (root.kind === 'node') return this.#node(root)
    if (root.kind === 'numbers') return this.#numbersOf(root)
    const { query, of } = root
    if (query.relay) return this.#connection(root)
    if (!query.list) {
      const [row] = await this.#lists.rows({ ...this.#listOf(root, {}), limit: 1 })
      return row === undefined ? 'null' : this.#object(of, row, this.#sourceOf(query))
    }
    const items = async (): Promise<Answer> =>
      this.#objects(of, await this.#lists.rows(this.#listOf(root, root.args)), this.#sourceOf(query))
    if (root.wrapper === null) return items()
    const members: [string, Answer][] = []
    for (const { key, name } of root.wrapper) {
      if (name === 'items') members.push([key, await items()])
      else
        members.push([
          key,
          name === '__typename' ? `"${query.named.name}List"` : await this.#lists.count(this.#listOf(root, root.args)),
        ])
    }
    return { kind: 'object', members }
  }

  #numbersOf({ query, equals, numbers }: NumbersRoot): Promise<Answer> {
    return new NumbersReference(this.#lists, this.#listOf({ query, equals }, {}), numbers).answer()
  }

  /** The base64 of `Type:id`, or the id of any type that has nodes, in their order. */
  async #node({ id, type, of }: Extract<Root, { kind: 'node' }>): Promise<Answer> {
    const decoded = Buffer.from(id.value, 'base64').toString('utf8')
    const [, name, own] = /^(\w+):(.*)$/s.exec(decoded) ?? []
    const wanted =
      own === undefined ? this.#model.relayTypes : this.#model.relayTypes.filter((each) => each.name === name)
    for (const each of wanted) {
      const source = this.#source(sourceNameOf(each))
      const found = source.rows.find(
        ({ cells }) =>
          cells.get('id')?.toLowerCase() === (own ?? id.value).toLowerCase() &&
          rulesOfType(each.name).every((rule) => rule.holds(cells, this.#caller)),
      )
      // Only the fragment for its own type holds.
      if (found !== undefined) return each === type ? this.#object(of, found, source) : { kind: 'object', members: [] }
    }
    return 'null'
  }

  /** Remembers the row of a cursor. @returns `false`: it is known as that of another row */
  learnCursor({ wireName }: QueryModel, cursor: string, row: Row): boolean {
    const known = this.#cursors.get(`${wireName} ${cursor}`)
    this.#cursors.set(`${wireName} ${cursor}`, row)
    return known === undefined || known === row
  }

  async #connection(root: QueryRoot): Promise<Answer> {
    const { query, args, of } = root
    const source = this.#sourceOf(query)
    const forward = args.first?.value != null || args.last?.value == null
    const size = (forward ? args.first?.value : args.last?.value) ?? PAGE
    const { rows, more, cursorOf } = await this.#page(root, forward, size)
    const cursorAt = (row: Row | undefined): Answer => (row === undefined ? 'null' : cursorOf(row))
    const info: Readonly<Record<PageInfoName, Answer>> = {
      hasNextPage: String(forward ? more : args.before?.value != null),
      hasPreviousPage: String(forward ? args.after?.value != null : more),
      startCursor: cursorAt(rows[0]),
      endCursor: cursorAt(rows.at(-1)),
      __typename: '"PageInfo"',
    }
    const edgeOf = async (
      row: Row,
      members: readonly NamedKey<'cursor' | 'node' | '__typename'>[],
    ): Promise<Answer> => {
      const edge: [string, Answer][] = []
      for (const { key, name } of members) {
        if (name === 'node') edge.push([key, await this.#object(of, row, source)])
        else edge.push([key, name === 'cursor' ? cursorOf(row) : `"${query.named.name}Edge"`])
      }
      return { kind: 'object', members: edge }
    }
    const members: [string, Answer][] = []
    for (const member of root.wrapper ?? []) {
      const { key } = member
      if (member.name === 'totalCount') members.push([key, await this.#lists.count(this.#listOf(root, args))])
      else if (member.name === 'pageInfo') {
        members.push([key, { kind: 'object', members: member.members.map((each) => [each.key, info[each.name]]) }])
      } else if (member.name === 'edges') {
        const edges: Answer[] = []
        for (const row of rows) edges.push(await edgeOf(row, member.members))
        members.push([key, edges])
      } else members.push([key, `"${query.named.name}Connection"`])
    }
    return { kind: 'object', members }
  }

  /** Rows of a page in the order of the connection, and whether there are more behind its end. */
  async #page(root: QueryRoot, forward: boolean, size: number): Promise<Page> {
    const { query, args } = root
    const { cursor } = query.named as ObjectType
    if (cursor === null) throw new Error(`${query.name} has no cursor`)
    const last = [cursor.column, ...(cursor.tie === null ? [] : [cursor.tie])]
    const [after, before] = [args.after?.value ?? null, args.before?.value ?? null]
    const list = { ...this.#listOf(root, args), last, limit: null, offset: null }
    if (args.orderBy === undefined) {
      const read = (given: string | null): readonly string[] | null => {
        if (given === null) return null
        const text = Buffer.from(given, 'base64').toString('utf8')
        return last.length === 1 ? [text] : JSON.parse(text)
      }
      const bounds = { after: read(after), before: read(before), descending: !forward, limit: size + 1 }
      const ahead = await this.#lists.rows({ ...list, ...bounds })
      const rows = forward ? ahead.slice(0, size) : ahead.slice(0, size).reverse()
      const cursorOf = ({ cells }: Row): string => {
        const texts = last.map((column) => cells.get(column) ?? '')
        const text = texts.length === 1 ? texts[0]! : JSON.stringify(texts)
        return JSON.stringify(Buffer.from(text, 'utf8').toString('base64'))
      }
      return { rows, more: ahead.length > size, cursorOf }
    }
    // The whole list, and the page is cut out of it.
    const whole = await this.#lists.rows(list)
    const placeOf = (given: string): number => {
      const row = this.#cursors.get(`${query.wireName} ${given}`)
      if (row === undefined || !whole.includes(row)) throw new Error(`Nobody knows the cursor ${given}`)
      return whole.indexOf(row)
    }
    const between = whole.slice(after === null ? 0 : placeOf(after) + 1, before === null ? undefined : placeOf(before))
    const rows = forward ? between.slice(0, size) : between.slice(Math.max(between.length - size, 0))
    return { rows, more: between.length > size, cursorOf: (row) => ({ kind: 'cursor', query, row }) }
  }

  #listOf({ query, equals }: Pick<QueryRoot, 'query' | 'equals'>, args: ListArguments): ListOf {
    const type = query.named as OutputComposite
    const own = equals.flatMap(({ name, given }): Equality[] => {
      if (given.value === null) return []
      const words = wordQueryOf(query, name)
      if (words !== null) return [{ kind: 'words', query: words, text: String(given.value) }]
      const field = (type as RowType).fields.get(name)
      if (field === undefined) throw new Error(`The argument ${name} is no field`)
      const isList = query.arguments.get(name)!.type.kind === 'list'
      const values = Array.isArray(given.value) ? given.value : [given.value]
      return [
        {
          kind: 'field',
          field,
          values: isList || !field.list ? values.map((value) => idOf(type, value)) : values,
          whole: field.list && isList,
        },
      ]
    })
    return this.#list(this.#sourceOf(query), type, args, own, rulesOfQuery(query))
  }

  #list(
    source: Source,
    type: OutputComposite,
    args: ListArguments,
    equals: readonly Equality[],
    rules: readonly Rule[] = rulesOfType(type.name),
  ): ListOf {
    const orderBy = args.orderBy?.value ?? []
    return {
      source,
      type,
      rules,
      where: args.where?.value ?? null,
      equals,
      orderBy,
      last: source.key,
      descending: orderBy.at(-1)?.direction.startsWith('DESC') ?? false,
      after: null,
      before: null,
      limit: args.limit?.value ?? null,
      offset: args.offset?.value ?? null,
    }
  }

  #sourceOf(query: QueryModel): Source {
    return this.#source(query.source.name)
  }

  #source(name: string): Source {
    const source = this.#sources.get(name)
    if (source === undefined) throw new Error(`${name} was not read`)
    return source
  }

  async #objects(of: Selection, rows: readonly (Row | Parsed)[], source: Source | null): Promise<Answer> {
    const objects: Answer[] = []
    for (const row of rows) objects.push(await this.#object(of, row, source))
    return objects
  }

  /** Fields in the order of the selection; what stands there twice is one field with the members of both. */
  async #object(of: Selection, row: Row | Parsed, source: Source | null): Promise<Answer> {
    const type = typeOf(of.type, row)
    const members: [string, Answer][] = []
    for (const item of this.#itemsOf(of, type)) {
      // Most are leaves, and a promise for each would cost more than they do.
      const answer = this.#leaf(type, item, row, source) ?? (await this.#field(type, item, row, source))
      members.push([item.key, answer])
    }
    return { kind: 'object', members }
  }

  /** What is selected of rows of a type, once for all of them. */
  #itemsOf(of: Selection, type: ObjectType): Iterable<Item> {
    let byType = this.#items.get(of)
    if (byType === undefined) {
      byType = new Map()
      this.#items.set(of, byType)
    }
    let items = byType.get(type)
    if (items === undefined) {
      items = new Map()
      for (const part of of.parts) {
        if (part.on !== null && part.on !== type) continue
        for (const item of part.items) {
          if (isIncluded(item) && !items.has(item.key)) items.set(item.key, item)
        }
      }
      byType.set(type, items)
    }
    return items.values()
  }

  /** The value of a leaf, which no row changes; `null`: it is none. */
  #leaf(type: ObjectType, { field, of, numbers }: Item, row: Row | Parsed, source: Source | null): Answer | null {
    if (field === null) return `"${type.name}"`
    if (of !== null || numbers !== undefined) return null
    const own = type.fields.get(field.wireName) ?? field
    let known = this.#leaves.get(row)
    if (known === undefined) {
      known = new Map()
      this.#leaves.set(row, known)
    }
    let answer = known.get(own)
    if (answer === undefined) {
      const text = wireText(own, storedOf(row, own, source))
      answer = own.named.name === 'JSON' ? { kind: 'json', text } : text
      known.set(own, answer)
    }
    return answer
  }

  async #field(type: ObjectType, item: Item, row: Row | Parsed, source: Source | null): Promise<Answer> {
    const { field, args, of, numbers } = item
    if (field === null) throw new Error('A leaf is read without a promise')
    if (numbers !== undefined) return this.#relatedNumbers(field, numbers, row)
    if (of === null) throw new Error(`${type.name}.${field.name} is a leaf`)
    if (field.read?.from === 'relation') return this.#related(field, of, args, row)
    const stored = storedOf(row, field, source)
    if (stored === null) return 'null'
    if (stored.from === 'column') throw new Error(`${field.name} holds no object`)
    const { value } = stored
    if (!field.list) return this.#object(of, value, null)
    return value.kind === 'list' ? this.#objects(of, value.items, null) : 'null'
  }

  async #related(field: FieldModel, of: Selection, args: ListArguments, row: Row | Parsed): Promise<Answer> {
    const { read } = field
    if (read?.from !== 'relation') throw new Error(`${field.name} is no relation`)
    const source = this.#source(this.#model.sources.get(read.target)?.name ?? read.target)
    const ties = tiesOf(row, read, this.#sources)
    if (ties === null) return field.list ? [] : 'null'
    const list = this.#list(source, field.named as OutputComposite, args, ties)
    const rows = await this.#lists.rows(list)
    if (field.list) return this.#objects(of, rows, source)
    return rows[0] === undefined ? 'null' : this.#object(of, rows[0], source)
  }

  async #relatedNumbers(field: FieldModel, numbers: Numbers, row: Row | Parsed): Promise<Answer> {
    const { read } = field
    if (read?.from !== 'relation') throw new Error(`${field.name} is no relation`)
    const source = this.#source(this.#model.sources.get(read.target)?.name ?? read.target)
    const ties = tiesOf(row, read, this.#sources)
    const list = this.#list(source, field.named as OutputComposite, {}, ties ?? [])
    const lists = ties === null ? NO_ROWS : this.#lists
    return new NumbersReference(lists, list, numbers).answer()
  }
}

/** Of who leads to nothing. */
const NO_ROWS: Lists = { rows: async () => [], count: async () => '0', log: [] }

type RelationRead = Extract<CompiledRead, { from: 'relation' }>
type Tie = Extract<Equality, { kind: 'column' }>

/** What the rows of the other side are equal to. Keys are texts or integers. @returns `null`: a part of the key is missing */
export function tiesOf(row: Row | Parsed, read: RelationRead, sources: Sources): readonly Equality[] | null {
  const { also = [], through } = read
  const ties = [read, ...also].map((pair) => ({ column: pair.to_column, text: ownKey(row, pair) }))
  const whole = ties.flatMap(({ column, text }): Tie[] => (text === null ? [] : [{ kind: 'column', column, text }]))
  if (whole.length < ties.length) return null
  if (through === undefined) return whole
  const ends = through.pairs.map((pair) => ({ from: pair.from_column, to: pair.to_column }))
  const rules = (through.types ?? []).flatMap(rulesOfType)
  return [{ kind: 'through', join: sources.get(through.source)!, rules, own: whole, ends }]
}

/** The text of our side of a pair of columns. */
function ownKey(row: Row | Parsed, read: CompiledPair): string | null {
  if (isRow(row) && read.from_document === undefined) return row.cells.get(read.from_column) ?? null
  const value = memberOf(isRow(row) ? row.document : row, read.from_column)
  return value === null || (value.kind === 'word' && value.text === 'null') ? null : plainText(value)
}

/** The type of a row: its own, or the one that it names. */
function typeOf(type: OutputComposite, row: Row | Parsed): ObjectType {
  if (type.kind === 'object') return type
  const name = isRow(row) ? row.cells.get(type.typeColumn) : null
  const found = type.members.find((member) => member.name === name)
  if (found === undefined) throw new Error(`${type.name} has no member ${name}`)
  return found
}

/** Single queries of relay types take the global id, too. */
function idOf<T>(type: OutputComposite, value: T): T | string {
  if (type.kind !== 'object' || !type.relay || typeof value !== 'string') return value
  const decoded = Buffer.from(value, 'base64').toString('utf8')
  return decoded.startsWith(`${type.name}:`) ? decoded.slice(type.name.length + 1) : value
}
