import type { AggregateRoot, ObjectSelection, QueryRoot, RowsRoot } from '../../../core/contract/operation.ts'
import type { Condition, ExistsCondition } from '../../../core/contract/plan/condition.ts'
import type {
  ConnectionMember,
  CountedMember,
  MemberValue,
  OrderTerm,
  RootValue,
  Rows,
} from '../../../core/contract/plan/read-plan.ts'
import type { SourceRow } from '../../../core/contract/plan/stored-value.ts'
import type { WritePlan } from '../../../core/contract/plan/write-plan.ts'
import type { StreamForm } from '../../../core/contract/result-stream.ts'
import type { ObjectType } from '../../../core/schema/model.ts'
import type { ExecuteWorld } from '../../helpers/execute-world.ts'
import type { Engine, Told } from './engine.ts'

/**
 * Every way on which rows of a source are opened, from the plan's own unions: a new kind of root, member, condition,
 * stream or write does not type-check until it has a line in {@link WAYS}.
 */
type Opens<T> = Extract<T, { readonly rows: Rows } | { readonly row: SourceRow } | { readonly of: unknown }>
export type Way =
  | `root ${Exclude<RootValue['kind'], 'constant'>}`
  | `counted ${Opens<CountedMember>['kind']}`
  | `connection ${Opens<ConnectionMember>['kind'] | 'edges'}`
  | 'connection order'
  | `member ${Opens<MemberValue>['kind']}`
  | `condition ${Opens<ExistsCondition['over']>['kind'] | Extract<Condition, { kind: 'quantifiers' }>['kind']}`
  | `order ${Extract<OrderTerm, { kind: 'by' }>['kind']}`
  | `stream ${StreamForm}`
  | `write ${Exclude<WritePlan['kind'], 'void'>}`
  | `atomic ${Exclude<WritePlan['kind'], 'void'>}`
  | 'abstract list'
  | `interface ${'field' | 'fragment' | 'filter' | 'order'}`
  | `document ${'aggregate' | 'groups' | 'variable groups' | 'having' | 'group order' | 'related groups' | 'related having'}`

export interface WayRow {
  /** Asks for the book; what is told holds its id, or `1` for a count, where it is seen. */
  readonly row: (engine: Engine, id: string, who: string | null) => Promise<Told>
  /** What is told when the book is seen. */
  readonly seen: (id: string) => string | RegExp
  /** Asks for, or by, its title. */
  readonly field: (engine: Engine, title: string, who: string | null) => Promise<Told>
  /**
   * What is told of the field where it is seen; default: the title. Ways that have it filter, sort or compute by the
   * field: of one that is hidden in some rows they are closed to everybody.
   */
  readonly fieldSeen?: RegExp
  /** A rule of the type's queries holds here. */
  readonly byQuery: boolean
  /** Reached around the queries: what the compiler calls it. */
  readonly around?: string
}

const ask =
  (document: (value: string) => string) =>
  (engine: Engine, value: string, who: string | null): Promise<Told> =>
    engine.ask(document(value), who)
/** Beside another root, in one transaction. */
const together =
  (document: (value: string) => string) =>
  (engine: Engine, value: string, who: string | null): Promise<Told> =>
    engine.together(`mutation { label(id: "s1") { label } ${document(value)} }`, who)
const stream =
  (form: StreamForm) =>
  (engine: Engine, _value: string, who: string | null): Promise<Told> =>
    engine.stream('{ books { id title } }', form, who)
const theId = (id: string): string => id
const ONE = /:1\b/
const LOAN = /"l[12]"/
const SHELF = /"s1"/

/** Books by a key, with what the document selects of them. */
function rowsRoot({ model, operation }: ExecuteWorld, id: string, document: string): RowsRoot {
  const [books] = operation(document).template.roots
  return {
    kind: 'rows',
    responseKey: 'rows',
    type: model.types.get('Book') as ObjectType,
    keys: { kind: 'constant', value: [id] },
    selection: (books as QueryRoot).selection as ObjectSelection,
    location: null,
  }
}

/** How many books have this value, and the greatest of a field of theirs. */
function countOf({ model }: ExecuteWorld, by: string, value: string, greatest: string | null): AggregateRoot {
  const max = greatest === null ? null : ((model.types.get('Book') as ObjectType).fields.get(greatest) ?? null)
  return {
    kind: 'aggregate',
    responseKey: 'numbers',
    operation: model.queries.get('books')!,
    arguments: [{ name: 'where', value: { kind: 'constant', value: { [by]: { _eq: value } } } }],
    groupBy: null,
    fields: [
      { kind: 'measure', responseKey: 'count', function: 'count', field: null },
      ...(max === null ? [] : [{ kind: 'measure', responseKey: 'max', function: 'max', field: max } as const]),
    ],
    having: [],
    orderBy: [],
    location: null,
  }
}

export const WAYS: Readonly<Record<Way, WayRow>> = {
  'root list': {
    row: ask(() => '{ books { id title } }'),
    field: ask(() => '{ books { id title } }'),
    seen: theId,
    byQuery: true,
  },
  'root single': {
    row: ask((id) => `{ book(id: "${id}") { id } }`),
    field: ask(() => '{ book(id: "bob-1") { id title } }'),
    seen: theId,
    byQuery: true,
  },
  'root counted': {
    row: ask(() => '{ countedBooks { totalCount items { id } } }'),
    field: ask(() => '{ countedBooks { items { title } } }'),
    seen: theId,
    byQuery: true,
  },
  'counted items': {
    row: ask((id) => `{ countedBooks(where: { id: { _eq: "${id}" } }) { items { id } } }`),
    field: ask((title) => `{ countedBooks(where: { title: { _eq: "${title}" } }) { items { id } } }`),
    fieldSeen: /bob-1/,
    seen: theId,
    byQuery: true,
  },
  'counted total': {
    row: ask((id) => `{ countedBooks(where: { id: { _eq: "${id}" } }) { totalCount } }`),
    field: ask((title) => `{ countedBooks(where: { title: { _eq: "${title}" } }) { totalCount } }`),
    fieldSeen: ONE,
    seen: () => ONE,
    byQuery: true,
  },
  'root connection': {
    row: ask(() => '{ bookPages { edges { cursor node { id } } pageInfo { hasNextPage } } }'),
    field: ask(() => '{ bookPages { edges { node { title } } } }'),
    seen: theId,
    byQuery: true,
  },
  'connection edges': {
    row: ask((id) => `{ bookPages(where: { id: { _eq: "${id}" } }) { edges { node { id } } } }`),
    field: ask((title) => `{ bookPages(where: { title: { _eq: "${title}" } }) { edges { node { id } } } }`),
    fieldSeen: /bob-1/,
    seen: theId,
    byQuery: true,
  },
  'connection order': {
    row: ask(() => '{ bookPages(orderBy: [{ owner: DESC }], last: 9) { edges { cursor node { id } } } }'),
    field: ask(() => '{ bookPages(orderBy: [{ title: DESC }]) { edges { node { id } } } }'),
    fieldSeen: /bob-1/,
    seen: theId,
    byQuery: true,
  },
  'connection total': {
    row: ask((id) => `{ bookPages(where: { id: { _eq: "${id}" } }) { totalCount } }`),
    field: ask((title) => `{ bookPages(where: { title: { _eq: "${title}" } }) { totalCount } }`),
    fieldSeen: ONE,
    seen: () => ONE,
    byQuery: true,
  },
  'root firstOf': {
    row: ask((id) => `{ node(id: "${id}") { id } }`),
    field: ask(() => '{ node(id: "bob-1") { id ... on Book { title } } }'),
    seen: theId,
    byQuery: true,
  },
  'root byKeys': {
    row: (engine, id, who) => engine.keys([id], who),
    field: async (engine, _title, who) => {
      const keys = await engine.keys(['bob-1'], who)
      return who === 'ann' ? { ...keys, codes: [...keys.codes, 'FORBIDDEN'] } : keys
    },
    seen: theId,
    byQuery: false,
    around: 'the result of the mutation "touch"',
  },
  'root perKey': {
    row: (engine, id, who) => engine.roots((world) => [rowsRoot(world, id, '{ books { id } }')], who),
    field: (engine, _title, who) => engine.roots((world) => [rowsRoot(world, 'bob-1', '{ books { id title } }')], who),
    seen: theId,
    byQuery: true,
  },
  'root aggregate': {
    row: (engine, id, who) => engine.roots((world) => [countOf(world, 'id', id, null)], who),
    field: (engine, _title, who) => engine.roots((world) => [countOf(world, 'id', 'bob-1', 'title')], who),
    fieldSeen: /Of bob/,
    seen: () => ONE,
    byQuery: true,
  },
  'document aggregate': {
    row: ask((id) => `{ booksAggregate(where: { id: { _eq: "${id}" } }) { count } }`),
    field: ask(() => '{ booksAggregate { max { title } } }'),
    fieldSeen: /Of bob/,
    seen: () => ONE,
    byQuery: true,
  },
  'document groups': {
    row: ask(() => '{ booksGroups(groupBy: [id]) { keys { id } count } }'),
    field: ask(() => '{ booksGroups(groupBy: [title]) { keys { title } } }'),
    fieldSeen: /Of bob/,
    seen: theId,
    byQuery: true,
  },
  'document variable groups': {
    row: ask(() => 'query ($by: [BookGroupBy!]! = [id]) { booksGroups(groupBy: $by) { keys { id } } }'),
    field: ask(() => 'query ($by: [BookGroupBy!]! = [title]) { booksGroups(groupBy: $by) { keys { title } } }'),
    fieldSeen: /Of bob/,
    seen: theId,
    byQuery: true,
  },
  'document having': {
    row: ask(() => '{ booksGroups(groupBy: [id], having: { count: { _eq: 1 } }) { keys { id } } }'),
    field: ask(
      (title) => `{ booksGroups(groupBy: [id], having: { max: { title: { _eq: "${title}" } } }) { keys { id } } }`,
    ),
    fieldSeen: /bob-1/,
    seen: theId,
    byQuery: true,
  },
  'document group order': {
    row: ask(() => '{ booksGroups(groupBy: [id], orderBy: [{ keys: { id: DESC } }]) { keys { id } } }'),
    field: ask(() => '{ booksGroups(groupBy: [id], orderBy: [{ max: { title: DESC } }]) { keys { id } } }'),
    fieldSeen: /bob-1/,
    seen: theId,
    byQuery: true,
  },
  'member aggregate': {
    row: ask((id) => `{ shelves { booksAggregate(where: { id: { _eq: "${id}" } }) { count } } }`),
    field: ask(() => '{ shelves { booksAggregate { max { title } } } }'),
    fieldSeen: /Of bob/,
    seen: () => ONE,
    byQuery: false,
    around: 'the field Shelf.books',
  },
  'document related groups': {
    row: ask(() => '{ shelves { booksGroups(groupBy: [id]) { keys { id } } } }'),
    field: ask(() => '{ shelves { booksGroups(groupBy: [title]) { keys { title } } } }'),
    fieldSeen: /Of bob/,
    seen: theId,
    byQuery: false,
    around: 'the field Shelf.books',
  },
  'document related having': {
    row: ask(() => '{ shelves { booksGroups(groupBy: [id], having: { count: { _eq: 1 } }) { keys { id } } } }'),
    field: ask(
      (title) =>
        `{ shelves { booksGroups(groupBy: [id], having: { max: { title: { _eq: "${title}" } } }) { keys { id } } } }`,
    ),
    fieldSeen: /bob-1/,
    seen: theId,
    byQuery: false,
    around: 'the field Shelf.books',
  },
  'member toOne': {
    row: ask(() => '{ loans { id book { id } } }'),
    field: ask(() => '{ loans { id book { title } } }'),
    seen: theId,
    byQuery: false,
    around: 'the field Loan.book',
  },
  'member toMany': {
    row: ask(() => '{ shelves { books { id } } }'),
    field: ask(() => '{ shelves { books { title } } }'),
    seen: theId,
    byQuery: false,
    around: 'the field Shelf.books',
  },
  'condition rows': {
    row: ask((id) => `{ loans(where: { book: { id: { _eq: "${id}" } } }) { id } }`),
    field: ask((title) => `{ loans(where: { book: { title: { _eq: "${title}" } } }) { id } }`),
    fieldSeen: LOAN,
    seen: () => LOAN,
    byQuery: false,
    around: 'the field Loan.book',
  },
  'condition quantifiers': {
    row: ask((id) => `{ shelves(where: { books: { some: { id: { _eq: "${id}" } } } }) { id } }`),
    field: ask((title) => `{ shelves(where: { books: { some: { title: { _eq: "${title}" } } } }) { id } }`),
    fieldSeen: SHELF,
    seen: () => SHELF,
    byQuery: false,
    around: 'the field Shelf.books',
  },
  'order by': {
    row: ask(() => '{ books(orderBy: [{ owner: DESC }]) { id } }'),
    field: ask(() => '{ books(orderBy: [{ title: DESC }]) { id } }'),
    fieldSeen: /bob-1/,
    seen: theId,
    byQuery: true,
  },
  'stream rows': { row: stream('rows'), field: stream('rows'), seen: theId, byQuery: true },
  'stream columns': { row: stream('columns'), field: stream('columns'), seen: theId, byQuery: true },
  'write ids': {
    row: ask((id) => `mutation { touch(id: "${id}") { id } }`),
    field: ask(() => 'mutation { touch(id: "bob-1") { id title } }'),
    seen: theId,
    byQuery: false,
    around: 'the result of the mutation "touch"',
  },
  'write documents': {
    row: ask((id) => `mutation { describe(id: "${id}") { id } }`),
    field: ask(() => 'mutation { describe(id: "bob-1") { id title } }'),
    seen: theId,
    byQuery: false,
    around: 'the result of the mutation "describe"',
  },
  'atomic ids': {
    row: together((id) => `touch(id: "${id}") { id }`),
    field: together(() => 'touch(id: "bob-1") { id title }'),
    seen: theId,
    byQuery: false,
    around: 'the result of the mutation "touch"',
  },
  'atomic documents': {
    row: together((id) => `describe(id: "${id}") { id }`),
    field: together(() => 'describe(id: "bob-1") { id title }'),
    seen: theId,
    byQuery: false,
    around: 'the result of the mutation "describe"',
  },
  'abstract list': {
    row: ask(() => '{ found { __typename ... on Book { id } ... on Shelf { label } } }'),
    field: ask(() => '{ found { __typename ... on Book { title } ... on Shelf { label } } }'),
    seen: theId,
    byQuery: false,
    around: 'the query "found" (Found)',
  },
  'interface field': {
    row: ask(() => '{ titled { id } }'),
    field: ask(() => '{ titled { title } }'),
    seen: theId,
    byQuery: false,
    around: 'the query "titled" (Titled)',
  },
  'interface fragment': {
    row: ask(() => '{ titled { ... on Book { id } } }'),
    field: ask(() => '{ titled { ...F } } fragment F on Book { title }'),
    seen: theId,
    byQuery: false,
    around: 'the query "titled" (Titled)',
  },
  'interface filter': {
    row: ask((id) => `{ titled(where: { id: { _eq: "${id}" } }) { id } }`),
    field: ask((title) => `{ titled(where: { title: { _eq: "${title}" } }) { id } }`),
    fieldSeen: /bob-1/,
    seen: theId,
    byQuery: false,
    around: 'the query "titled" (Titled)',
  },
  'interface order': {
    row: ask(() => '{ titled(orderBy: [{ id: DESC }]) { id } }'),
    field: ask(() => '{ titled(orderBy: [{ title: DESC }]) { id } }'),
    fieldSeen: /bob-1/,
    seen: theId,
    byQuery: false,
    around: 'the query "titled" (Titled)',
  },
}
